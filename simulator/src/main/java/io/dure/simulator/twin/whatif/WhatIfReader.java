package io.dure.simulator.twin.whatif;

import io.dure.simulator.twin.Order;
import io.dure.simulator.twin.RunTimes;
import io.dure.simulator.twin.command.UsageException;
import io.dure.surface.value.LineWords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of {@code ./dure whatif}. Used once. */
final class WhatIfReader {
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})([smhd]?)");
  private static final Pattern CLOCK =
      Pattern.compile("(?:([0-9]{1,5})-)?([0-9]{1,5}):([0-5]?[0-9])(?::([0-5]?[0-9]))?");
  private static final Pattern MORE = Pattern.compile("([1-9][0-9]{0,4}):([^\\s:,\\[\\]]+)");
  private static final Pattern ENTITLED = Pattern.compile("([^:=\\s]+):([A-Za-z]+)=(.*)");
  private static final int MOST = 12;

  private final Path directory;
  private final List<WhatIfOptions.Supposition> suppositions = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private @Nullable String name;
  private @Nullable Path trace;
  private @Nullable Path conf;
  private @Nullable Path accounts;
  private @Nullable Path html;
  private @Nullable String day;
  private @Nullable String begin;
  private @Nullable String end;
  private @Nullable Duration lasts;
  private @Nullable RunTimes runTimes;
  private boolean json;
  private boolean all;

  /** Files are named from the directory on. */
  WhatIfReader(Path directory) {
    this.directory = directory;
  }

  /**
   * Reads all arguments.
   *
   * @throws UsageException saying what is wrong, and what would be right
   */
  WhatIfOptions read(List<String> arguments) throws UsageException {
    int at = 0;
    while (at < arguments.size()) {
      String word = arguments.get(at++);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String option = equals < 0 ? word : word.substring(0, equals);
      if (flag(word)) {
        continue;
      }
      if (!WITH_ARGUMENT.contains(option)) {
        throw new UsageException("there is no option " + option + " (see --help)");
      }
      if (equals < 0 && at == arguments.size()) {
        throw new UsageException("option " + option + " requires an argument");
      }
      String value = equals < 0 ? arguments.get(at++) : word.substring(equals + 1);
      if (!source(option, value)) {
        change(option, value);
      }
    }
    close(suppositions.isEmpty());
    return options();
  }

  static final List<String> WITH_ARGUMENT =
      List.of(
          "--trace",
          "--conf",
          "--accounts",
          "--day",
          "--from",
          "--to",
          "--for",
          "--run-times",
          "--html",
          "--name",
          "--drain",
          "--undrain",
          "--down",
          "--add-nodes",
          "--partition",
          "--reservation",
          "--set",
          "--qos",
          "--account",
          "--user",
          "--sacctmgr",
          "--scontrol",
          "--order",
          "--submit",
          "--run-time");

  private boolean flag(String word) throws UsageException {
    switch (word) {
      case "--json" -> json = true;
      case "--all" -> all = true;
      case "--or" -> close(true);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** One what-if is told. */
  private void close(boolean needed) throws UsageException {
    if (changes.isEmpty() && (needed || name != null)) {
      throw new UsageException(
          "say what is to be otherwise, such as --drain NODES or --set KEY=VALUE (see --help)");
    }
    if (!changes.isEmpty()) {
      suppositions.add(new WhatIfOptions.Supposition(name, changes));
      if (suppositions.size() > MOST) {
        throw new UsageException("--or: at most " + MOST + " what-ifs stand side by side");
      }
    }
    changes.clear();
    name = null;
  }

  private boolean source(String option, String value) throws UsageException {
    switch (option) {
      case "--trace" -> trace = directory.resolve(value);
      case "--conf" -> conf = directory.resolve(value);
      case "--accounts" -> accounts = directory.resolve(value);
      case "--html" -> html = directory.resolve(value);
      case "--day" -> day = value;
      case "--from" -> begin = value;
      case "--to" -> end = value;
      case "--for" -> lasts = time(option, value);
      case "--run-times" -> runTimes = runTimes(value);
      case "--name" -> name = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  private void change(String option, String value) throws UsageException {
    if (value.isBlank()) {
      throw new UsageException(option + ": its argument is empty (see --help)");
    }
    switch (option) {
      case "--drain", "--undrain", "--down" -> node(option, value);
      case "--add-nodes" -> changes.add(more(value));
      case "--partition" -> changes.add(new Change.Called(option, value, "scontrol", List.of()));
      case "--reservation" -> {
        List<String> words = new ArrayList<>(List.of("create", "reservation"));
        words.addAll(LineWords.of(value));
        changes.add(new Change.Called(option, value, "scontrol", words));
      }
      case "--set" -> changes.add(new Change.Setting(value.strip()));
      case "--qos", "--account", "--user" -> changes.add(entitled(option, value));
      case "--sacctmgr", "--scontrol" ->
          changes.add(new Change.Called(option, value, option.substring(2), LineWords.of(value)));
      case "--order" -> changes.add(new Change.Ordered(order(value)));
      case "--submit" -> changes.add(new Change.Submitted(value, null));
      default -> runTime(time(option, value));
    }
  }

  private void node(String option, String nodes) {
    String state =
        switch (option) {
          case "--drain" -> "DRAIN";
          case "--undrain" -> "RESUME";
          default -> "DOWN";
        };
    changes.add(
        new Change.Called(
            option,
            nodes,
            "scontrol",
            List.of("update", "NodeName=" + nodes, "State=" + state, "Reason=whatif")));
  }

  private static Change.MoreNodes more(String value) throws UsageException {
    Matcher matcher = MORE.matcher(value);
    if (!matcher.matches()) {
      throw new UsageException(
          "--add-nodes " + value + ": give COUNT:NODE, such as 8:gpu01 for eight more like gpu01");
    }
    return new Change.MoreNodes(Integer.parseInt(matcher.group(1)), matcher.group(2));
  }

  private static Change.Entitled entitled(String option, String value) throws UsageException {
    Matcher matcher = ENTITLED.matcher(value);
    if (!matcher.matches()) {
      throw new UsageException(
          option + " " + value + ": give NAME:KEY=VALUE, such as gpu:GrpTRES=gres/gpu=+64");
    }
    return new Change.Entitled(
        option.substring(2), matcher.group(1), matcher.group(2), matcher.group(3));
  }

  private static Order order(String value) throws UsageException {
    for (Order order : Order.values()) {
      if (order.name().toLowerCase(Locale.ROOT).equals(value)) {
        return order;
      }
    }
    throw new UsageException("--order " + value + ": there is " + words(Order.values()) + " only");
  }

  private static RunTimes runTimes(String value) throws UsageException {
    return switch (value) {
      case "known" -> RunTimes.KNOWN;
      case "predicted" -> RunTimes.PREDICTED;
      case "limit" -> RunTimes.LIMIT;
      default ->
          throw new UsageException(
              "--run-times " + value + ": there is known, predicted, limit only");
    };
  }

  private static String words(Enum<?>[] values) {
    return String.join(
        ", ", Stream.of(values).map(one -> one.name().toLowerCase(Locale.ROOT)).toList());
  }

  private void runTime(Duration time) throws UsageException {
    if (changes.isEmpty() || !(changes.getLast() instanceof Change.Submitted(String line, _))) {
      throw new UsageException("--run-time: it says how long the job runs of the --submit before");
    }
    changes.set(changes.size() - 1, new Change.Submitted(line, time));
  }

  private static Duration time(String option, String word) throws UsageException {
    Matcher simple = TIME.matcher(word);
    Matcher clock = CLOCK.matcher(word);
    Duration time = Duration.ZERO;
    if (simple.matches()) {
      long number = Long.parseLong(simple.group(1));
      time =
          switch (simple.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
          };
    } else if (clock.matches()) {
      time =
          Duration.ofDays(number(clock.group(1)))
              .plusHours(number(clock.group(2)))
              .plusMinutes(number(clock.group(3)))
              .plusSeconds(number(clock.group(4)));
    }
    if (time.isZero() || time.toDays() > 36_500) {
      throw new UsageException(
          option + " " + word + ": give a time such as 12h, 30m, 2d, 90s or 1-06:00:00");
    }
    return time;
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private WhatIfOptions options() throws UsageException {
    if (day != null && (begin != null || end != null)) {
      throw new UsageException("--day says from when to when: leave out --from and --to");
    }
    if (end != null && begin == null) {
      throw new UsageException("--to: say also from when on, with --from");
    }
    if (accounts != null && trace == null) {
      throw new UsageException(
          "--accounts: a journal has its own; they are told of a log (--trace FILE)");
    }
    WhatIfOptions.From from = new WhatIfOptions.From(trace, conf, accounts, day, begin, end);
    return new WhatIfOptions(from, suppositions, lasts, runTimes, json, all, html);
  }
}
