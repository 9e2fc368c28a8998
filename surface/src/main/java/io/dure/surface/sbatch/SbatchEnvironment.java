package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionArgument;
import java.util.List;
import java.util.Map;

/** The environment variables that stand for options. */
public final class SbatchEnvironment {
  private static final OptionVariables<SbatchOption> VARIABLES =
      new OptionVariables<>(
          "SBATCH_",
          List.of(
              new OptionVariables.Variable<>("SBATCH_ACCOUNT", SbatchOption.ACCOUNT),
              new OptionVariables.Variable<>("SBATCH_ACCTG_FREQ", SbatchOption.ACCTG_FREQ),
              new OptionVariables.Variable<>("SBATCH_ARRAY_INX", SbatchOption.ARRAY),
              new OptionVariables.Variable<>("SBATCH_BATCH", SbatchOption.BATCH),
              new OptionVariables.Variable<>("SLURM_CLUSTERS", SbatchOption.CLUSTERS),
              new OptionVariables.Variable<>("SBATCH_CLUSTERS", SbatchOption.CLUSTERS),
              new OptionVariables.Variable<>("SBATCH_CONSTRAINT", SbatchOption.CONSTRAINT),
              new OptionVariables.Variable<>("SBATCH_CONTAINER", SbatchOption.CONTAINER),
              new OptionVariables.Variable<>("SBATCH_CONTAINER_ID", SbatchOption.CONTAINER_ID),
              new OptionVariables.Variable<>("SBATCH_CORE_SPEC", SbatchOption.CORE_SPEC),
              new OptionVariables.Variable<>("SBATCH_CPUS_PER_GPU", SbatchOption.CPUS_PER_GPU),
              new OptionVariables.Variable<>("SBATCH_DELAY_BOOT", SbatchOption.DELAY_BOOT),
              new OptionVariables.Variable<>("SBATCH_DISTRIBUTION", SbatchOption.DISTRIBUTION),
              new OptionVariables.Variable<>("SBATCH_ERROR", SbatchOption.ERROR),
              new OptionVariables.Variable<>("SBATCH_EXCLUSIVE", SbatchOption.EXCLUSIVE),
              new OptionVariables.Variable<>("SBATCH_EXPORT", SbatchOption.EXPORT),
              new OptionVariables.Variable<>("SBATCH_GET_USER_ENV", SbatchOption.GET_USER_ENV),
              new OptionVariables.Variable<>("SBATCH_GPU_BIND", SbatchOption.GPU_BIND),
              new OptionVariables.Variable<>("SBATCH_GPU_FREQ", SbatchOption.GPU_FREQ),
              new OptionVariables.Variable<>("SBATCH_GPUS", SbatchOption.GPUS),
              new OptionVariables.Variable<>("SBATCH_GPUS_PER_NODE", SbatchOption.GPUS_PER_NODE),
              new OptionVariables.Variable<>("SBATCH_GPUS_PER_TASK", SbatchOption.GPUS_PER_TASK),
              new OptionVariables.Variable<>("SBATCH_GRES", SbatchOption.GRES),
              new OptionVariables.Variable<>("SBATCH_GRES_FLAGS", SbatchOption.GRES_FLAGS),
              new OptionVariables.Variable<>("SLURM_HINT", SbatchOption.HINT),
              new OptionVariables.Variable<>("SBATCH_HINT", SbatchOption.HINT),
              new OptionVariables.Variable<>("SBATCH_IGNORE_PBS", SbatchOption.IGNORE_PBS),
              new OptionVariables.Variable<>("SBATCH_INPUT", SbatchOption.INPUT),
              new OptionVariables.Variable<>("SBATCH_JOB_NAME", SbatchOption.JOB_NAME),
              new OptionVariables.Variable<>("SBATCH_MEM_BIND", SbatchOption.MEM_BIND),
              new OptionVariables.Variable<>("SBATCH_MEM_PER_NODE", SbatchOption.MEM),
              new OptionVariables.Variable<>("SBATCH_MEM_PER_CPU", SbatchOption.MEM_PER_CPU),
              new OptionVariables.Variable<>("SBATCH_MEM_PER_GPU", SbatchOption.MEM_PER_GPU),
              new OptionVariables.Variable<>("SBATCH_NETWORK", SbatchOption.NETWORK),
              new OptionVariables.Variable<>("SBATCH_NO_KILL", SbatchOption.NO_KILL),
              new OptionVariables.Variable<>("SBATCH_NO_REQUEUE", SbatchOption.NO_REQUEUE),
              new OptionVariables.Variable<>("SBATCH_OPEN_MODE", SbatchOption.OPEN_MODE),
              new OptionVariables.Variable<>("SBATCH_OUTPUT", SbatchOption.OUTPUT),
              new OptionVariables.Variable<>("SBATCH_OVERCOMMIT", SbatchOption.OVERCOMMIT),
              new OptionVariables.Variable<>("SBATCH_PARTITION", SbatchOption.PARTITION),
              new OptionVariables.Variable<>("SBATCH_PROFILE", SbatchOption.PROFILE),
              new OptionVariables.Variable<>("SBATCH_QOS", SbatchOption.QOS),
              new OptionVariables.Variable<>("SBATCH_REQ_SWITCH", SbatchOption.SWITCHES),
              new OptionVariables.Variable<>("SBATCH_REQUEUE", SbatchOption.REQUEUE),
              new OptionVariables.Variable<>("SBATCH_RESERVATION", SbatchOption.RESERVATION),
              new OptionVariables.Variable<>("SBATCH_SEGMENT_SIZE", SbatchOption.SEGMENT),
              new OptionVariables.Variable<>("SBATCH_SIGNAL", SbatchOption.SIGNAL),
              new OptionVariables.Variable<>("SBATCH_SPREAD_JOB", SbatchOption.SPREAD_JOB),
              new OptionVariables.Variable<>("SBATCH_THREAD_SPEC", SbatchOption.THREAD_SPEC),
              new OptionVariables.Variable<>(
                  "SBATCH_THREADS_PER_CORE", SbatchOption.THREADS_PER_CORE),
              new OptionVariables.Variable<>("SBATCH_TIMELIMIT", SbatchOption.TIME),
              new OptionVariables.Variable<>("SBATCH_TRES_BIND", SbatchOption.TRES_BIND),
              new OptionVariables.Variable<>("SBATCH_TRES_PER_TASK", SbatchOption.TRES_PER_TASK),
              new OptionVariables.Variable<>("SBATCH_USE_MIN_NODES", SbatchOption.USE_MIN_NODES),
              new OptionVariables.Variable<>("SBATCH_WAIT", SbatchOption.WAIT),
              new OptionVariables.Variable<>("SBATCH_WAIT_ALL_NODES", SbatchOption.WAIT_ALL_NODES),
              new OptionVariables.Variable<>("SBATCH_WCKEY", SbatchOption.WCKEY)),
          SbatchOption::argument,
          SbatchEnvironment::isPlain);

  private SbatchEnvironment() {}

  /** Sets the options that variables stand for. */
  public static void apply(Map<String, String> environment, SbatchSettings settings)
      throws CommandException {
    VARIABLES.apply(
        environment,
        SbatchOption.VERBOSE,
        (option, name, value) ->
            settings.set(option, name, value, SbatchSettings.Source.ENVIRONMENT));
    settings.waitForSwitches(environment.get("SBATCH_WAIT4SWITCH"));
  }

  private static boolean isPlain(SbatchOption option, String text) {
    return option == SbatchOption.GET_USER_ENV
        || (option.argument() == OptionArgument.OPTIONAL && OptionVariables.isFlag(text));
  }
}
