package io.dure.surface.sreport;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.KeywordParser;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The words behind the name of a report: conditions {@code key=value} and switches. What is not
 * understood is told to the user, and the report is made all the same.
 */
final class ReportWords {
  private static final List<String> LISTS =
      List.of("accounts", "users", "wckeys", "clusters", "names", "nodes", "partitions", "gid");
  private static final List<String> SWITCHES =
      List.of("all_clusters", "tree", "flatview", "acctasparent", "printjobcount", "group");

  private final ReportPort port;
  private final Map<String, List<String>> lists = new LinkedHashMap<>();
  private final List<String> switches = new ArrayList<>();
  private @Nullable String format;
  private @Nullable Instant start;
  private @Nullable Instant end;
  private List<Integer> groups = List.of(50, 250, 500, 1000);
  private boolean individual;
  private List<String> jobs = List.of();
  private int top = 10;
  private boolean failed;

  /** Reads the words. */
  ReportWords(ReportPort port, List<String> words) {
    this.port = port;
    for (String word : words) {
      try {
        read(word);
      } catch (CommandException e) {
        e.messages().forEach(port::report);
        failed |= !word.toLowerCase(Locale.ROOT).matches("(st|e).*=.*");
      }
    }
  }

  private void read(String word) throws CommandException {
    int sign = word.indexOf('=');
    String key = (sign < 0 ? word : word.substring(0, sign)).toLowerCase(Locale.ROOT);
    if (sign < 0) {
      String found = find(SWITCHES, key);
      if (found == null) {
        throw unknown(word);
      }
      switches.add(found);
      return;
    }
    String value = word.substring(sign + 1);
    String list = find(LISTS, key);
    if (key.startsWith("grou")) {
      grouping(value);
    } else if (list != null) {
      lists.computeIfAbsent(list, _ -> new ArrayList<>()).addAll(KeywordParser.list(value));
    } else if (begins("format", key, 1)) {
      format = format == null ? value : format + "," + value;
    } else if (begins("start", key, 1)) {
      start = time(value);
    } else if (begins("end", key, 1)) {
      end = time(value);
    } else if (begins("jobs", key, 1)) {
      jobs = KeywordParser.list(value);
    } else if (begins("topcount", key, 1)) {
      top = count(value);
    } else {
      throw unknown(word);
    }
  }

  private static boolean begins(String whole, String typed, int least) {
    return typed.length() >= least && whole.startsWith(typed);
  }

  private static @Nullable String find(List<String> words, String typed) {
    return words.stream()
        .filter(word -> begins(word, typed, typed.startsWith("gr") ? 4 : 1))
        .findFirst()
        .orElse(null);
  }

  private static CommandException unknown(String word) {
    return CommandException.plain(
        " Unknown condition: " + word + "\nUse keyword set to modify value");
  }

  private static int count(String text) throws CommandException {
    long count = DigitParser.parse(text, Integer.MAX_VALUE);
    if (count < 0) {
      throw CommandException.error("Invalid value for TopCount (" + text + ")");
    }
    return (int) count;
  }

  private void grouping(String value) throws CommandException {
    if (value.toLowerCase(Locale.ROOT).startsWith("ind")) {
      individual = true;
      return;
    }
    List<Integer> sizes = new ArrayList<>();
    for (String word : KeywordParser.list(value)) {
      long size = DigitParser.parse(word, Integer.MAX_VALUE);
      if (size < 1 || !sizes.isEmpty() && size <= sizes.getLast()) {
        throw CommandException.error(
            "Invalid Grouping (" + value + "): rising numbers of CPUs, or \"individual\"");
      }
      sizes.add((int) size);
    }
    groups = List.copyOf(sizes);
  }

  private Instant time(String text) throws CommandException {
    return DateTimeParser.parse(text, port.clock(), DateTimeParser.PastOrFuture.PAST);
  }

  /** Whether something was wrong that the exit code tells. */
  boolean failed() {
    return failed;
  }

  boolean has(String name) {
    return switches.contains(name);
  }

  List<String> list(String name) {
    return lists.getOrDefault(name, List.of());
  }

  @Nullable String format() {
    return format;
  }

  List<Integer> groups() {
    return groups;
  }

  boolean individual() {
    return individual;
  }

  List<String> jobs() {
    return jobs;
  }

  int top() {
    return top;
  }

  /** Whole hours: yesterday where nothing is said. */
  ReportPeriod period() {
    Instant now = port.clock().now();
    ZoneId zone = port.clock().zone();
    LocalDate today = now.atZone(zone).toLocalDate();
    Instant from = start == null ? today.minusDays(1).atStartOfDay(zone).toInstant() : start;
    Instant until = end == null ? today.atStartOfDay(zone).toInstant() : end;
    Instant first = hour(from, zone);
    // What is to come has no use yet: the hour that runs is the last one.
    Instant last =
        until.isAfter(now) ? hour(now, zone).plus(1, ChronoUnit.HOURS) : hour(until, zone);
    return new ReportPeriod(
        first, last.isAfter(first) ? last : first.plus(1, ChronoUnit.HOURS), zone);
  }

  private static Instant hour(Instant at, ZoneId zone) {
    return at.atZone(zone).truncatedTo(ChronoUnit.HOURS).toInstant();
  }

  /** Tells the user of something that is ignored. */
  void complain(CommandException e) {
    for (StderrMessage message : e.messages()) {
      port.report(message);
    }
    failed = true;
  }
}
