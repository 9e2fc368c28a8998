package io.dure.cli.sbatch;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.value.NumberParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Submits a batch script. */
public final class Sbatch implements CliCommand {
  /** Stands between the components of a heterogeneous job. */
  private static final String SEPARATOR = ":";

  @Override
  public int run(CommandContext context) {
    try {
      return execute(context);
    } catch (CommandException e) {
      String code = context.environment().get("SLURM_EXIT_ERROR");
      if (code == null || e.exitCode() != 1) {
        return context.fail(e);
      }
      return context.fail(e.withExitCode((int) (NumberParser.leading(code) & 0xff)));
    }
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    List<List<ParsedOption<SbatchOption>>> components = new ArrayList<>();
    List<String> words = context.arguments();
    while (true) {
      OptionParser<SbatchOption> parser =
          new OptionParser<>(
              context.program(), SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, words);
      List<ParsedOption<SbatchOption>> options = new ArrayList<>();
      Integer answered = options(context, parser, options);
      if (answered != null) {
        return answered;
      }
      components.add(options);
      words = parser.operands();
      if (words.isEmpty() || !words.getFirst().equals(SEPARATOR)) {
        break;
      }
      words = words.subList(1, words.size());
    }
    JobSubmission submission = new JobSubmissionReader(context).read(components, words);
    for (StderrMessage warning : submission.warnings()) {
      context.report(warning);
    }
    return new JobSubmitter(context, submission).run();
  }

  /** Reads the options of one component; the exit code where one of them is all that was asked. */
  private static @Nullable Integer options(
      CommandContext context,
      OptionParser<SbatchOption> parser,
      List<ParsedOption<SbatchOption>> options)
      throws CommandException {
    for (ParsedOption<SbatchOption> option = parser.next();
        option != null;
        option = parser.next()) {
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
          context.out().print(DureVersion.LINE + "\n");
          return 0;
        }
        default -> options.add(option);
      }
    }
    return null;
  }
}
