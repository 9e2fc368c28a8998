package io.dure.cli.salloc;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.allocation.DisplayForwarding;
import io.dure.cli.allocation.OptionMistake;
import io.dure.cli.allocation.RootOption;
import io.dure.cli.allocation.SteadyConnection;
import io.dure.cli.allocation.SubmitCommand;
import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.HetGroups;
import io.dure.surface.srun.SallocEnvironment;
import io.dure.surface.srun.SallocOption;
import io.dure.surface.srun.SallocSettings;
import io.dure.surface.value.SignalParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gets an allocation, runs a command or a shell in it, and gives it back. */
public final class Salloc implements SubmitCommand {
  private static final List<SbatchOption> OF_STEPS =
      List.of(
          SbatchOption.CONTAINER_IMAGE,
          SbatchOption.CONTAINER_MOUNTS,
          SbatchOption.CONTAINER_WORKDIR);

  /** A wait that is longer ends with a bell. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(10);

  /** A component of the job that is asked for; the options of the call itself are the first's. */
  private record Component(SallocSettings settings, List<String> operands) {}

  @Override
  public int execute(CommandContext context) throws CommandException {
    try (SiteFilter filter = SiteFilter.of(context)) {
      return execute(context, filter);
    }
  }

  private static int execute(CommandContext context, SiteFilter filter) throws CommandException {
    List<Component> components = new ArrayList<>();
    for (List<String> arguments : HetGroups.parts(context.arguments())) {
      Component one = component(context, arguments, filter);
      filter.preSubmit(
          new SallocFilteredOptions(one.settings(), SbatchSettings.Source.COMMAND_LINE),
          components.size());
      components.add(one);
    }
    boolean shell = true;
    for (Component one : components) {
      shell &= !one.settings().has(SallocOption.NO_SHELL);
    }
    List<String> operands = components.getLast().operands();
    if (!shell && !operands.isEmpty()) {
      throw CommandException.error("--no-shell does not accept command arguments.");
    }
    return run(context, filter, components, shell);
  }

  private static Component component(
      CommandContext context, List<String> arguments, SiteFilter filter) throws CommandException {
    CallOptions<SallocOption> call =
        new CallOptions<>(
            context.out(),
            Salloc.class,
            "",
            new OptionParser<>(
                context.program(),
                SallocOption.specs(),
                OptionParser.Operands.END_OPTIONS,
                arguments));
    SallocSettings settings =
        new SallocSettings(new SbatchOptionCheck(context.clock(), AllocationRequest.NOT_ALLOCATED));
    filter.setupDefaults(new SallocFilteredOptions(settings, SbatchSettings.Source.SITE));
    try {
      SallocEnvironment.apply(context.environment(), settings);
      for (ParsedOption<SallocOption> option : call.all()) {
        SallocOption key = option.key();
        if (key == SallocOption.UID || key == SallocOption.GID) {
          throw RootOption.refused(context, key.longName());
        }
        settings.set(key, key.longName(), option.value(), SbatchSettings.Source.COMMAND_LINE);
      }
    } catch (CommandException e) {
      throw OptionMistake.of(e);
    }
    return new Component(settings, call.operands());
  }

  /**
   * What runs in the allocation.
   *
   * @param step options of the {@code srun} that is its shell, null where that runs here; as sh(1)
   *     reads them
   */
  private static List<String> command(
      Map<String, String> environment, List<String> operands, @Nullable String step) {
    if (!operands.isEmpty()) {
      return operands;
    }
    String shell = environment.computeIfAbsent("SHELL", _ -> "/bin/sh");
    return step == null ? List.of(shell) : List.of("/bin/sh", "-c", "exec srun " + step);
  }

  private static int run(
      CommandContext context, SiteFilter filter, List<Component> components, boolean shell)
      throws CommandException {
    List<String> operands = components.getLast().operands();
    SallocSettings first = components.getFirst().settings();
    List<AllocationRequest.Part> parts = new ArrayList<>();
    NodeListOptions nodes = new NodeListOptions(context.directory(), context.caller());
    for (Component one : components) {
      JobSpecBuilder builder = new JobSpecBuilder(one.settings().shared(), context.clock(), nodes);
      JobSpec spec = builder.spec(shell ? "interactive" : "no-shell");
      builder.warnings().forEach(context::report);
      parts.add(new AllocationRequest.Part(spec, null));
    }
    Path directory = directory(context, first.shared());
    int killSignal = killSignal(first.value(SallocOption.KILL_COMMAND));
    boolean quiet = first.has(SallocOption.QUIET);
    Integer longest =
        AllocationRequest.longestSeconds(
            first.has(SallocOption.IMMEDIATE), first.value(SallocOption.IMMEDIATE));
    DisplayForwarding displays =
        DisplayForwarding.of(context, shell ? first.value(SallocOption.X11) : null);
    Map<String, String> environment = new LinkedHashMap<>(context.environment());
    Instant begin = context.clock().now();
    List<Job> jobs;
    List<String> command;
    try (ControllerConnection connection = new SteadyConnection(context.controller())) {
      if (displays != null) {
        displays.check(connection, AllocationRequest.NOT_ALLOCATED);
      }
      AllocationRequest.Granted granted =
          new AllocationRequest(context, connection, quiet, longest).submit(parts);
      environment.put("SLURM_CLUSTER_NAME", granted.clusterName());
      jobs = granted.jobs();
      for (int i = 0; i < jobs.size(); i++) {
        filter.postSubmit(i, jobs.get(i).id(), SiteFilter.NO_STEP);
      }
      filter.close(); // what runs in the allocation may take days
      command = command(environment, operands, granted.interactive());
    } catch (IOException e) {
      throw CommandException.error(AllocationRequest.NOT_ALLOCATED + e.getMessage());
    }
    ofSteps(environment, first.shared());
    AllocationHolder holder = new AllocationHolder(context, jobs.getFirst(), quiet);
    holder.say("Granted job allocation " + jobs.getFirst().id());
    ring(context, first, Duration.between(begin, context.clock().now()));
    if (displays != null) {
      holder.open(displays, jobs);
    }
    return shell
        ? holder.run(command, AllocationEnvironment.of(environment, jobs), directory, killSignal)
        : 0;
  }

  /** As in Slurm the bell is that of the terminal that standard output is, if it is one. */
  private static void ring(CommandContext context, SallocSettings settings, Duration waited) {
    boolean rings = settings.has(SallocOption.BELL) || waited.compareTo(LONG_WAIT) > 0;
    if (context.terminal() && rings && !settings.has(SallocOption.NO_BELL)) {
      context.out().print('\007');
      context.out().flush();
    }
  }

  /** What its steps take from their surroundings; what is not asked for they do not. */
  private static void ofSteps(Map<String, String> environment, SbatchSettings settings) {
    for (SbatchOption option : OF_STEPS) {
      String name = "SLURM_" + option.longName().toUpperCase(Locale.ROOT).replace('-', '_');
      String value = settings.value(option);
      environment.remove(name);
      if (value != null) {
        environment.put(name, value);
      }
    }
  }

  private static Path directory(CommandContext context, SbatchSettings settings)
      throws CommandException {
    String chosen = settings.value(SbatchOption.CHDIR);
    if (chosen == null) {
      return context.directory();
    }
    Path directory = context.directory().resolve(chosen);
    if (!Files.isDirectory(directory)) {
      throw CommandException.error("chdir(" + chosen + "): No such file or directory");
    }
    return directory;
  }

  /** The signal for the command when the allocation is lost, 0 for none. */
  private static int killSignal(@Nullable String asked) throws CommandException {
    if (asked == null) {
      return 0;
    }
    Integer number = asked.isEmpty() ? (Integer) 15 : SignalParser.number(asked);
    if (number == null) {
      throw CommandException.error("Invalid --kill-command specification").withExitCode(255);
    }
    return number;
  }
}
