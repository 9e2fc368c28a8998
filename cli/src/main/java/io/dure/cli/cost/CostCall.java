package io.dure.cli.cost;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CommandContext;
import io.dure.host.config.LocalConfigSource;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for.
 *
 * @param prices the price list
 * @param first the first month
 * @param last the last month
 * @param accounts only these and those below them, empty for all
 * @param users only these users, empty for all
 * @param limits whether the limits of budgets are shown
 * @param apply whether they are set
 */
record CostCall(
    PriceList prices,
    YearMonth first,
    YearMonth last,
    List<String> accounts,
    List<String> users,
    CostBook.By by,
    boolean csv,
    @Nullable DocumentFormat json,
    boolean limits,
    boolean apply) {
  private static final String USUAL_NAME = "cost.conf";
  private static final int MOST_MONTHS = 120;
  private static final int MOST_BYTES = 1 << 20;

  /** What is read from the arguments. */
  private static final class Words {
    private final List<String> accounts = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private CostBook.By by = CostBook.By.ACCOUNT;
    private boolean csv;
    private boolean limits;
    private boolean apply;
    private @Nullable DocumentFormat json;
    private @Nullable String month;
    private @Nullable String file;
  }

  static CostCall read(CommandContext context) throws CommandException {
    Words words = words(context);
    PriceList prices = prices(context, words.file);
    YearMonth now = prices.month(context.clock().now());
    YearMonth first = now;
    YearMonth last = now;
    if (words.month != null) {
      String[] ends = words.month.split("\\.\\.", -1);
      first = month(words.month, ends[0]);
      last = ends.length == 1 ? first : month(words.month, ends[ends.length - 1]);
      if (ends.length > 2 || last.isBefore(first) || first.plusMonths(MOST_MONTHS).isBefore(last)) {
        throw noMonth(words.month);
      }
    }
    boolean limits = words.limits || words.apply;
    boolean part = !words.users.isEmpty() || !words.accounts.isEmpty();
    if (limits && (part || !first.equals(now) || !last.equals(now))) {
      throw CommandException.error(
          "limits are those of this month and of all budgets; leave out --month, --account, --user");
    }
    return new CostCall(
        prices,
        first,
        last,
        words.accounts,
        words.users,
        words.by,
        words.csv,
        words.json,
        limits,
        words.apply);
  }

  private static Words words(CommandContext context) throws CommandException {
    Words words = new Words();
    CallOptions<CostOption> parser = context.options(CostCall.class, CostOption.values());
    for (ParsedOption<CostOption> option = parser.next(); option != null; option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case ACCOUNT -> words.accounts.addAll(KeywordParser.list(value));
        case APPLY -> words.apply = true;
        case BY -> words.by = by(value);
        case CSV -> words.csv = true;
        case HELP, USAGE, VERSION -> {}
        case JSON -> words.json = DocumentFormat.json(value);
        case LIMITS -> words.limits = true;
        case MONTH -> words.month = value;
        case PRICES -> words.file = value;
        case USER -> words.users.addAll(KeywordParser.list(value));
      }
    }
    if (!parser.operands().isEmpty()) {
      throw CommandException.error(
          "Invalid argument: " + parser.operands().getFirst() + " (try --help)");
    }
    return words;
  }

  private static CostBook.By by(String value) throws CommandException {
    for (CostBook.By one : CostBook.By.values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(value)) {
        return one;
      }
    }
    throw CommandException.error("--by=" + value + ": write account, user, partition or job");
  }

  static YearMonth month(String all, String word) throws CommandException {
    try {
      return YearMonth.parse(word);
    } catch (DateTimeException e) {
      throw noMonth(all);
    }
  }

  private static CommandException noMonth(String word) {
    return CommandException.error(
        "--month="
            + word
            + ": write a month such as 2026-11, or at most ten years such as 2026-01..2026-12");
  }

  static PriceList prices(CommandContext context, @Nullable String named) throws CommandException {
    Path file =
        named == null
            ? LocalConfigSource.locate(context.environment()).resolveSibling(USUAL_NAME)
            : context.directory().resolve(named);
    try (InputStream in = context.caller().read(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      String text = new String(bytes, StandardCharsets.UTF_8);
      return PriceListReader.read(file.toString(), text, context.clock().zone());
    } catch (IOException e) {
      throw CommandException.error(
          "cannot read the price list "
              + file
              + " ("
              + e.getMessage()
              + "); write one as docs/cost.md says, or name another by --prices=FILE");
    }
  }
}
