package io.dure.cli.sacctmgr;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.protocol.Version;
import io.dure.surface.accounts.FieldTable;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.Occurrence;
import io.dure.surface.option.OptionParser;

/** Shows and changes accounts, users and QOS: one line of words, or a prompt for many. */
public final class Sacctmgr implements Command {

  @Override
  public int run(CommandContext context) {
    Desk desk = new Desk(context);
    try {
      return run(context, desk);
    } catch (CommandException e) {
      return context.fail(e);
    } finally {
      desk.close();
    }
  }

  private static int run(CommandContext context, Desk desk) throws CommandException {
    OptionParser<SacctmgrOption> parser =
        new OptionParser<>(
            context.program(),
            SacctmgrOption.specs(),
            OptionParser.Operands.MIXED,
            context.arguments());
    for (Occurrence<SacctmgrOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case HELP, USAGE -> {
          context.out().print(HelpText.of(Sacctmgr.class, "help.txt"));
          return 0;
        }
        case VERSION -> {
          context.out().print(Version.LINE + "\n");
          return 0;
        }
        case JSON, YAML -> throw CommandException.error("this output is not supported yet");
        case ASSOCIATIONS -> desk.withAssociations();
        case IMMEDIATE -> desk.commitAtOnce();
        case NOHEADER -> desk.withoutHeader();
        case PARSABLE -> desk.style(FieldTable.Style.BARS_AND_END);
        case PARSABLE2 -> desk.style(FieldTable.Style.BARS);
        case QUIET -> desk.quiet();
        case READONLY -> desk.readOnly();
        case ONELINER, VERBOSE -> {}
      }
    }
    Interpreter interpreter = new Interpreter(desk);
    if (parser.operands().isEmpty()) {
      interpreter.prompt();
    } else {
      interpreter.run(parser.operands());
    }
    return desk.exitCode();
  }
}
