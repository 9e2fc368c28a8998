package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionArgument;
import io.dure.surface.value.NumberParser;
import java.util.List;
import java.util.Map;

/** The environment variables that stand for options. */
public final class SbatchEnvironment {

  private record Variable(String name, SbatchOption option) {}

  /** In the order in which they are read; the later of two for one option wins. */
  private static final List<Variable> VARIABLES =
      List.of(
          new Variable("SBATCH_ACCOUNT", SbatchOption.ACCOUNT),
          new Variable("SBATCH_ACCTG_FREQ", SbatchOption.ACCTG_FREQ),
          new Variable("SBATCH_ARRAY_INX", SbatchOption.ARRAY),
          new Variable("SBATCH_BATCH", SbatchOption.BATCH),
          new Variable("SLURM_CLUSTERS", SbatchOption.CLUSTERS),
          new Variable("SBATCH_CLUSTERS", SbatchOption.CLUSTERS),
          new Variable("SBATCH_CONSTRAINT", SbatchOption.CONSTRAINT),
          new Variable("SBATCH_CONTAINER", SbatchOption.CONTAINER),
          new Variable("SBATCH_CONTAINER_ID", SbatchOption.CONTAINER_ID),
          new Variable("SBATCH_CORE_SPEC", SbatchOption.CORE_SPEC),
          new Variable("SBATCH_CPUS_PER_GPU", SbatchOption.CPUS_PER_GPU),
          new Variable("SBATCH_DELAY_BOOT", SbatchOption.DELAY_BOOT),
          new Variable("SBATCH_DISTRIBUTION", SbatchOption.DISTRIBUTION),
          new Variable("SBATCH_ERROR", SbatchOption.ERROR),
          new Variable("SBATCH_EXCLUSIVE", SbatchOption.EXCLUSIVE),
          new Variable("SBATCH_EXPORT", SbatchOption.EXPORT),
          new Variable("SBATCH_GET_USER_ENV", SbatchOption.GET_USER_ENV),
          new Variable("SBATCH_GPU_BIND", SbatchOption.GPU_BIND),
          new Variable("SBATCH_GPU_FREQ", SbatchOption.GPU_FREQ),
          new Variable("SBATCH_GPUS", SbatchOption.GPUS),
          new Variable("SBATCH_GPUS_PER_NODE", SbatchOption.GPUS_PER_NODE),
          new Variable("SBATCH_GPUS_PER_TASK", SbatchOption.GPUS_PER_TASK),
          new Variable("SBATCH_GRES", SbatchOption.GRES),
          new Variable("SBATCH_GRES_FLAGS", SbatchOption.GRES_FLAGS),
          new Variable("SLURM_HINT", SbatchOption.HINT),
          new Variable("SBATCH_HINT", SbatchOption.HINT),
          new Variable("SBATCH_IGNORE_PBS", SbatchOption.IGNORE_PBS),
          new Variable("SBATCH_INPUT", SbatchOption.INPUT),
          new Variable("SBATCH_JOB_NAME", SbatchOption.JOB_NAME),
          new Variable("SBATCH_MEM_BIND", SbatchOption.MEM_BIND),
          new Variable("SBATCH_MEM_PER_NODE", SbatchOption.MEM),
          new Variable("SBATCH_MEM_PER_CPU", SbatchOption.MEM_PER_CPU),
          new Variable("SBATCH_MEM_PER_GPU", SbatchOption.MEM_PER_GPU),
          new Variable("SBATCH_NETWORK", SbatchOption.NETWORK),
          new Variable("SBATCH_NO_KILL", SbatchOption.NO_KILL),
          new Variable("SBATCH_NO_REQUEUE", SbatchOption.NO_REQUEUE),
          new Variable("SBATCH_OPEN_MODE", SbatchOption.OPEN_MODE),
          new Variable("SBATCH_OUTPUT", SbatchOption.OUTPUT),
          new Variable("SBATCH_OVERCOMMIT", SbatchOption.OVERCOMMIT),
          new Variable("SBATCH_PARTITION", SbatchOption.PARTITION),
          new Variable("SBATCH_PROFILE", SbatchOption.PROFILE),
          new Variable("SBATCH_QOS", SbatchOption.QOS),
          new Variable("SBATCH_REQ_SWITCH", SbatchOption.SWITCHES),
          new Variable("SBATCH_REQUEUE", SbatchOption.REQUEUE),
          new Variable("SBATCH_RESERVATION", SbatchOption.RESERVATION),
          new Variable("SBATCH_SEGMENT_SIZE", SbatchOption.SEGMENT),
          new Variable("SBATCH_SIGNAL", SbatchOption.SIGNAL),
          new Variable("SBATCH_SPREAD_JOB", SbatchOption.SPREAD_JOB),
          new Variable("SBATCH_THREAD_SPEC", SbatchOption.THREAD_SPEC),
          new Variable("SBATCH_THREADS_PER_CORE", SbatchOption.THREADS_PER_CORE),
          new Variable("SBATCH_TIMELIMIT", SbatchOption.TIME),
          new Variable("SBATCH_TRES_BIND", SbatchOption.TRES_BIND),
          new Variable("SBATCH_TRES_PER_TASK", SbatchOption.TRES_PER_TASK),
          new Variable("SBATCH_USE_MIN_NODES", SbatchOption.USE_MIN_NODES),
          new Variable("SBATCH_WAIT", SbatchOption.WAIT),
          new Variable("SBATCH_WAIT_ALL_NODES", SbatchOption.WAIT_ALL_NODES),
          new Variable("SBATCH_WCKEY", SbatchOption.WCKEY));

  private SbatchEnvironment() {}

  /** Sets the options that variables stand for. */
  public static void apply(Map<String, String> environment, SbatchSettings settings)
      throws CommandException {
    for (Variable variable : VARIABLES) {
      String text = environment.get(variable.name());
      if (text == null) {
        continue;
      }
      OptionArgument argument = variable.option().argument();
      if (argument == OptionArgument.REQUIRED && text.isEmpty()) {
        continue;
      }
      boolean plain =
          argument == OptionArgument.NONE
              || variable.option() == SbatchOption.GET_USER_ENV
              || (argument == OptionArgument.OPTIONAL && isFlag(text));
      settings.set(
          variable.option(),
          variable.name(),
          plain ? null : text,
          SbatchSettings.Source.ENVIRONMENT);
    }
    long debug = NumberParser.leading(environment.getOrDefault("SBATCH_DEBUG", "0"));
    for (long i = 0; i < Math.min(debug, 9); i++) {
      settings.set(SbatchOption.VERBOSE, "SBATCH_DEBUG", null, SbatchSettings.Source.ENVIRONMENT);
    }
  }

  /** A variable that says no more than that the option is set. */
  private static boolean isFlag(String text) {
    return text.isEmpty() || text.equals("1") || text.equalsIgnoreCase("yes");
  }
}
