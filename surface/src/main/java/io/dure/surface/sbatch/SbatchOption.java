package io.dure.surface.sbatch;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionKey;
import io.dure.surface.option.OptionSpec;
import java.util.ArrayList;
import java.util.List;

/** The options of batch submission, in the order in which ambiguous ones are listed. */
public enum SbatchOption implements OptionKey {
  ACCOUNT("-A --account="),
  ACCTG_FREQ("--acctg-freq="),
  ARRAY("-a --array="),
  BATCH("--batch="),
  BB("--bb="),
  BBF("--bbf="),
  BEGIN("-b --begin="),
  CHDIR("-D --chdir="),
  CLUSTER_CONSTRAINT("--cluster-constraint="),
  CLUSTERS("-M --clusters="),
  COMMENT("--comment="),
  CONSOLIDATE_SEGMENTS("--consolidate-segments"),
  CONSTRAINT("-C --constraint=", Trait.OF_COMPONENT),
  CONTAINER("--container="),
  CONTAINER_ID("--container-id="),
  CONTAINER_IMAGE("--container-image="),
  CONTAINER_MOUNTS("--container-mounts="),
  CONTAINER_TYPE("--container-type="),
  CONTAINER_WORKDIR("--container-workdir="),
  CONTEXT("--context=", Trait.ABSENT),
  CONTIGUOUS("--contiguous", Trait.OF_COMPONENT),
  CORE_SPEC("-S --core-spec=", Trait.OF_COMPONENT),
  CORES_PER_SOCKET("--cores-per-socket=", Trait.OF_COMPONENT),
  CPU_FREQ("--cpu-freq="),
  CPUS_PER_GPU("--cpus-per-gpu=", Trait.OF_COMPONENT),
  CPUS_PER_TASK("-c --cpus-per-task=", Trait.OF_COMPONENT),
  DEADLINE("--deadline="),
  DELAY_BOOT("--delay-boot="),
  DEPENDENCY("-d --dependency="),
  DISTRIBUTION("-m --distribution="),
  ERROR("-e --error="),
  EXCLUDE("-x --exclude="),
  EXCLUSIVE("--exclusive[=]", Trait.OF_COMPONENT),
  EXPORT("--export="),
  EXPORT_FILE("--export-file="),
  EXTERNAL("--external", Trait.ABSENT),
  EXTRA("--extra="),
  EXTRA_NODE_INFO("-B --extra-node-info=", Trait.OF_COMPONENT),
  GET_USER_ENV("--get-user-env[=]"),
  GID("--gid="),
  GPU_BIND("--gpu-bind="),
  GPU_FREQ("--gpu-freq="),
  GPUS("-G --gpus=", Trait.OF_COMPONENT),
  GPUS_PER_NODE("--gpus-per-node=", Trait.OF_COMPONENT),
  GPUS_PER_SOCKET("--gpus-per-socket=", Trait.OF_COMPONENT),
  GPUS_PER_TASK("--gpus-per-task=", Trait.OF_COMPONENT),
  GRES("--gres=", Trait.OF_COMPONENT),
  GRES_FLAGS("--gres-flags="),
  HELP("-h --help"),
  HINT("--hint="),
  HOLD("-H --hold"),
  IGNORE_PBS("--ignore-pbs"),
  INPUT("-i --input="),
  JOB_NAME("-J --job-name="),
  KILL_ON_INVALID_DEP("--kill-on-invalid-dep="),
  LICENSES("-L --licenses=", Trait.OF_COMPONENT),
  MAIL_TYPE("--mail-type=", Trait.OF_COMPONENT),
  MAIL_USER("--mail-user=", Trait.OF_COMPONENT),
  MCS_LABEL("--mcs-label="),
  MEM("--mem="),
  MEM_BIND("--mem-bind="),
  MEM_PER_CPU("--mem-per-cpu=", Trait.OF_COMPONENT),
  MEM_PER_GPU("--mem-per-gpu=", Trait.OF_COMPONENT),
  MEM_UPDATE("--mem-update=", Trait.ABSENT),
  MINCPUS("--mincpus=", Trait.OF_COMPONENT),
  NETWORK("--network="),
  NICE("--nice[=]"),
  NO_KILL("-k --no-kill[=]"),
  NO_REQUEUE("--no-requeue"),
  NODEFILE("-F --nodefile=", Trait.OF_COMPONENT),
  NODELIST("-w --nodelist=", Trait.OF_COMPONENT),
  NODES("-N --nodes=", Trait.OF_COMPONENT),
  NTASKS("-n --ntasks=", Trait.OF_COMPONENT),
  NTASKS_PER_CORE("--ntasks-per-core=", Trait.OF_COMPONENT),
  NTASKS_PER_GPU("--ntasks-per-gpu=", Trait.OF_COMPONENT),
  NTASKS_PER_NODE("--ntasks-per-node=", Trait.OF_COMPONENT),
  NTASKS_PER_SOCKET("--ntasks-per-socket=", Trait.OF_COMPONENT),
  OOM_KILL_STEP("--oom-kill-step[=]"),
  OPEN_MODE("--open-mode="),
  OUTPUT("-o --output="),
  OVERCOMMIT("-O --overcommit"),
  OVERSUBSCRIBE("-s --oversubscribe", Trait.OF_COMPONENT),
  PARSABLE("--parsable"),
  PARTITION("-p --partition=", Trait.OF_COMPONENT),
  PREFER("--prefer="),
  PRIORITY("--priority="),
  PROFILE("--profile="),
  PROPAGATE("--propagate[=]"),
  QOS("-q --qos="),
  QUIET("-Q --quiet"),
  REBOOT("--reboot"),
  REQUEUE("--requeue[=]"),
  RESERVATION("--reservation="),
  RESOURCES("--resources=", Trait.ABSENT),
  RESV_PORTS("--resv-ports[=]"),
  SEGMENT("--segment="),
  SIGNAL("--signal="),
  SOCKETS_PER_NODE("--sockets-per-node=", Trait.OF_COMPONENT),
  SPREAD_JOB("--spread-job", Trait.OF_COMPONENT),
  SPREAD_SEGMENTS("--spread-segments"),
  STEPMGR("--stepmgr", Trait.ABSENT),
  SWITCHES("--switches=", Trait.OF_COMPONENT),
  TEST_ONLY("--test-only"),
  THREAD_SPEC("--thread-spec=", Trait.OF_COMPONENT),
  THREADS_PER_CORE("--threads-per-core=", Trait.OF_COMPONENT),
  TIME("-t --time="),
  TIME_MIN("--time-min="),
  TMP("--tmp=", Trait.OF_COMPONENT),
  TRES_BIND("--tres-bind="),
  TRES_PER_TASK("--tres-per-task="),
  UID("--uid="),
  USAGE("--usage"),
  USE_MIN_NODES("--use-min-nodes"),
  VERBOSE("-v --verbose"),
  VERSION("-V --version"),
  WAIT("-W --wait"),
  WAIT_ALL_NODES("--wait-all-nodes="),
  WCKEY("--wckey="),
  WRAP("--wrap=");

  /** What few options are. */
  enum Trait {
    NONE,
    /** It needs what this cluster does not have, and is refused as Slurm refuses it there. */
    ABSENT,
    /** Each component of a heterogeneous job asks for it anew, as Slurm has it. */
    OF_COMPONENT
  }

  private static final List<OptionSpec<SbatchOption>> TABLE = table();

  private final String form;
  private final String longName;
  private final Trait trait;

  SbatchOption(String form) {
    this(form, Trait.NONE);
  }

  SbatchOption(String form, Trait trait) {
    this.form = form;
    this.longName = OptionArgument.of(form).without(form.substring(form.indexOf("--") + 2));
    this.trait = trait;
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

  /** Whether a cluster without the plugin that follows it refuses it. */
  boolean isAbsent() {
    return trait == Trait.ABSENT;
  }

  boolean isOfComponent() {
    return trait == Trait.OF_COMPONENT;
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
