package io.dure.surface.srun;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionKey;
import io.dure.surface.option.OptionSpec;
import io.dure.surface.sbatch.SbatchOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of {@code srun}, in the order in which ambiguous ones are listed. */
public enum SrunOption implements OptionKey {
  ACCEL_BIND("--accel-bind="),
  ACCOUNT(SbatchOption.ACCOUNT),
  ACCTG_FREQ(SbatchOption.ACCTG_FREQ),
  ASYNC("--async"),
  BB(SbatchOption.BB),
  BBF(SbatchOption.BBF),
  BCAST("--bcast[=]"),
  BCAST_EXCLUDE("--bcast-exclude="),
  BEGIN(SbatchOption.BEGIN),
  CHDIR(SbatchOption.CHDIR),
  CLUSTERS(SbatchOption.CLUSTERS),
  CLUSTER_CONSTRAINT(SbatchOption.CLUSTER_CONSTRAINT),
  COMMENT(SbatchOption.COMMENT),
  COMPRESS("--compress[=]"),
  CONSOLIDATE_SEGMENTS(SbatchOption.CONSOLIDATE_SEGMENTS),
  CONSTRAINT(SbatchOption.CONSTRAINT),
  CONTAINER(SbatchOption.CONTAINER),
  CONTAINER_ID(SbatchOption.CONTAINER_ID),
  CONTAINER_IMAGE(SbatchOption.CONTAINER_IMAGE),
  CONTAINER_MOUNTS(SbatchOption.CONTAINER_MOUNTS),
  CONTAINER_TYPE(SbatchOption.CONTAINER_TYPE),
  CONTAINER_WORKDIR(SbatchOption.CONTAINER_WORKDIR),
  CONTEXT(SbatchOption.CONTEXT),
  CONTIGUOUS(SbatchOption.CONTIGUOUS),
  CORES_PER_SOCKET(SbatchOption.CORES_PER_SOCKET),
  CORE_SPEC(SbatchOption.CORE_SPEC),
  CPUS_PER_GPU(SbatchOption.CPUS_PER_GPU),
  CPUS_PER_TASK(SbatchOption.CPUS_PER_TASK),
  CPU_BIND("--cpu-bind="),
  CPU_FREQ(SbatchOption.CPU_FREQ),
  DEADLINE(SbatchOption.DEADLINE),
  DEBUGGER_TEST("--debugger-test"),
  DELAY_BOOT(SbatchOption.DELAY_BOOT),
  DEPENDENCY(SbatchOption.DEPENDENCY),
  DISABLE_STATUS("-X --disable-status"),
  DISTRIBUTION(SbatchOption.DISTRIBUTION),
  EPILOG("--epilog="),
  ERROR(SbatchOption.ERROR),
  EXACT("--exact"),
  EXCLUDE(SbatchOption.EXCLUDE),
  EXCLUSIVE("--exclusive[=]"),
  EXPORT(SbatchOption.EXPORT),
  EXTERNAL_LAUNCHER("--external-launcher[=]"),
  EXTRA(SbatchOption.EXTRA),
  EXTRA_NODE_INFO(SbatchOption.EXTRA_NODE_INFO),
  GID("--gid="),
  GPUS(SbatchOption.GPUS),
  GPUS_PER_NODE(SbatchOption.GPUS_PER_NODE),
  GPUS_PER_SOCKET(SbatchOption.GPUS_PER_SOCKET),
  GPUS_PER_TASK(SbatchOption.GPUS_PER_TASK),
  GPU_BIND(SbatchOption.GPU_BIND),
  GPU_FREQ(SbatchOption.GPU_FREQ),
  GRES(SbatchOption.GRES),
  GRES_FLAGS(SbatchOption.GRES_FLAGS),
  HELP("-h --help"),
  HET_GROUP("--het-group="),
  HINT(SbatchOption.HINT),
  HOLD(SbatchOption.HOLD),
  IGNORE_SIGNALS("--ignore-signals="),
  IMMEDIATE("-I --immediate[=]"),
  INPUT(SbatchOption.INPUT),
  INTERACTIVE("--interactive"),
  JOBID("--jobid="),
  JOB_NAME(SbatchOption.JOB_NAME),
  KILL_ON_BAD_EXIT("-K --kill-on-bad-exit[=]"),
  LABEL("-l --label"),
  LICENSES(SbatchOption.LICENSES),
  MAIL_TYPE(SbatchOption.MAIL_TYPE),
  MAIL_USER(SbatchOption.MAIL_USER),
  MCS_LABEL(SbatchOption.MCS_LABEL),
  MEM(SbatchOption.MEM),
  MEM_BIND(SbatchOption.MEM_BIND),
  MEM_PER_CPU(SbatchOption.MEM_PER_CPU),
  MEM_PER_GPU(SbatchOption.MEM_PER_GPU),
  MEM_UPDATE(SbatchOption.MEM_UPDATE),
  MINCPUS(SbatchOption.MINCPUS),
  MPI("--mpi="),
  MSG_TIMEOUT("--msg-timeout="),
  MULTI_PROG("--multi-prog"),
  NETWORK(SbatchOption.NETWORK),
  NICE(SbatchOption.NICE),
  NODEFILE(SbatchOption.NODEFILE),
  NODELIST(SbatchOption.NODELIST),
  NODES(SbatchOption.NODES),
  NO_ALLOCATE("-Z --no-allocate"),
  NO_KILL(SbatchOption.NO_KILL),
  NTASKS(SbatchOption.NTASKS),
  NTASKS_PER_CORE(SbatchOption.NTASKS_PER_CORE),
  NTASKS_PER_GPU(SbatchOption.NTASKS_PER_GPU),
  NTASKS_PER_NODE(SbatchOption.NTASKS_PER_NODE),
  NTASKS_PER_SOCKET(SbatchOption.NTASKS_PER_SOCKET),
  NTASKS_PER_TRES("--ntasks-per-tres=", SbatchOption.NTASKS_PER_GPU),
  OOM_KILL_STEP(SbatchOption.OOM_KILL_STEP),
  OPEN_MODE(SbatchOption.OPEN_MODE),
  OUTPUT(SbatchOption.OUTPUT),
  OVERCOMMIT(SbatchOption.OVERCOMMIT),
  OVERLAP("--overlap[=]"),
  OVERSUBSCRIBE(SbatchOption.OVERSUBSCRIBE),
  PARSABLE("--parsable"),
  PARTITION(SbatchOption.PARTITION),
  PREFER(SbatchOption.PREFER),
  PRESERVE_ENV("-E --preserve-env"),
  PRIORITY(SbatchOption.PRIORITY),
  PROFILE(SbatchOption.PROFILE),
  PROLOG("--prolog="),
  PROPAGATE(SbatchOption.PROPAGATE),
  PTY("--pty[=]"),
  QOS(SbatchOption.QOS),
  QUIET(SbatchOption.QUIET),
  QUIT_ON_INTERRUPT("--quit-on-interrupt"),
  REBOOT(SbatchOption.REBOOT),
  RELATIVE("-r --relative="),
  RESERVATION(SbatchOption.RESERVATION),
  RESOURCES(SbatchOption.RESOURCES),
  RESV_PORTS("--resv-ports[=]"),
  SEGMENT(SbatchOption.SEGMENT),
  SEND_LIBS("--send-libs[=]"),
  SIGNAL(SbatchOption.SIGNAL),
  SLURMD_DEBUG("--slurmd-debug="),
  SOCKETS_PER_NODE(SbatchOption.SOCKETS_PER_NODE),
  SPREAD_JOB(SbatchOption.SPREAD_JOB),
  SPREAD_SEGMENTS(SbatchOption.SPREAD_SEGMENTS),
  STEPMGR(SbatchOption.STEPMGR),
  SWITCHES(SbatchOption.SWITCHES),
  TASK_EPILOG("--task-epilog="),
  TASK_PROLOG("--task-prolog="),
  TEST_ONLY(SbatchOption.TEST_ONLY),
  THREADS("-T --threads="),
  THREADS_PER_CORE(SbatchOption.THREADS_PER_CORE),
  THREAD_SPEC(SbatchOption.THREAD_SPEC),
  TIME(SbatchOption.TIME),
  TIME_MIN(SbatchOption.TIME_MIN),
  TMP(SbatchOption.TMP),
  TREEWIDTH("--treewidth="),
  TRES_BIND(SbatchOption.TRES_BIND),
  TRES_PER_TASK(SbatchOption.TRES_PER_TASK),
  UID("--uid="),
  UNBUFFERED("-u --unbuffered"),
  USAGE("--usage"),
  USE_MIN_NODES(SbatchOption.USE_MIN_NODES),
  VERBOSE(SbatchOption.VERBOSE),
  VERSION("-V --version"),
  WAIT("-W --wait="),
  WAIT_FOR_CHILDREN("--wait-for-children"),
  WCKEY(SbatchOption.WCKEY),
  WHOLE("--whole"),
  X11("--x11[=]");

  private static final List<OptionSpec<SrunOption>> TABLE = table();

  private final String form;
  private final @Nullable SbatchOption shared;

  SrunOption(String form) {
    this(form, null);
  }

  SrunOption(SbatchOption shared) {
    this(shared.form(), shared);
  }

  /** An older name of what {@code sbatch} knows. */
  SrunOption(String form, @Nullable SbatchOption shared) {
    this.form = form;
    this.shared = shared;
  }

  @Override
  public String form() {
    return form;
  }

  /** How it is written out, with its dashes. */
  public String longName() {
    String name = form.substring(form.indexOf("--"));
    return OptionArgument.of(name).without(name);
  }

  /** The option of {@code sbatch} that says the same, null where there is none. */
  public @Nullable SbatchOption shared() {
    return shared;
  }

  /** All names, other spellings included. */
  public static List<OptionSpec<SrunOption>> specs() {
    return TABLE;
  }

  private static List<OptionSpec<SrunOption>> table() {
    List<OptionSpec<SrunOption>> specs = new ArrayList<>(OptionSpec.table(values()));
    specs.add(
        new OptionSpec<>(
            NTASKS_PER_NODE, "tasks-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED));
    return List.copyOf(specs);
  }
}
