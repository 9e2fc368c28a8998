package io.dure.cli.sreport;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.ClusterChoice;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sreport.ReportSettings;
import io.dure.surface.sreport.SreportInterpreter;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reports of what was used, from the accounting database. */
public final class Sreport implements CliCommand {
  private static final String ALL = "all";

  @Override
  public int execute(CommandContext asked) throws CommandException {
    CommandContext context = asked.withController(asked.controller().books());
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
        case ALL_CLUSTERS -> clusters = ALL;
        case LOCAL -> clusters = null;
        case FEDERATION, QUIET, VERBOSE, HELP, USAGE, VERSION -> {}
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
    if (parser.operands().isEmpty()) {
      SreportInterpreter interpreter =
          new SreportInterpreter(new ControllerReports(context, null, null), settings);
      interpreter.prompt();
      return interpreter.exitCode();
    }
    List<@Nullable String> chosen =
        ClusterChoice.of(
            context, ControllerReports::failure, named(parser.operands(), clusters), false);
    List<String> tables = new ArrayList<>();
    int code = 0;
    for (@Nullable String cluster : chosen) {
      StringBuilder taken = new StringBuilder();
      SreportInterpreter interpreter =
          new SreportInterpreter(new ControllerReports(context, cluster, taken), settings);
      interpreter.run(parser.operands());
      tables.add(taken.toString());
      code = Math.max(code, interpreter.exitCode());
    }
    context.out().print(ClusterChoice.joined(tables, settings.headerLines()));
    return code;
  }

  /** The clusters that the words of a report name, which come before those of an option. */
  private static @Nullable String named(List<String> words, @Nullable String option) {
    String named = option;
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.equals("all_clusters")) {
        named = ALL;
      } else if (lower.matches("(cluster|clusters)=.+")) {
        named = word.substring(word.indexOf('=') + 1);
      }
    }
    return named;
  }
}
