package io.dure.cli.sbatch;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.CommandException;
import io.dure.cli.command.HelpText;
import io.dure.cli.command.Message;
import io.dure.cli.option.Occurrence;
import io.dure.cli.option.OptionParser;
import io.dure.cli.value.Numbers;
import io.dure.protocol.Version;
import java.util.ArrayList;
import java.util.List;

/** Submits a batch script. */
public final class Sbatch implements Command {

  @Override
  public int run(CommandContext context) {
    try {
      return submit(context);
    } catch (CommandException e) {
      String code = context.environment().get("SLURM_EXIT_ERROR");
      if (code == null || e.exitCode() != 1) {
        return context.fail(e);
      }
      return context.fail(e.withExitCode((int) (Numbers.leading(code) & 0xff)));
    }
  }

  private static int submit(CommandContext context) throws CommandException {
    OptionParser<SbatchOption> parser =
        new OptionParser<>(
            context.program(),
            SbatchOption.specs(),
            OptionParser.Operands.END_OPTIONS,
            context.arguments());
    List<Occurrence<SbatchOption>> options = new ArrayList<>();
    for (Occurrence<SbatchOption> option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case HELP -> {
          context.out().print(HelpText.of(Sbatch.class, "help.txt"));
          return 0;
        }
        case USAGE -> {
          context.out().print(HelpText.of(Sbatch.class, "usage.txt"));
          return 0;
        }
        case VERSION -> {
          context.out().print(Version.LINE + "\n");
          return 0;
        }
        default -> options.add(option);
      }
    }
    Submission submission = new SubmissionReader(context).read(options, parser.operands());
    for (Message warning : submission.warnings()) {
      context.report(warning);
    }
    return new Submitter(context, submission).run();
  }
}
