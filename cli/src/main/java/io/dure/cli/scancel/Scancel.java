package io.dure.cli.scancel;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.List;

/** Cancels jobs, or sends them a signal. */
public final class Scancel implements CliCommand {

  @Override
  public int execute(CommandContext context) throws CommandException {
    OptionParser<ScancelOption> parser = context.options(ScancelOption.specs());
    List<ParsedOption<ScancelOption>> options = new ArrayList<>();
    for (ParsedOption<ScancelOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case HELP -> {
          context.out().print(HelpText.of(Scancel.class, "help.txt"));
          return 0;
        }
        case USAGE -> {
          context.out().print(HelpText.of(Scancel.class, "usage.txt"));
          return 0;
        }
        case VERSION -> {
          context.out().print(DureVersion.LINE + "\n");
          return 0;
        }
        default -> options.add(option);
      }
    }
    ScancelRequest request = new ScancelReader(context).read(options, parser.operands());
    return new JobCanceller(context, request).run();
  }
}
