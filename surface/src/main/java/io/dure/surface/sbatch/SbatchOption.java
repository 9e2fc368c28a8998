package io.dure.surface.sbatch;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of batch submission, in the order in which ambiguous ones are listed. */
public enum SbatchOption {
  ACCOUNT("account", 'A', OptionArgument.REQUIRED, Support.BUILT),
  ACCTG_FREQ("acctg-freq", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  ARRAY("array", 'a', OptionArgument.REQUIRED, Support.BUILT),
  BATCH("batch", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  BB("bb", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  BBF("bbf", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  BEGIN("begin", 'b', OptionArgument.REQUIRED, Support.BUILT),
  CHDIR("chdir", 'D', OptionArgument.REQUIRED, Support.BUILT),
  CLUSTER_CONSTRAINT(
      "cluster-constraint", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  CLUSTERS("clusters", 'M', OptionArgument.REQUIRED, Support.BUILT),
  COMMENT("comment", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  CONSOLIDATE_SEGMENTS(
      "consolidate-segments", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.NOT_YET),
  CONSTRAINT("constraint", 'C', OptionArgument.REQUIRED, Support.BUILT),
  CONTAINER("container", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  CONTAINER_ID("container-id", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  CONTAINER_TYPE("container-type", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  CONTEXT("context", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  CONTIGUOUS("contiguous", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  CORE_SPEC("core-spec", 'S', OptionArgument.REQUIRED, Support.BUILT),
  CORES_PER_SOCKET(
      "cores-per-socket", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  CPU_FREQ("cpu-freq", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  CPUS_PER_GPU("cpus-per-gpu", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  CPUS_PER_TASK("cpus-per-task", 'c', OptionArgument.REQUIRED, Support.BUILT),
  DEADLINE("deadline", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  DELAY_BOOT("delay-boot", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  DEPENDENCY("dependency", 'd', OptionArgument.REQUIRED, Support.BUILT),
  DISTRIBUTION("distribution", 'm', OptionArgument.REQUIRED, Support.BUILT),
  ERROR("error", 'e', OptionArgument.REQUIRED, Support.BUILT),
  EXCLUDE("exclude", 'x', OptionArgument.REQUIRED, Support.BUILT),
  EXCLUSIVE("exclusive", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, Support.BUILT),
  EXPORT("export", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  EXPORT_FILE("export-file", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  EXTERNAL("external", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.NOT_YET),
  EXTRA("extra", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  EXTRA_NODE_INFO("extra-node-info", 'B', OptionArgument.REQUIRED, Support.BUILT),
  GET_USER_ENV("get-user-env", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  GID("gid", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  GPU_BIND("gpu-bind", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  GPU_FREQ("gpu-freq", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  GPUS("gpus", 'G', OptionArgument.REQUIRED, Support.BUILT),
  GPUS_PER_NODE("gpus-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  GPUS_PER_SOCKET("gpus-per-socket", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  GPUS_PER_TASK("gpus-per-task", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  GRES("gres", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  GRES_FLAGS("gres-flags", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  HELP("help", 'h', OptionArgument.NONE, Support.BUILT),
  HINT("hint", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  HOLD("hold", 'H', OptionArgument.NONE, Support.BUILT),
  IGNORE_PBS("ignore-pbs", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  INPUT("input", 'i', OptionArgument.REQUIRED, Support.BUILT),
  JOB_NAME("job-name", 'J', OptionArgument.REQUIRED, Support.BUILT),
  KILL_ON_INVALID_DEP(
      "kill-on-invalid-dep", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  LICENSES("licenses", 'L', OptionArgument.REQUIRED, Support.BUILT),
  MAIL_TYPE("mail-type", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  MAIL_USER("mail-user", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  MCS_LABEL("mcs-label", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  MEM("mem", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  MEM_BIND("mem-bind", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  MEM_PER_CPU("mem-per-cpu", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  MEM_PER_GPU("mem-per-gpu", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  MEM_UPDATE("mem-update", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  MINCPUS("mincpus", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  NETWORK("network", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  NICE("nice", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, Support.BUILT),
  NO_KILL("no-kill", 'k', OptionArgument.OPTIONAL, Support.NOT_YET),
  NO_REQUEUE("no-requeue", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  NODEFILE("nodefile", 'F', OptionArgument.REQUIRED, Support.BUILT),
  NODELIST("nodelist", 'w', OptionArgument.REQUIRED, Support.BUILT),
  NODES("nodes", 'N', OptionArgument.REQUIRED, Support.BUILT),
  NTASKS("ntasks", 'n', OptionArgument.REQUIRED, Support.BUILT),
  NTASKS_PER_CORE("ntasks-per-core", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  NTASKS_PER_GPU("ntasks-per-gpu", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  NTASKS_PER_NODE("ntasks-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  NTASKS_PER_SOCKET(
      "ntasks-per-socket", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  OOM_KILL_STEP("oom-kill-step", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, Support.NOT_YET),
  OPEN_MODE("open-mode", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  OUTPUT("output", 'o', OptionArgument.REQUIRED, Support.BUILT),
  OVERCOMMIT("overcommit", 'O', OptionArgument.NONE, Support.BUILT),
  OVERSUBSCRIBE("oversubscribe", 's', OptionArgument.NONE, Support.BUILT),
  PARSABLE("parsable", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  PARTITION("partition", 'p', OptionArgument.REQUIRED, Support.BUILT),
  PREFER("prefer", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  PRIORITY("priority", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  PROFILE("profile", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  PROPAGATE("propagate", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, Support.BUILT),
  QOS("qos", 'q', OptionArgument.REQUIRED, Support.BUILT),
  QUIET("quiet", 'Q', OptionArgument.NONE, Support.BUILT),
  REBOOT("reboot", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.NOT_YET),
  REQUEUE("requeue", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, Support.BUILT),
  RESERVATION("reservation", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  RESOURCES("resources", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  RESV_PORTS("resv-ports", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL, Support.NOT_YET),
  SEGMENT("segment", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  SIGNAL("signal", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  SOCKETS_PER_NODE(
      "sockets-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  SPREAD_JOB("spread-job", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  SPREAD_SEGMENTS("spread-segments", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.NOT_YET),
  STEPMGR("stepmgr", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.NOT_YET),
  SWITCHES("switches", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  TEST_ONLY("test-only", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  THREAD_SPEC("thread-spec", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  THREADS_PER_CORE(
      "threads-per-core", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  TIME("time", 't', OptionArgument.REQUIRED, Support.BUILT),
  TIME_MIN("time-min", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  TMP("tmp", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  TRES_BIND("tres-bind", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  TRES_PER_TASK("tres-per-task", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  UID("uid", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT),
  USAGE("usage", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  USE_MIN_NODES("use-min-nodes", OptionSpec.NO_LETTER, OptionArgument.NONE, Support.BUILT),
  VERBOSE("verbose", 'v', OptionArgument.NONE, Support.BUILT),
  VERSION("version", 'V', OptionArgument.NONE, Support.BUILT),
  WAIT("wait", 'W', OptionArgument.NONE, Support.BUILT),
  WAIT_ALL_NODES("wait-all-nodes", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  WCKEY("wckey", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.NOT_YET),
  WRAP("wrap", OptionSpec.NO_LETTER, OptionArgument.REQUIRED, Support.BUILT);

  /** Whether the effect of an option exists. */
  enum Support {
    /** The option does what it says. */
    BUILT,
    /** The option is read and refused, so that nobody relies on what does not happen. */
    NOT_YET
  }

  private static final List<OptionSpec<SbatchOption>> TABLE = table();

  private final String longName;
  private final char letter;
  private final OptionArgument argument;
  private final Support support;

  SbatchOption(String longName, char letter, OptionArgument argument, Support support) {
    this.longName = longName;
    this.letter = letter;
    this.argument = argument;
    this.support = support;
  }

  /** The long name without dashes. */
  public String longName() {
    return longName;
  }

  OptionArgument argument() {
    return argument;
  }

  public boolean isBuilt() {
    return support == Support.BUILT;
  }

  /** All names, other spellings included. */
  public static List<OptionSpec<SbatchOption>> specs() {
    return TABLE;
  }

  private static List<OptionSpec<SbatchOption>> table() {
    List<OptionSpec<SbatchOption>> specs = new ArrayList<>();
    for (SbatchOption option : values()) {
      specs.add(new OptionSpec<>(option, option.longName, option.letter, option.argument));
    }
    specs.add(
        new OptionSpec<>(
            NTASKS_PER_NODE, "tasks-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED));
    return List.copyOf(specs);
  }
}
