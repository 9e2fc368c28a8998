package io.dure.simulator.twin.command;

import io.dure.core.config.Diagnostic;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.SlurmConf;
import io.dure.host.config.LocalConfigSource;
import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The machines that the options of a call name. */
record Machines(@Nullable Path conf, SimulateOptions.Size size) {
  /** How many processors a job may ask for at most; null where the trace's header says it. */
  @Nullable Integer processors() throws TraceException {
    if (conf != null) {
      return described(conf).cpus();
    }
    return size.processors() != null ? size.processors() : size.nodes();
  }

  /** The machine for a trace. */
  Machine machine(Trace trace) throws UsageException, TraceException {
    if (conf != null) {
      return described(conf);
    }
    Integer nodes = size.nodes();
    Integer asked = size.processors();
    if (nodes != null && asked != null) {
      if (asked % nodes != 0) {
        throw new UsageException(
            "--procs " + asked + " are not the same number on each of " + nodes + " nodes");
      }
      return Machine.ofNodes(nodes, asked / nodes);
    }
    if (nodes != null) {
      return Machine.ofWholeNodes(nodes);
    }
    Integer processors = trace.processors();
    if (processors == null) {
      throw new TraceException(
          trace.name(),
          "its header does not say how many processors there are",
          "say it with --procs");
    }
    return Machine.ofProcessors(processors);
  }

  private static Machine described(Path conf) throws TraceException {
    String root = conf.toString();
    LocalConfigSource files = new LocalConfigSource();
    if (files.read(root) == null) {
      throw new TraceException(root, "cannot be read", "name a slurm.conf");
    }
    ParsedConfig parsed = SlurmConf.parse(root, files);
    for (Diagnostic error : parsed.errors()) {
      throw new TraceException(error.file(), error.line(), 1, error.message(), error.remedy());
    }
    Machine machine = Machine.of(parsed.config());
    if (machine.nodeCount() == 0) {
      throw new TraceException(root, "it describes no node", "write NodeName lines");
    }
    return machine;
  }
}
