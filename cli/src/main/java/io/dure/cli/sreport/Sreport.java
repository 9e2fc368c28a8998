package io.dure.cli.sreport;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sreport.ReportSettings;
import io.dure.surface.sreport.SreportInterpreter;
import io.dure.surface.value.KeywordParser;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reports of what was used, from the accounting database. */
public final class Sreport implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<SreportOption> parser =
        context.options(SreportInterpreter.class, SreportOption.values());
    ReportSettings settings = ReportSettings.USUAL;
    String tres = context.environment().get("SREPORT_TRES");
    String clusters = context.environment().get("SREPORT_CLUSTER");
    for (ParsedOption<SreportOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case NO_HEADER -> settings = settings.withoutHeader();
        case PARSABLE -> settings = settings.withStyle(AccountingTable.Style.BARS_AND_END);
        case PARSABLE2 -> settings = settings.withStyle(AccountingTable.Style.BARS);
        case TIME -> settings = settings.withUnit(SreportInterpreter.unit(value));
        case TRES -> tres = value;
        case CLUSTER -> clusters = value;
        case ALL_CLUSTERS, FEDERATION, LOCAL, QUIET, VERBOSE, HELP, USAGE, VERSION -> {}
      }
    }
    return report(
        context, parser, tres == null ? settings : settings.withTres(names(tres)), clusters);
  }

  private static List<String> names(String tres) {
    return KeywordParser.list(tres);
  }

  private static int report(
      CommandContext context,
      CallOptions<SreportOption> parser,
      ReportSettings settings,
      @Nullable String clusters)
      throws CommandException {
    SreportInterpreter interpreter =
        new SreportInterpreter(new ControllerReports(context, clusters), settings);
    if (parser.operands().isEmpty()) {
      interpreter.prompt();
    } else {
      interpreter.run(parser.operands());
    }
    return interpreter.exitCode();
  }
}
