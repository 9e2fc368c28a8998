package io.dure.cli.cost;

import io.dure.model.accounting.TresAmounts;
import io.dure.surface.message.CommandException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a price list, docs/cost.md. For one thread, used once. */
final class PriceListReader {
  private static final int MOST_LETTERS = 1 << 20;
  private static final int MOST_DIGITS = 18;
  private static final int MOST_DECIMALS = 9;
  private static final int MOST_PERCENT = 1000;
  private static final Set<String> PRICE_KEYS =
      new TreeSet<>(List.of("price", "perhour", "partitions", "accounts", "days", "hours", "from"));
  private static final Set<String> BUDGET_KEYS =
      new TreeSet<>(List.of("budget", "amount", "month", "warn"));

  private final String file;
  private final List<Price> prices = new ArrayList<>();
  private final List<Budget> budgets = new ArrayList<>();
  private String currency = "";
  private ZoneId zone;
  private int number;

  private PriceListReader(String file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  /**
   * The prices and budgets of a text.
   *
   * @param file the file that errors name
   * @param zone in which days and hours are where the text does not say
   */
  static PriceList read(String file, String text, ZoneId zone) throws CommandException {
    PriceListReader reader = new PriceListReader(file, zone);
    if (text.length() > MOST_LETTERS) {
      throw CommandException.error(file + " is longer than 1 MiB, so it is no price list");
    }
    for (String line : text.lines().toList()) {
      reader.number++;
      int comment = line.indexOf('#');
      reader.line((comment < 0 ? line : line.substring(0, comment)).strip());
    }
    if (reader.prices.isEmpty()) {
      throw CommandException.error(file + " has no price; write such as: Price=cpu PerHour=0.02");
    }
    return new PriceList(reader.currency, reader.zone, reader.prices, reader.budgets);
  }

  private CommandException error(String wrong, String remedy) {
    return CommandException.error(file + ":" + number + ": " + wrong + "; " + remedy);
  }

  private void line(String line) throws CommandException {
    if (line.isEmpty()) {
      return;
    }
    Map<String, String> words = new TreeMap<>();
    String first = "";
    for (String word : line.split("\\s+", -1)) {
      int equals = word.indexOf('=');
      String key = equals < 0 ? word : word.substring(0, equals).toLowerCase(Locale.ROOT);
      if (equals < 1 || equals == word.length() - 1) {
        throw error("'" + word + "' is no KEY=VALUE", "write such as PerHour=0.02, without blanks");
      }
      if (words.put(key, word.substring(equals + 1)) != null) {
        throw error("'" + key + "' stands twice", "keep one of them");
      }
      first = first.isEmpty() ? key : first;
    }
    switch (first) {
      case "currency" -> {
        known(words, Set.of("currency"));
        currency = words.getOrDefault(first, "");
      }
      case "timezone" -> {
        known(words, Set.of("timezone"));
        zone = zone(words.getOrDefault(first, ""));
      }
      case "price" -> prices.add(price(words));
      case "budget" -> budgets.add(budget(words));
      default ->
          throw error(
              "a line cannot begin with '" + first + "'",
              "begin it with Currency=, TimeZone=, Price= or Budget=");
    }
  }

  private void known(Map<String, String> words, Set<String> keys) throws CommandException {
    for (String key : words.keySet()) {
      if (!keys.contains(key)) {
        throw error("'" + key + "' is no key of such a line", "the keys are " + keys);
      }
    }
  }

  private String needed(Map<String, String> words, String key, String like)
      throws CommandException {
    String value = words.get(key);
    if (value == null) {
      throw error("'" + like + "' is missing", "add it with your number");
    }
    return value;
  }

  private ZoneId zone(String name) throws CommandException {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw error("there is no time zone '" + name + "'", "write such as Europe/Berlin");
    }
  }

  private Price price(Map<String, String> words) throws CommandException {
    known(words, PRICE_KEYS);
    String tres = words.getOrDefault("price", "").toLowerCase(Locale.ROOT);
    if (tres.equals(TresAmounts.BILLING)) {
      throw error(
          "billing has no price of its own",
          "price what TRESBillingWeights make it of: cpu, mem, gres/gpu");
    }
    boolean known =
        List.of(TresAmounts.CPU, TresAmounts.MEMORY, TresAmounts.NODE).contains(tres)
            || tres.startsWith("gres/") && tres.length() > "gres/".length()
            || tres.startsWith("license/") && tres.length() > "license/".length();
    if (!known) {
      throw error(
          "'" + tres + "' is no resource that is priced",
          "write cpu, mem, node, gres/NAME, gres/NAME:TYPE or license/NAME");
    }
    LocalTime[] hours = hours(words.get("hours"));
    return new Price(
        tres,
        amount("PerHour", needed(words, "perhour", "PerHour=0.02")),
        names(words.get("partitions")),
        names(words.get("accounts")),
        days(words.get("days")),
        hours.length == 0 ? null : hours[0],
        hours.length == 0 ? null : hours[1],
        date(words.get("from")));
  }

  private static List<String> names(@Nullable String list) {
    return list == null ? List.of() : List.of(list.split(",", -1));
  }

  private BigDecimal amount(String key, String text) throws CommandException {
    boolean digits = !text.isEmpty() && text.length() <= MOST_DIGITS;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      digits &= letter >= '0' && letter <= '9' || letter == '.';
    }
    try {
      BigDecimal amount = digits ? new BigDecimal(text) : null;
      if (amount != null && amount.scale() <= MOST_DECIMALS) {
        return amount;
      }
    } catch (NumberFormatException e) {
      // Two points, or a point alone; told below as every other word that is no number.
    }
    throw error(
        key + "=" + text + " is no amount",
        "write a number of 0 or more such as 0.02, with a point");
  }

  private @Nullable LocalDate date(@Nullable String text) throws CommandException {
    try {
      return text == null ? null : LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw error("From=" + text + " is no day", "write such as From=2026-07-01");
    }
  }

  private List<DayOfWeek> days(@Nullable String list) throws CommandException {
    List<DayOfWeek> days = new ArrayList<>();
    for (String word : names(list)) {
      String[] ends = word.split("-", -1);
      DayOfWeek first = day(ends[0]);
      DayOfWeek last = ends.length == 1 ? first : day(ends[1]);
      if (ends.length > 2 || first == null || last == null) {
        throw error("Days=" + list + " are no days", "write such as Days=Mon-Fri or Days=Sat,Sun");
      }
      days.add(first);
      for (DayOfWeek at = first; at != last; days.add(at)) {
        at = at.plus(1);
      }
    }
    return days;
  }

  private static @Nullable DayOfWeek day(String word) {
    for (DayOfWeek one : DayOfWeek.values()) {
      if (word.length() >= 3 && one.name().startsWith(word.toUpperCase(Locale.ROOT))) {
        return one;
      }
    }
    return null;
  }

  private LocalTime[] hours(@Nullable String text) throws CommandException {
    if (text == null) {
      return new LocalTime[0];
    }
    String[] ends = text.split("-", -1);
    try {
      if (ends.length == 2) {
        LocalTime begin = LocalTime.parse(ends[0]);
        LocalTime end = ends[1].equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(ends[1]);
        if (!begin.equals(end)) {
          return new LocalTime[] {begin, end};
        }
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw error("Hours=" + text + " are no hours", "write such as Hours=20:00-08:00");
  }

  private Budget budget(Map<String, String> words) throws CommandException {
    known(words, BUDGET_KEYS);
    String month = words.get("month");
    String warn = words.get("warn");
    try {
      return new Budget(
          words.getOrDefault("budget", "").toLowerCase(Locale.ROOT),
          amount("Amount", needed(words, "amount", "Amount=1000")),
          month == null ? null : YearMonth.parse(month),
          warn == null ? Budget.USUAL : percentages(warn));
    } catch (DateTimeException e) {
      throw error("Month=" + month + " is no month", "write such as Month=2026-12");
    }
  }

  private List<Integer> percentages(String list) throws CommandException {
    TreeSet<Integer> found = new TreeSet<>();
    for (String word : names(list)) {
      boolean digits = !word.isEmpty() && word.length() <= 4;
      digits &= word.chars().allMatch(letter -> letter >= '0' && letter <= '9');
      int percent = digits ? Integer.parseInt(word) : 0;
      if (percent < 1 || percent > MOST_PERCENT) {
        throw error("Warn=" + list + " are no percentages", "write such as Warn=80,95,100");
      }
      found.add(percent);
    }
    return List.copyOf(found);
  }
}
