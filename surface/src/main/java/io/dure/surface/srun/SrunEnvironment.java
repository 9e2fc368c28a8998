package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionArgument;
import io.dure.surface.sbatch.SbatchSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment variables that stand for options of {@code srun}. A job's script has many of them
 * from its submission, so its steps ask for what it asked for.
 */
public final class SrunEnvironment {
  private record Variable(String name, SrunOption option) {}

  /** In the order in which they are read; the later of two for one option wins. */
  private static final List<Variable> VARIABLES =
      List.of(
          new Variable("SLURM_ACCOUNT", SrunOption.ACCOUNT),
          new Variable("SLURM_ACCTG_FREQ", SrunOption.ACCTG_FREQ),
          new Variable("SLURM_BCAST", SrunOption.BCAST),
          new Variable("SLURM_CLUSTERS", SrunOption.CLUSTERS),
          new Variable("SLURM_COMPRESS", SrunOption.COMPRESS),
          new Variable("SLURM_CONSTRAINT", SrunOption.CONSTRAINT),
          new Variable("SLURM_CONTAINER", SrunOption.CONTAINER),
          new Variable("SLURM_CONTAINER_IMAGE", SrunOption.CONTAINER_IMAGE),
          new Variable("SLURM_CONTAINER_MOUNTS", SrunOption.CONTAINER_MOUNTS),
          new Variable("SLURM_CONTAINER_WORKDIR", SrunOption.CONTAINER_WORKDIR),
          new Variable("SLURM_CORE_SPEC", SrunOption.CORE_SPEC),
          new Variable("SLURM_CPU_BIND", SrunOption.CPU_BIND),
          new Variable("SLURM_CPU_FREQ_REQ", SrunOption.CPU_FREQ),
          new Variable("SLURM_CPUS_PER_GPU", SrunOption.CPUS_PER_GPU),
          new Variable("SLURM_CPUS_PER_TASK", SrunOption.CPUS_PER_TASK),
          new Variable("SRUN_CPUS_PER_TASK", SrunOption.CPUS_PER_TASK),
          new Variable("SLURM_DELAY_BOOT", SrunOption.DELAY_BOOT),
          new Variable("SLURM_DEPENDENCY", SrunOption.DEPENDENCY),
          new Variable("SLURM_DISABLE_STATUS", SrunOption.DISABLE_STATUS),
          new Variable("SLURM_DISTRIBUTION", SrunOption.DISTRIBUTION),
          new Variable("SLURM_EPILOG", SrunOption.EPILOG),
          new Variable("SLURM_EXACT", SrunOption.EXACT),
          new Variable("SLURM_EXCLUSIVE", SrunOption.EXCLUSIVE),
          new Variable("SLURM_EXPORT_ENV", SrunOption.EXPORT),
          new Variable("SRUN_EXPORT_ENV", SrunOption.EXPORT),
          new Variable("SLURM_GPU_BIND", SrunOption.GPU_BIND),
          new Variable("SLURM_GPU_FREQ", SrunOption.GPU_FREQ),
          new Variable("SLURM_GPUS", SrunOption.GPUS),
          new Variable("SLURM_GPUS_PER_NODE", SrunOption.GPUS_PER_NODE),
          new Variable("SLURM_GPUS_PER_TASK", SrunOption.GPUS_PER_TASK),
          new Variable("SLURM_GRES", SrunOption.GRES),
          new Variable("SLURM_GRES_FLAGS", SrunOption.GRES_FLAGS),
          new Variable("SLURM_HINT", SrunOption.HINT),
          new Variable("SLURM_IMMEDIATE", SrunOption.IMMEDIATE),
          new Variable("SLURM_INTERACTIVE", SrunOption.INTERACTIVE),
          new Variable("SLURM_JOB_ID", SrunOption.JOBID),
          new Variable("SLURM_JOB_NAME", SrunOption.JOB_NAME),
          new Variable("SLURM_KILL_BAD_EXIT", SrunOption.KILL_ON_BAD_EXIT),
          new Variable("SLURM_LABELIO", SrunOption.LABEL),
          new Variable("SLURM_MEM_BIND", SrunOption.MEM_BIND),
          new Variable("SLURM_MEM_PER_CPU", SrunOption.MEM_PER_CPU),
          new Variable("SLURM_MEM_PER_GPU", SrunOption.MEM_PER_GPU),
          new Variable("SLURM_MEM_PER_NODE", SrunOption.MEM),
          new Variable("SLURM_MPI_TYPE", SrunOption.MPI),
          new Variable("SLURM_NETWORK", SrunOption.NETWORK),
          new Variable("SLURM_NO_KILL", SrunOption.NO_KILL),
          new Variable("SLURM_NNODES", SrunOption.NODES),
          new Variable("SLURM_NPROCS", SrunOption.NTASKS),
          new Variable("SLURM_NTASKS", SrunOption.NTASKS),
          new Variable("SLURM_NTASKS_PER_CORE", SrunOption.NTASKS_PER_CORE),
          new Variable("SLURM_NTASKS_PER_GPU", SrunOption.NTASKS_PER_GPU),
          new Variable("SLURM_NTASKS_PER_NODE", SrunOption.NTASKS_PER_NODE),
          new Variable("SLURM_NTASKS_PER_SOCKET", SrunOption.NTASKS_PER_SOCKET),
          new Variable("SLURM_OPEN_MODE", SrunOption.OPEN_MODE),
          new Variable("SLURM_OVERCOMMIT", SrunOption.OVERCOMMIT),
          new Variable("SLURM_OVERLAP", SrunOption.OVERLAP),
          new Variable("SLURM_PARTITION", SrunOption.PARTITION),
          new Variable("SLURM_PROFILE", SrunOption.PROFILE),
          new Variable("SLURM_PROLOG", SrunOption.PROLOG),
          new Variable("SLURM_QOS", SrunOption.QOS),
          new Variable("SLURM_REMOTE_CWD", SrunOption.CHDIR),
          new Variable("SLURM_WORKING_DIR", SrunOption.CHDIR),
          new Variable("SLURM_REQ_SWITCH", SrunOption.SWITCHES),
          new Variable("SLURM_RESERVATION", SrunOption.RESERVATION),
          new Variable("SLURM_RESV_PORTS", SrunOption.RESV_PORTS),
          new Variable("SLURM_SIGNAL", SrunOption.SIGNAL),
          new Variable("SLURM_SPREAD_JOB", SrunOption.SPREAD_JOB),
          new Variable("SLURM_STDERRMODE", SrunOption.ERROR),
          new Variable("SLURM_STDINMODE", SrunOption.INPUT),
          new Variable("SLURM_STDOUTMODE", SrunOption.OUTPUT),
          new Variable("SLURM_TASK_EPILOG", SrunOption.TASK_EPILOG),
          new Variable("SLURM_TASK_PROLOG", SrunOption.TASK_PROLOG),
          new Variable("SLURM_THREAD_SPEC", SrunOption.THREAD_SPEC),
          new Variable("SLURM_THREADS", SrunOption.THREADS),
          new Variable("SLURM_THREADS_PER_CORE", SrunOption.THREADS_PER_CORE),
          new Variable("SLURM_TIMELIMIT", SrunOption.TIME),
          new Variable("SLURM_TRES_BIND", SrunOption.TRES_BIND),
          new Variable("SLURM_TRES_PER_TASK", SrunOption.TRES_PER_TASK),
          new Variable("SLURM_UNBUFFEREDIO", SrunOption.UNBUFFERED),
          new Variable("SLURM_USE_MIN_NODES", SrunOption.USE_MIN_NODES),
          new Variable("SLURM_WAIT", SrunOption.WAIT),
          new Variable("SLURM_WCKEY", SrunOption.WCKEY),
          new Variable("SLURM_WHOLE", SrunOption.WHOLE));

  /** Whose values other than 0 set them. */
  private static final Set<SrunOption> SWITCHES =
      Set.of(
          SrunOption.DISABLE_STATUS,
          SrunOption.EXACT,
          SrunOption.LABEL,
          SrunOption.OVERCOMMIT,
          SrunOption.OVERLAP,
          SrunOption.SPREAD_JOB,
          SrunOption.UNBUFFERED,
          SrunOption.USE_MIN_NODES,
          SrunOption.WHOLE);

  private SrunEnvironment() {}

  /** Sets the options that variables stand for. */
  public static void apply(Map<String, String> environment, SrunSettings settings)
      throws CommandException {
    for (Variable variable : VARIABLES) {
      String text = environment.get(variable.name());
      if (text == null || text.isEmpty()) {
        continue;
      }
      boolean off = SWITCHES.contains(variable.option()) && (text.equals("0") || text.equals("no"));
      if (!off) {
        boolean plain = OptionArgument.of(variable.option().form()) == OptionArgument.NONE;
        settings.set(
            variable.option(),
            variable.name(),
            plain ? null : text,
            SbatchSettings.Source.ENVIRONMENT);
      }
    }
    settings.shared().waitForSwitches(environment.get("SLURM_WAIT4SWITCH"));
  }
}
