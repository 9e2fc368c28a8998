package io.dure.simulator.twin.command;

import io.dure.core.config.ConfigSource;
import io.dure.core.config.Diagnostic;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.SlurmConf;
import io.dure.host.config.ConfigFiles;
import io.dure.simulator.twin.Backfill;
import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The machines that the options of a call name. */
record Machines(@Nullable Path conf, SimulateOptions.Size size) {
  private static final Pattern SCHEDULER = Pattern.compile("(?im)^\\s*SchedulerType\\s*=.*$");

  /** How many processors a job may ask for at most; null where the trace's header says it. */
  @Nullable Integer processors() throws TraceException {
    if (conf != null) {
      return described(conf, null).cpus();
    }
    return size.processors() != null ? size.processors() : size.nodes();
  }

  /** The machine for a trace, whose scheduler lets others overtake in that way. */
  Machine machine(Trace trace, Backfill backfill) throws UsageException, TraceException {
    if (conf != null) {
      return described(conf, backfill);
    }
    boolean overtaking = backfill != Backfill.NONE;
    Integer nodes = size.nodes();
    Integer asked = size.processors();
    if (nodes != null && asked != null) {
      if (asked % nodes != 0) {
        throw new UsageException(
            "--procs " + asked + " are not the same number on each of " + nodes + " nodes");
      }
      return Machine.ofNodes(nodes, asked / nodes, overtaking);
    }
    if (nodes != null) {
      return Machine.ofWholeNodes(nodes, overtaking);
    }
    Integer processors = trace.processors();
    if (processors == null) {
      throw new TraceException(
          trace.name(),
          "its header does not say how many processors there are",
          "say it with --procs");
    }
    return Machine.ofProcessors(processors, overtaking);
  }

  /** What the machine's own configuration says of overtaking; the usual where there is none. */
  Backfill usualBackfill() throws TraceException {
    return conf == null || described(conf, null).overtakes() ? Backfill.EASY : Backfill.NONE;
  }

  private static Machine described(Path conf, @Nullable Backfill backfill) throws TraceException {
    String root = conf.toString();
    ConfigFiles files = new ConfigFiles();
    String text = files.read(root);
    if (text == null) {
      throw new TraceException(root, "cannot be read", "name a slurm.conf");
    }
    String replaced = backfill == null ? text : withScheduler(text, backfill);
    ParsedConfig parsed = SlurmConf.parse(root, new Replaced(files, root, replaced));
    for (Diagnostic error : parsed.errors()) {
      throw new TraceException(error.file(), error.line(), 1, error.message(), error.remedy());
    }
    Machine machine = Machine.of(parsed.config());
    if (machine.nodeCount() == 0) {
      throw new TraceException(root, "it describes no node", "write NodeName lines");
    }
    return machine;
  }

  private static String withScheduler(String text, Backfill backfill) {
    String type = backfill == Backfill.NONE ? "builtin" : "backfill";
    return SCHEDULER.matcher(text).replaceAll("#") + "\nSchedulerType=sched/" + type + "\n";
  }

  /** Files of which one says something else. */
  private record Replaced(ConfigSource files, String path, String text) implements ConfigSource {
    @Override
    public @Nullable String read(String wanted) {
      return wanted.equals(path) ? text : files.read(wanted);
    }

    @Override
    public List<String> list(String directory) {
      return files.list(directory);
    }
  }
}
