package io.dure.surface.srun;

import io.dure.surface.option.OptionArgument;
import io.dure.surface.option.OptionKey;
import io.dure.surface.option.OptionSpec;
import io.dure.surface.sbatch.SbatchOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of {@code salloc}, in the order in which ambiguous ones are listed. */
public enum SallocOption implements OptionKey {
  ACCOUNT(SbatchOption.ACCOUNT),
  ACCTG_FREQ(SbatchOption.ACCTG_FREQ),
  BB(SbatchOption.BB),
  BBF(SbatchOption.BBF),
  BEGIN(SbatchOption.BEGIN),
  BELL("--bell"),
  CHDIR(SbatchOption.CHDIR),
  CLUSTERS(SbatchOption.CLUSTERS),
  CLUSTER_CONSTRAINT(SbatchOption.CLUSTER_CONSTRAINT),
  COMMENT(SbatchOption.COMMENT),
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
  CPU_FREQ(SbatchOption.CPU_FREQ),
  DEADLINE(SbatchOption.DEADLINE),
  DELAY_BOOT(SbatchOption.DELAY_BOOT),
  DEPENDENCY(SbatchOption.DEPENDENCY),
  DISTRIBUTION(SbatchOption.DISTRIBUTION),
  EXCLUDE(SbatchOption.EXCLUDE),
  EXCLUSIVE(SbatchOption.EXCLUSIVE),
  EXTRA(SbatchOption.EXTRA),
  EXTRA_NODE_INFO(SbatchOption.EXTRA_NODE_INFO),
  GET_USER_ENV(SbatchOption.GET_USER_ENV),
  GID(SbatchOption.GID),
  GPUS(SbatchOption.GPUS),
  GPUS_PER_NODE(SbatchOption.GPUS_PER_NODE),
  GPUS_PER_SOCKET(SbatchOption.GPUS_PER_SOCKET),
  GPUS_PER_TASK(SbatchOption.GPUS_PER_TASK),
  GPU_BIND(SbatchOption.GPU_BIND),
  GPU_FREQ(SbatchOption.GPU_FREQ),
  GRES(SbatchOption.GRES),
  GRES_FLAGS(SbatchOption.GRES_FLAGS),
  HELP("-h --help"),
  HINT(SbatchOption.HINT),
  HOLD(SbatchOption.HOLD),
  IMMEDIATE("-I --immediate[=]"),
  JOB_NAME(SbatchOption.JOB_NAME),
  KILL_COMMAND("-K --kill-command[=]"),
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
  NETWORK(SbatchOption.NETWORK),
  NICE(SbatchOption.NICE),
  NODEFILE(SbatchOption.NODEFILE),
  NODELIST(SbatchOption.NODELIST),
  NODES(SbatchOption.NODES),
  NO_BELL("--no-bell"),
  NO_KILL(SbatchOption.NO_KILL),
  NO_SHELL("--no-shell"),
  NTASKS(SbatchOption.NTASKS),
  NTASKS_PER_CORE(SbatchOption.NTASKS_PER_CORE),
  NTASKS_PER_GPU(SbatchOption.NTASKS_PER_GPU),
  NTASKS_PER_NODE(SbatchOption.NTASKS_PER_NODE),
  NTASKS_PER_SOCKET(SbatchOption.NTASKS_PER_SOCKET),
  OOM_KILL_STEP(SbatchOption.OOM_KILL_STEP),
  OVERCOMMIT(SbatchOption.OVERCOMMIT),
  OVERSUBSCRIBE(SbatchOption.OVERSUBSCRIBE),
  PARTITION(SbatchOption.PARTITION),
  PREFER(SbatchOption.PREFER),
  PRIORITY(SbatchOption.PRIORITY),
  PROFILE(SbatchOption.PROFILE),
  QOS(SbatchOption.QOS),
  QUIET(SbatchOption.QUIET),
  REBOOT(SbatchOption.REBOOT),
  RESERVATION(SbatchOption.RESERVATION),
  RESOURCES(SbatchOption.RESOURCES),
  RESV_PORTS(SbatchOption.RESV_PORTS),
  SEGMENT(SbatchOption.SEGMENT),
  SIGNAL(SbatchOption.SIGNAL),
  SOCKETS_PER_NODE(SbatchOption.SOCKETS_PER_NODE),
  SPREAD_JOB(SbatchOption.SPREAD_JOB),
  SPREAD_SEGMENTS(SbatchOption.SPREAD_SEGMENTS),
  STEPMGR(SbatchOption.STEPMGR),
  SWITCHES(SbatchOption.SWITCHES),
  THREADS_PER_CORE(SbatchOption.THREADS_PER_CORE),
  THREAD_SPEC(SbatchOption.THREAD_SPEC),
  TIME(SbatchOption.TIME),
  TIME_MIN(SbatchOption.TIME_MIN),
  TMP(SbatchOption.TMP),
  TRES_BIND(SbatchOption.TRES_BIND),
  TRES_PER_TASK(SbatchOption.TRES_PER_TASK),
  UID(SbatchOption.UID),
  USAGE("--usage"),
  USE_MIN_NODES(SbatchOption.USE_MIN_NODES),
  VERBOSE(SbatchOption.VERBOSE),
  VERSION("-V --version"),
  WAIT_ALL_NODES(SbatchOption.WAIT_ALL_NODES),
  WCKEY(SbatchOption.WCKEY),
  X11("--x11[=]");

  private static final List<OptionSpec<SallocOption>> TABLE = table();

  private final String form;
  private final @Nullable SbatchOption shared;

  SallocOption(String form) {
    this.form = form;
    this.shared = null;
  }

  SallocOption(SbatchOption shared) {
    this.form = shared.form();
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
  public static List<OptionSpec<SallocOption>> specs() {
    return TABLE;
  }

  private static List<OptionSpec<SallocOption>> table() {
    List<OptionSpec<SallocOption>> specs = new ArrayList<>(OptionSpec.table(values()));
    specs.add(
        new OptionSpec<>(
            NTASKS_PER_NODE, "tasks-per-node", OptionSpec.NO_LETTER, OptionArgument.REQUIRED));
    return List.copyOf(specs);
  }
}
