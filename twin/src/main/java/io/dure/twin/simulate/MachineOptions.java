package io.dure.twin.simulate;

import io.dure.host.config.LocalConfigSource;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.twin.ReplayMachine;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.WorkloadTrace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The machines that the options of a call name. */
record MachineOptions(@Nullable Path conf, SimulateOptions.Size size) {
  /** How many processors a job may ask for at most; null where the trace's header says it. */
  @Nullable Integer processors() throws TraceException {
    if (conf != null) {
      return described(conf).cpus();
    }
    return size.processors() != null ? size.processors() : size.nodes();
  }

  /** The machine for a trace. */
  ReplayMachine machine(WorkloadTrace trace) throws SimulateUsageException, TraceException {
    if (conf != null) {
      return described(conf);
    }
    Integer nodes = size.nodes();
    Integer asked = size.processors();
    if (nodes != null && asked != null) {
      if (asked % nodes != 0) {
        throw new SimulateUsageException(
            "--procs " + asked + " are not the same number on each of " + nodes + " nodes");
      }
      return ReplayMachine.ofNodes(nodes, asked / nodes);
    }
    if (nodes != null) {
      return ReplayMachine.ofWholeNodes(nodes);
    }
    Integer processors = trace.processors();
    if (processors == null) {
      throw new TraceException(
          trace.name(),
          "its header does not say how many processors there are",
          "say it with --procs");
    }
    return ReplayMachine.ofProcessors(processors);
  }

  private static ReplayMachine described(Path conf) throws TraceException {
    String root = conf.toString();
    LocalConfigSource files = new LocalConfigSource();
    if (files.read(root) == null) {
      throw new TraceException(root, "cannot be read", "name a slurm.conf");
    }
    ParsedConfig parsed = SlurmConfParser.parse(root, files);
    for (ConfigDiagnostic error : parsed.errors()) {
      throw new TraceException(error.file(), error.line(), 1, error.message(), error.remedy());
    }
    ReplayMachine machine = ReplayMachine.of(parsed.config());
    if (machine.nodeCount() == 0) {
      throw new TraceException(root, "it describes no node", "write NodeName lines");
    }
    return machine;
  }
}
