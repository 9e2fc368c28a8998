package io.dure.whatif;

import io.dure.surface.value.LineTokenizer;
import io.dure.twin.ReplayRunTimes;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.simulate.SimulateUsageException;
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
final class WhatIfOptionReader {
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})([smhd]?)");
  private static final Pattern CLOCK =
      Pattern.compile("(?:([0-9]{1,5})-)?([0-9]{1,5}):([0-5]?[0-9])(?::([0-5]?[0-9]))?");
  private static final Pattern MORE = Pattern.compile("([1-9][0-9]{0,4}):([^\\s:,\\[\\]]+)");
  private static final Pattern ENTITLED = Pattern.compile("([^:=\\s]+):([A-Za-z]+)=(.*)");
  private static final int MOST = 12;

  private final Path directory;
  private final List<WhatIfOptions.HypotheticalScenario> suppositions = new ArrayList<>();
  private final List<WhatIfChange> changes = new ArrayList<>();
  private @Nullable String name;
  private @Nullable Path trace;
  private @Nullable Path conf;
  private @Nullable Path accounts;
  private @Nullable Path html;
  private @Nullable String day;
  private @Nullable String begin;
  private @Nullable String end;
  private @Nullable Duration lasts;
  private @Nullable ReplayRunTimes runTimes;
  private boolean json;
  private boolean all;

  /** Files are named from the directory on. */
  WhatIfOptionReader(Path directory) {
    this.directory = directory;
  }

  /**
   * Reads all arguments.
   *
   * @throws SimulateUsageException saying what is wrong, and what would be right
   */
  WhatIfOptions read(List<String> arguments) throws SimulateUsageException {
    int at = 0;
    while (at < arguments.size()) {
      String word = arguments.get(at++);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String option = equals < 0 ? word : word.substring(0, equals);
      if (flag(word)) {
        continue;
      }
      if (!WITH_ARGUMENT.contains(option)) {
        throw new SimulateUsageException("there is no option " + option + " (see --help)");
      }
      if (equals < 0 && at == arguments.size()) {
        throw new SimulateUsageException("option " + option + " requires an argument");
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

  private boolean flag(String word) throws SimulateUsageException {
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
  private void close(boolean needed) throws SimulateUsageException {
    if (changes.isEmpty() && (needed || name != null)) {
      throw new SimulateUsageException(
          "say what is to be otherwise, such as --drain NODES or --set KEY=VALUE (see --help)");
    }
    if (!changes.isEmpty()) {
      suppositions.add(new WhatIfOptions.HypotheticalScenario(name, changes));
      if (suppositions.size() > MOST) {
        throw new SimulateUsageException("--or: at most " + MOST + " what-ifs stand side by side");
      }
    }
    changes.clear();
    name = null;
  }

  private boolean source(String option, String value) throws SimulateUsageException {
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

  private void change(String option, String value) throws SimulateUsageException {
    if (value.isBlank()) {
      throw new SimulateUsageException(option + ": its argument is empty (see --help)");
    }
    switch (option) {
      case "--drain", "--undrain", "--down" -> node(option, value);
      case "--add-nodes" -> changes.add(more(value));
      case "--partition" ->
          changes.add(new WhatIfChange.CommandChange(option, value, "scontrol", List.of()));
      case "--reservation" -> {
        List<String> words = new ArrayList<>(List.of("create", "reservation"));
        words.addAll(LineTokenizer.of(value));
        changes.add(new WhatIfChange.CommandChange(option, value, "scontrol", words));
      }
      case "--set" -> changes.add(new WhatIfChange.SettingChange(value.strip()));
      case "--qos", "--account", "--user" -> changes.add(entitled(option, value));
      case "--sacctmgr", "--scontrol" ->
          changes.add(
              new WhatIfChange.CommandChange(
                  option, value, option.substring(2), LineTokenizer.of(value)));
      case "--order" -> changes.add(new WhatIfChange.OrderChange(order(value)));
      case "--submit" -> changes.add(new WhatIfChange.SubmitChange(value, null));
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
        new WhatIfChange.CommandChange(
            option,
            nodes,
            "scontrol",
            List.of("update", "NodeName=" + nodes, "State=" + state, "Reason=whatif")));
  }

  private static WhatIfChange.NodeCountChange more(String value) throws SimulateUsageException {
    Matcher matcher = MORE.matcher(value);
    if (!matcher.matches()) {
      throw new SimulateUsageException(
          "--add-nodes " + value + ": give COUNT:NODE, such as 8:gpu01 for eight more like gpu01");
    }
    return new WhatIfChange.NodeCountChange(Integer.parseInt(matcher.group(1)), matcher.group(2));
  }

  private static WhatIfChange.EntitlementChange entitled(String option, String value)
      throws SimulateUsageException {
    Matcher matcher = ENTITLED.matcher(value);
    if (!matcher.matches()) {
      throw new SimulateUsageException(
          option + " " + value + ": give NAME:KEY=VALUE, such as gpu:GrpTRES=gres/gpu=+64");
    }
    return new WhatIfChange.EntitlementChange(
        option.substring(2), matcher.group(1), matcher.group(2), matcher.group(3));
  }

  private static QueueOrderPolicy order(String value) throws SimulateUsageException {
    for (QueueOrderPolicy order : QueueOrderPolicy.values()) {
      if (order.name().toLowerCase(Locale.ROOT).equals(value)) {
        return order;
      }
    }
    throw new SimulateUsageException(
        "--order " + value + ": there is " + words(QueueOrderPolicy.values()) + " only");
  }

  private static ReplayRunTimes runTimes(String value) throws SimulateUsageException {
    return switch (value) {
      case "known" -> ReplayRunTimes.KNOWN;
      case "predicted" -> ReplayRunTimes.PREDICTED;
      case "limit" -> ReplayRunTimes.LIMIT;
      default ->
          throw new SimulateUsageException(
              "--run-times " + value + ": there is known, predicted, limit only");
    };
  }

  private static String words(Enum<?>[] values) {
    return String.join(
        ", ", Stream.of(values).map(one -> one.name().toLowerCase(Locale.ROOT)).toList());
  }

  private void runTime(Duration time) throws SimulateUsageException {
    if (changes.isEmpty()
        || !(changes.getLast() instanceof WhatIfChange.SubmitChange(String line, _))) {
      throw new SimulateUsageException(
          "--run-time: it says how long the job runs of the --submit before");
    }
    changes.set(changes.size() - 1, new WhatIfChange.SubmitChange(line, time));
  }

  private static Duration time(String option, String word) throws SimulateUsageException {
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
      throw new SimulateUsageException(
          option + " " + word + ": give a time such as 12h, 30m, 2d, 90s or 1-06:00:00");
    }
    return time;
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private WhatIfOptions options() throws SimulateUsageException {
    if (day != null && (begin != null || end != null)) {
      throw new SimulateUsageException("--day says from when to when: leave out --from and --to");
    }
    if (end != null && begin == null) {
      throw new SimulateUsageException("--to: say also from when on, with --from");
    }
    if (accounts != null && trace == null) {
      throw new SimulateUsageException(
          "--accounts: a journal has its own; they are told of a log (--trace FILE)");
    }
    WhatIfOptions.From from = new WhatIfOptions.From(trace, conf, accounts, day, begin, end);
    return new WhatIfOptions(from, suppositions, lasts, runTimes, json, all, html);
  }
}
