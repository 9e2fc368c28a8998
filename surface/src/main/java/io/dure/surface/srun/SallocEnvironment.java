package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionArgument;
import io.dure.surface.sbatch.OptionVariables;
import io.dure.surface.sbatch.SbatchSettings;
import java.util.List;
import java.util.Map;

/** The environment variables that stand for options of {@code salloc}. */
public final class SallocEnvironment {
  private static final OptionVariables<SallocOption> VARIABLES =
      new OptionVariables<>(
          "SALLOC_",
          List.of(
              new OptionVariables.Variable<>("SALLOC_ACCOUNT", SallocOption.ACCOUNT),
              new OptionVariables.Variable<>("SALLOC_ACCTG_FREQ", SallocOption.ACCTG_FREQ),
              new OptionVariables.Variable<>("SALLOC_BELL", SallocOption.BELL),
              new OptionVariables.Variable<>("SALLOC_BURST_BUFFER", SallocOption.BB),
              new OptionVariables.Variable<>(
                  "SALLOC_CLUSTER_CONSTRAINT", SallocOption.CLUSTER_CONSTRAINT),
              new OptionVariables.Variable<>("SALLOC_CLUSTERS", SallocOption.CLUSTERS),
              new OptionVariables.Variable<>("SLURM_CLUSTERS", SallocOption.CLUSTERS),
              new OptionVariables.Variable<>("SALLOC_CONSTRAINT", SallocOption.CONSTRAINT),
              new OptionVariables.Variable<>("SALLOC_CONTAINER", SallocOption.CONTAINER),
              new OptionVariables.Variable<>("SALLOC_CONTAINER_ID", SallocOption.CONTAINER_ID),
              new OptionVariables.Variable<>("SALLOC_CORE_SPEC", SallocOption.CORE_SPEC),
              new OptionVariables.Variable<>("SALLOC_CPU_FREQ_REQ", SallocOption.CPU_FREQ),
              new OptionVariables.Variable<>("SALLOC_CPUS_PER_GPU", SallocOption.CPUS_PER_GPU),
              new OptionVariables.Variable<>("SALLOC_DELAY_BOOT", SallocOption.DELAY_BOOT),
              new OptionVariables.Variable<>("SALLOC_EXCLUSIVE", SallocOption.EXCLUSIVE),
              new OptionVariables.Variable<>("SALLOC_GPU_BIND", SallocOption.GPU_BIND),
              new OptionVariables.Variable<>("SALLOC_GPU_FREQ", SallocOption.GPU_FREQ),
              new OptionVariables.Variable<>("SALLOC_GPUS", SallocOption.GPUS),
              new OptionVariables.Variable<>("SALLOC_GPUS_PER_NODE", SallocOption.GPUS_PER_NODE),
              new OptionVariables.Variable<>(
                  "SALLOC_GPUS_PER_SOCKET", SallocOption.GPUS_PER_SOCKET),
              new OptionVariables.Variable<>("SALLOC_GPUS_PER_TASK", SallocOption.GPUS_PER_TASK),
              new OptionVariables.Variable<>("SALLOC_GRES", SallocOption.GRES),
              new OptionVariables.Variable<>("SALLOC_GRES_FLAGS", SallocOption.GRES_FLAGS),
              new OptionVariables.Variable<>("SALLOC_HINT", SallocOption.HINT),
              new OptionVariables.Variable<>("SLURM_HINT", SallocOption.HINT),
              new OptionVariables.Variable<>("SALLOC_IMMEDIATE", SallocOption.IMMEDIATE),
              new OptionVariables.Variable<>("SALLOC_KILL_CMD", SallocOption.KILL_COMMAND),
              new OptionVariables.Variable<>("SALLOC_MEM_BIND", SallocOption.MEM_BIND),
              new OptionVariables.Variable<>("SALLOC_MEM_PER_CPU", SallocOption.MEM_PER_CPU),
              new OptionVariables.Variable<>("SALLOC_MEM_PER_GPU", SallocOption.MEM_PER_GPU),
              new OptionVariables.Variable<>("SALLOC_MEM_PER_NODE", SallocOption.MEM),
              new OptionVariables.Variable<>("SALLOC_NETWORK", SallocOption.NETWORK),
              new OptionVariables.Variable<>("SALLOC_NO_BELL", SallocOption.NO_BELL),
              new OptionVariables.Variable<>("SALLOC_NO_KILL", SallocOption.NO_KILL),
              new OptionVariables.Variable<>("SALLOC_OVERCOMMIT", SallocOption.OVERCOMMIT),
              new OptionVariables.Variable<>("SALLOC_PARTITION", SallocOption.PARTITION),
              new OptionVariables.Variable<>("SALLOC_PROFILE", SallocOption.PROFILE),
              new OptionVariables.Variable<>("SALLOC_QOS", SallocOption.QOS),
              new OptionVariables.Variable<>("SALLOC_REQ_SWITCH", SallocOption.SWITCHES),
              new OptionVariables.Variable<>("SALLOC_RESERVATION", SallocOption.RESERVATION),
              new OptionVariables.Variable<>("SALLOC_SEGMENT_SIZE", SallocOption.SEGMENT),
              new OptionVariables.Variable<>("SALLOC_SIGNAL", SallocOption.SIGNAL),
              new OptionVariables.Variable<>("SALLOC_SPREAD_JOB", SallocOption.SPREAD_JOB),
              new OptionVariables.Variable<>("SALLOC_THREAD_SPEC", SallocOption.THREAD_SPEC),
              new OptionVariables.Variable<>(
                  "SALLOC_THREADS_PER_CORE", SallocOption.THREADS_PER_CORE),
              new OptionVariables.Variable<>("SALLOC_TIMELIMIT", SallocOption.TIME),
              new OptionVariables.Variable<>("SALLOC_TRES_BIND", SallocOption.TRES_BIND),
              new OptionVariables.Variable<>("SALLOC_TRES_PER_TASK", SallocOption.TRES_PER_TASK),
              new OptionVariables.Variable<>("SALLOC_USE_MIN_NODES", SallocOption.USE_MIN_NODES),
              new OptionVariables.Variable<>("SALLOC_WAIT_ALL_NODES", SallocOption.WAIT_ALL_NODES),
              new OptionVariables.Variable<>("SALLOC_WCKEY", SallocOption.WCKEY)),
          option -> OptionArgument.of(option.form()),
          SallocEnvironment::isPlain);

  private SallocEnvironment() {}

  /** Sets the options that variables stand for. */
  public static void apply(Map<String, String> environment, SallocSettings settings)
      throws CommandException {
    VARIABLES.apply(
        environment,
        SallocOption.VERBOSE,
        (option, name, value) ->
            settings.set(option, name, value, SbatchSettings.Source.ENVIRONMENT));
    settings.shared().waitForSwitches(environment.get("SALLOC_WAIT4SWITCH"));
  }

  /** Seconds are a number, be it 1. */
  private static boolean isPlain(SallocOption option, String text) {
    boolean seconds = option == SallocOption.IMMEDIATE && text.equals("1");
    return OptionArgument.of(option.form()) == OptionArgument.OPTIONAL
        && OptionVariables.isFlag(text)
        && !seconds;
  }
}
