package io.dure.surface.sbatch;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionKey;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of batch submission, in the order in which ambiguous ones are listed. */
public enum SbatchOption implements OptionKey {
  ACCOUNT("-A --account="),
  ACCTG_FREQ("--acctg-freq=", Support.NOT_YET),
  ARRAY("-a --array="),
  BATCH("--batch=", Support.NOT_YET),
  BB("--bb=", Support.NOT_YET),
  BBF("--bbf=", Support.NOT_YET),
  BEGIN("-b --begin="),
  CHDIR("-D --chdir="),
  CLUSTER_CONSTRAINT("--cluster-constraint=", Support.NOT_YET),
  CLUSTERS("-M --clusters="),
  COMMENT("--comment="),
  CONSOLIDATE_SEGMENTS("--consolidate-segments", Support.NOT_YET),
  CONSTRAINT("-C --constraint="),
  CONTAINER("--container=", Support.NOT_YET),
  CONTAINER_ID("--container-id=", Support.NOT_YET),
  CONTAINER_TYPE("--container-type=", Support.NOT_YET),
  CONTEXT("--context=", Support.NOT_YET),
  CONTIGUOUS("--contiguous"),
  CORE_SPEC("-S --core-spec="),
  CORES_PER_SOCKET("--cores-per-socket="),
  CPU_FREQ("--cpu-freq=", Support.NOT_YET),
  CPUS_PER_GPU("--cpus-per-gpu="),
  CPUS_PER_TASK("-c --cpus-per-task="),
  DEADLINE("--deadline="),
  DELAY_BOOT("--delay-boot=", Support.NOT_YET),
  DEPENDENCY("-d --dependency="),
  DISTRIBUTION("-m --distribution="),
  ERROR("-e --error="),
  EXCLUDE("-x --exclude="),
  EXCLUSIVE("--exclusive[=]"),
  EXPORT("--export="),
  EXPORT_FILE("--export-file="),
  EXTERNAL("--external", Support.NOT_YET),
  EXTRA("--extra=", Support.NOT_YET),
  EXTRA_NODE_INFO("-B --extra-node-info="),
  GET_USER_ENV("--get-user-env"),
  GID("--gid=", Support.NOT_YET),
  GPU_BIND("--gpu-bind="),
  GPU_FREQ("--gpu-freq=", Support.NOT_YET),
  GPUS("-G --gpus="),
  GPUS_PER_NODE("--gpus-per-node="),
  GPUS_PER_SOCKET("--gpus-per-socket="),
  GPUS_PER_TASK("--gpus-per-task="),
  GRES("--gres="),
  GRES_FLAGS("--gres-flags="),
  HELP("-h --help"),
  HINT("--hint="),
  HOLD("-H --hold"),
  IGNORE_PBS("--ignore-pbs"),
  INPUT("-i --input="),
  JOB_NAME("-J --job-name="),
  KILL_ON_INVALID_DEP("--kill-on-invalid-dep="),
  LICENSES("-L --licenses="),
  MAIL_TYPE("--mail-type="),
  MAIL_USER("--mail-user="),
  MCS_LABEL("--mcs-label=", Support.NOT_YET),
  MEM("--mem="),
  MEM_BIND("--mem-bind="),
  MEM_PER_CPU("--mem-per-cpu="),
  MEM_PER_GPU("--mem-per-gpu="),
  MEM_UPDATE("--mem-update=", Support.NOT_YET),
  MINCPUS("--mincpus="),
  NETWORK("--network=", Support.NOT_YET),
  NICE("--nice[=]"),
  NO_KILL("-k --no-kill[=]", Support.NOT_YET),
  NO_REQUEUE("--no-requeue"),
  NODEFILE("-F --nodefile="),
  NODELIST("-w --nodelist="),
  NODES("-N --nodes="),
  NTASKS("-n --ntasks="),
  NTASKS_PER_CORE("--ntasks-per-core="),
  NTASKS_PER_GPU("--ntasks-per-gpu="),
  NTASKS_PER_NODE("--ntasks-per-node="),
  NTASKS_PER_SOCKET("--ntasks-per-socket="),
  OOM_KILL_STEP("--oom-kill-step[=]", Support.NOT_YET),
  OPEN_MODE("--open-mode="),
  OUTPUT("-o --output="),
  OVERCOMMIT("-O --overcommit"),
  OVERSUBSCRIBE("-s --oversubscribe"),
  PARSABLE("--parsable"),
  PARTITION("-p --partition="),
  PREFER("--prefer="),
  PRIORITY("--priority="),
  PROFILE("--profile=", Support.NOT_YET),
  PROPAGATE("--propagate[=]"),
  QOS("-q --qos="),
  QUIET("-Q --quiet"),
  REBOOT("--reboot", Support.NOT_YET),
  REQUEUE("--requeue[=]"),
  RESERVATION("--reservation="),
  RESOURCES("--resources=", Support.NOT_YET),
  RESV_PORTS("--resv-ports[=]", Support.NOT_YET),
  SEGMENT("--segment="),
  SIGNAL("--signal="),
  SOCKETS_PER_NODE("--sockets-per-node="),
  SPREAD_JOB("--spread-job"),
  SPREAD_SEGMENTS("--spread-segments", Support.NOT_YET),
  STEPMGR("--stepmgr", Support.NOT_YET),
  SWITCHES("--switches="),
  TEST_ONLY("--test-only"),
  THREAD_SPEC("--thread-spec="),
  THREADS_PER_CORE("--threads-per-core="),
  TIME("-t --time="),
  TIME_MIN("--time-min="),
  TMP("--tmp="),
  TRES_BIND("--tres-bind=", Support.NOT_YET),
  TRES_PER_TASK("--tres-per-task="),
  UID("--uid="),
  USAGE("--usage"),
  USE_MIN_NODES("--use-min-nodes"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  WAIT("-W --wait"),
  WAIT_ALL_NODES("--wait-all-nodes=", Support.NOT_YET),
  WCKEY("--wckey=", Support.NOT_YET),
  WRAP("--wrap=");

  /** Whether the effect of an option exists. */
  enum Support {
    /** The option does what it says. */
    BUILT,
    /** The option is read and refused, so that no user relies on what does not happen. */
    NOT_YET
  }

  private static final List<OptionSpec<SbatchOption>> TABLE = table();

  private final String form;
  private final String longName;
  private final Support support;

  SbatchOption(String form) {
    this(form, Support.BUILT);
  }

  SbatchOption(String form, Support support) {
    this.form = form;
    this.longName = OptionArgument.of(form).without(form.substring(form.indexOf("--") + 2));
    this.support = support;
  }

  @Override
  public String form() {
    return form;
  }

  /** The long name without dashes. */
  public String longName() {
    return longName;
  }

  OptionArgument argument() {
    return OptionArgument.of(form);
  }

  public boolean isBuilt() {
    return support == Support.BUILT;
  }

  /** All names, other spellings included. */
  public static List<OptionSpec<SbatchOption>> specs() {
    return TABLE;
  }

  private static List<OptionSpec<SbatchOption>> table() {
    List<OptionSpec<SbatchOption>> specs = new ArrayList<>(OptionSpec.table(values()));
    specs.add(
        new OptionSpec<>(
            NTASKS_PER_NODE, "tasks-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED));
    return List.copyOf(specs);
  }
}
