package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionArgument;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.NumberParser;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The environment variables that stand for options of {@code salloc}. */
public final class SallocEnvironment {
  private record Variable(String name, SallocOption option) {}

  /** In the order in which they are read; the later of two for one option wins. */
  private static final List<Variable> VARIABLES =
      List.of(
          new Variable("SALLOC_ACCOUNT", SallocOption.ACCOUNT),
          new Variable("SALLOC_ACCTG_FREQ", SallocOption.ACCTG_FREQ),
          new Variable("SALLOC_BELL", SallocOption.BELL),
          new Variable("SALLOC_BURST_BUFFER", SallocOption.BB),
          new Variable("SALLOC_CLUSTER_CONSTRAINT", SallocOption.CLUSTER_CONSTRAINT),
          new Variable("SALLOC_CLUSTERS", SallocOption.CLUSTERS),
          new Variable("SLURM_CLUSTERS", SallocOption.CLUSTERS),
          new Variable("SALLOC_CONSTRAINT", SallocOption.CONSTRAINT),
          new Variable("SALLOC_CONTAINER", SallocOption.CONTAINER),
          new Variable("SALLOC_CORE_SPEC", SallocOption.CORE_SPEC),
          new Variable("SALLOC_CPU_FREQ_REQ", SallocOption.CPU_FREQ),
          new Variable("SALLOC_CPUS_PER_GPU", SallocOption.CPUS_PER_GPU),
          new Variable("SALLOC_DELAY_BOOT", SallocOption.DELAY_BOOT),
          new Variable("SALLOC_EXCLUSIVE", SallocOption.EXCLUSIVE),
          new Variable("SALLOC_GPU_BIND", SallocOption.GPU_BIND),
          new Variable("SALLOC_GPU_FREQ", SallocOption.GPU_FREQ),
          new Variable("SALLOC_GPUS", SallocOption.GPUS),
          new Variable("SALLOC_GPUS_PER_NODE", SallocOption.GPUS_PER_NODE),
          new Variable("SALLOC_GPUS_PER_SOCKET", SallocOption.GPUS_PER_SOCKET),
          new Variable("SALLOC_GPUS_PER_TASK", SallocOption.GPUS_PER_TASK),
          new Variable("SALLOC_GRES", SallocOption.GRES),
          new Variable("SALLOC_GRES_FLAGS", SallocOption.GRES_FLAGS),
          new Variable("SALLOC_HINT", SallocOption.HINT),
          new Variable("SLURM_HINT", SallocOption.HINT),
          new Variable("SALLOC_IMMEDIATE", SallocOption.IMMEDIATE),
          new Variable("SALLOC_KILL_CMD", SallocOption.KILL_COMMAND),
          new Variable("SALLOC_MEM_BIND", SallocOption.MEM_BIND),
          new Variable("SALLOC_MEM_PER_CPU", SallocOption.MEM_PER_CPU),
          new Variable("SALLOC_MEM_PER_GPU", SallocOption.MEM_PER_GPU),
          new Variable("SALLOC_MEM_PER_NODE", SallocOption.MEM),
          new Variable("SALLOC_NETWORK", SallocOption.NETWORK),
          new Variable("SALLOC_NO_BELL", SallocOption.NO_BELL),
          new Variable("SALLOC_NO_KILL", SallocOption.NO_KILL),
          new Variable("SALLOC_OVERCOMMIT", SallocOption.OVERCOMMIT),
          new Variable("SALLOC_PARTITION", SallocOption.PARTITION),
          new Variable("SALLOC_PROFILE", SallocOption.PROFILE),
          new Variable("SALLOC_QOS", SallocOption.QOS),
          new Variable("SALLOC_RESERVATION", SallocOption.RESERVATION),
          new Variable("SALLOC_SIGNAL", SallocOption.SIGNAL),
          new Variable("SALLOC_SPREAD_JOB", SallocOption.SPREAD_JOB),
          new Variable("SALLOC_THREAD_SPEC", SallocOption.THREAD_SPEC),
          new Variable("SALLOC_THREADS_PER_CORE", SallocOption.THREADS_PER_CORE),
          new Variable("SALLOC_TIMELIMIT", SallocOption.TIME),
          new Variable("SALLOC_TRES_BIND", SallocOption.TRES_BIND),
          new Variable("SALLOC_TRES_PER_TASK", SallocOption.TRES_PER_TASK),
          new Variable("SALLOC_USE_MIN_NODES", SallocOption.USE_MIN_NODES),
          new Variable("SALLOC_WAIT_ALL_NODES", SallocOption.WAIT_ALL_NODES),
          new Variable("SALLOC_WCKEY", SallocOption.WCKEY));

  private static final int MOST_VERBOSE = 9;

  private SallocEnvironment() {}

  /** Sets the options that variables stand for. */
  public static void apply(Map<String, String> environment, SallocSettings settings)
      throws CommandException {
    for (Variable variable : VARIABLES) {
      set(settings, variable.option(), variable.name(), environment.get(variable.name()));
    }
    set(settings, SallocOption.SWITCHES, "SALLOC_REQ_SWITCH", switches(environment));
    long debug = NumberParser.leading(environment.getOrDefault("SALLOC_DEBUG", "0"));
    for (long i = 0; i < Math.min(debug, MOST_VERBOSE); i++) {
      set(settings, SallocOption.VERBOSE, "SALLOC_DEBUG", "");
    }
  }

  private static void set(
      SallocSettings settings, SallocOption option, String name, @Nullable String text)
      throws CommandException {
    OptionArgument argument = OptionArgument.of(option.form());
    if (text == null || (argument == OptionArgument.REQUIRED && text.isEmpty())) {
      return;
    }
    boolean plain =
        argument == OptionArgument.NONE
            || (argument == OptionArgument.OPTIONAL && isFlag(option, text));
    settings.set(option, name, plain ? null : text, SbatchSettings.Source.ENVIRONMENT);
  }

  /** A variable that says no more than that the option is set; seconds are a number. */
  private static boolean isFlag(SallocOption option, String text) {
    return text.isEmpty()
        || text.equalsIgnoreCase("yes")
        || (text.equals("1") && option != SallocOption.IMMEDIATE);
  }

  /** How long to wait for the switches has a variable of its own. */
  private static @Nullable String switches(Map<String, String> environment) {
    String count = environment.get("SALLOC_REQ_SWITCH");
    String longest = environment.get("SALLOC_WAIT4SWITCH");
    if (count == null || count.isEmpty() || count.indexOf('@') >= 0) {
      return count;
    }
    return longest == null || longest.isEmpty() ? count : count + "@" + longest;
  }
}
