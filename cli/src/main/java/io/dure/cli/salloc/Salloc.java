package io.dure.cli.salloc;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.SallocOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Gets an allocation, runs a command or a shell in it, and gives it back. */
public final class Salloc implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<SallocOption> call =
        new CallOptions<>(
            context.out(),
            Salloc.class,
            "",
            new OptionParser<>(
                context.program(),
                SallocOption.specs(),
                OptionParser.Operands.END_OPTIONS,
                context.arguments()));
    SbatchSettings settings = new SbatchSettings(new SbatchOptionCheck(context.clock()));
    boolean shell = true;
    for (ParsedOption<SallocOption> option : call.all()) {
      SbatchOption shared = option.key().shared();
      shell &= option.key() != SallocOption.NO_SHELL;
      if (shared != null) {
        settings.set(
            shared, "--" + shared.longName(), option.value(), SbatchSettings.Source.COMMAND_LINE);
      }
    }
    List<String> command = command(context, call.operands());
    if (!shell && !call.operands().isEmpty()) {
      throw CommandException.error("--no-shell does not accept command arguments.");
    }
    return run(context, settings, command, shell);
  }

  private static List<String> command(CommandContext context, List<String> operands) {
    return operands.isEmpty()
        ? List.of(context.environment().getOrDefault("SHELL", "/bin/sh"))
        : operands;
  }

  private static int run(
      CommandContext context, SbatchSettings settings, List<String> command, boolean shell)
      throws CommandException {
    JobSpecBuilder builder =
        new JobSpecBuilder(
            settings, context.clock(), new NodeListOptions(context.directory(), context.caller()));
    JobSpec spec = builder.spec(shell ? "interactive" : "no-shell");
    builder.warnings().forEach(context::report);
    boolean quiet = settings.has(SbatchOption.QUIET);
    Job job;
    try (ControllerConnection connection = context.controller().open()) {
      job = new AllocationRequest(context, connection, quiet).submit(spec, null);
    } catch (IOException e) {
      throw CommandException.error("Job submit/allocate failed: " + e.getMessage());
    }
    say(context, quiet, "Granted job allocation " + job.id());
    return shell ? runIn(context, job, command, quiet) : 0;
  }

  private static int runIn(CommandContext context, Job job, List<String> command, boolean quiet) {
    int status = 1 << 8;
    try {
      Allocation allocation = Objects.requireNonNull(job.state().allocated(), "it runs");
      List<String> environment = AllocationEnvironment.of(context.environment(), job, allocation);
      status = context.caller().runProgram(new ArrayList<>(command), environment);
    } catch (IOException e) {
      context.report(StderrMessage.error(command.getFirst() + ": " + e.getMessage()));
    } finally {
      say(context, quiet, "Relinquishing job allocation " + job.id());
      ExitStatus exit = new ExitStatus(status >> 8 & 0xff, status & 0x7f);
      AllocationRequest.finish(context, new Command.CompleteAllocation(job.id(), exit));
    }
    return (status & 0x7f) == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f);
  }

  private static void say(CommandContext context, boolean quiet, String text) {
    if (!quiet) {
      context.report(StderrMessage.info(text));
    }
  }
}
