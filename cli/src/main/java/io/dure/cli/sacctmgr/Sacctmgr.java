package io.dure.cli.sacctmgr;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sacctmgr.SacctmgrInterpreter;
import io.dure.surface.sacctmgr.SacctmgrSession;
import java.util.Objects;

/** Shows and changes accounts, users and QOS: one line of words, or a prompt for many. */
public final class Sacctmgr implements CliCommand {

  @Override
  public int execute(CommandContext asked) throws CommandException {
    CommandContext context = asked.withController(asked.controller().books());
    try (ControllerAccounts accounts = new ControllerAccounts(context)) {
      return run(context, new SacctmgrSession(accounts));
    }
  }

  private static int run(CommandContext context, SacctmgrSession session) throws CommandException {
    CallOptions<SacctmgrOption> parser =
        context.options(SacctmgrInterpreter.class, SacctmgrOption.values());
    for (ParsedOption<SacctmgrOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case JSON -> session.documents(DocumentFormat.json(version(option)));
        case YAML -> session.documents(DocumentFormat.yaml(version(option)));
        case ASSOCIATIONS -> session.withAssociations();
        case IMMEDIATE -> session.commitAtOnce();
        case NOHEADER -> session.withoutHeader();
        case PARSABLE -> session.style(AccountingTable.Style.BARS_AND_END);
        case PARSABLE2 -> session.style(AccountingTable.Style.BARS);
        case QUIET -> session.quiet();
        case READONLY -> session.readOnly();
        case HELP, USAGE, VERSION, ONELINER, VERBOSE -> {}
      }
    }
    return run(session, parser);
  }

  private static String version(ParsedOption<SacctmgrOption> option) {
    return Objects.requireNonNullElse(option.value(), "");
  }

  private static int run(SacctmgrSession session, CallOptions<SacctmgrOption> parser)
      throws CommandException {
    SacctmgrInterpreter interpreter = new SacctmgrInterpreter(session);
    if (parser.operands().isEmpty()) {
      interpreter.prompt();
    } else {
      interpreter.run(parser.operands());
    }
    return session.exitCode();
  }
}
