package io.dure.cli.srun;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.request.JobSpec;
import io.dure.model.step.StepSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.SrunEnvironment;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.srun.StepSpecReader;
import io.dure.surface.value.NumberParser;
import java.io.IOException;
import java.util.List;

/** Runs tasks on nodes, in the allocation around it or in one of its own. */
public final class Srun implements CliCommand {
  private static final int BAD_OPTION = 255;

  @Override
  public int run(CommandContext context) {
    try {
      return execute(context);
    } catch (CommandException e) {
      String code = context.environment().get("SLURM_EXIT_ERROR");
      return context.fail(
          code == null || e.exitCode() != 1
              ? e
              : e.withExitCode((int) (NumberParser.leading(code) & 0xff)));
    }
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<SrunOption> call =
        new CallOptions<>(
            context.out(),
            Srun.class,
            "",
            new OptionParser<>(
                context.program(),
                SrunOption.specs(),
                OptionParser.Operands.END_OPTIONS,
                context.arguments()));
    List<ParsedOption<SrunOption>> options = options(call);
    SrunSettings settings = new SrunSettings(new SbatchOptionCheck(context.clock()));
    SrunEnvironment.apply(context.environment(), settings);
    for (ParsedOption<SrunOption> option : options) {
      settings.set(
          option.key(),
          optionName(option.key()),
          option.value(),
          SbatchSettings.Source.COMMAND_LINE);
    }
    if (MpiType.isListed(settings)) {
      context.out().print(MpiType.LIST);
      return 0;
    }
    if (call.operands().isEmpty()) {
      throw CommandException.fatal("No command given to execute.");
    }
    boolean multi = settings.has(SrunOption.MULTI_PROG);
    return run(context, settings, StepProgram.of(context, call.operands(), multi));
  }

  /** What is no option ends with the code that srun alone has for it. */
  private static List<ParsedOption<SrunOption>> options(CallOptions<SrunOption> call)
      throws CommandException {
    try {
      return call.all();
    } catch (CommandException e) {
      throw e.exitCode() == 1 ? e.withExitCode(BAD_OPTION) : e;
    }
  }

  private static String optionName(SrunOption option) {
    String form = option.form();
    String name = form.substring(form.indexOf("--"));
    int end = name.indexOf('[') >= 0 ? name.indexOf('[') : name.indexOf('=');
    return end < 0 ? name : name.substring(0, end);
  }

  private static int run(CommandContext context, SrunSettings settings, StepProgram program)
      throws CommandException {
    NodeListOptions nodes = new NodeListOptions(context.directory(), context.caller());
    String given = settings.value(SrunOption.JOB_NAME);
    String base = program.baseName();
    boolean inside = settings.has(SrunOption.JOBID);
    StepSpecReader reader = new StepSpecReader(settings, nodes);
    // Inside a job the variable names the job, not its steps.
    String name = given == null || inside && !fromCommandLine(context, given) ? base : given;
    StepSpec step = reader.spec(name, context.caller().hostName());
    reader.warnings().forEach(context::report);
    if (step.tasks() > 0) {
      program.of(step.tasks()); // so that a mistake in its file is told before anything is made
    }
    StepLauncher launcher = new StepLauncher(context, settings, program, MpiType.service(settings));
    try (ControllerConnection connection = context.controller().open()) {
      if (inside) {
        int jobId = (int) NumberParser.leading(settings.valueOr(SrunOption.JOBID, "0"));
        return launcher.inJob(connection, jobId, step);
      }
      if (settings.has(SrunOption.EXCLUSIVE)) {
        // Of a step it says something else than of a job.
        settings
            .shared()
            .set(
                SbatchOption.EXCLUSIVE,
                "--exclusive",
                settings.value(SrunOption.EXCLUSIVE),
                SbatchSettings.Source.COMMAND_LINE);
      }
      JobSpecBuilder builder = new JobSpecBuilder(settings.shared(), context.clock(), nodes);
      JobSpec spec = builder.spec(base);
      return launcher.inNewJob(connection, spec, step);
    } catch (IOException e) {
      throw CommandException.error("Unable to allocate resources: " + e.getMessage());
    }
  }

  private static boolean fromCommandLine(CommandContext context, String name) {
    return !name.equals(context.environment().get("SLURM_JOB_NAME"));
  }
}
