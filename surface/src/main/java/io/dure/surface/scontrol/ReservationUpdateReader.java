package io.dure.surface.scontrol;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.License;
import io.dure.model.request.TimeLimit;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRequest;
import io.dure.model.reservation.ReservationRequestBuilder;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.TimeLimitParser;
import io.dure.surface.value.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the settings of a reservation. For one command. */
final class ReservationUpdateReader {
  private static final Duration USUAL_PURGE = Duration.ofMinutes(5);
  private static final int KILO = 1024;

  private enum Key {
    NAME,
    START,
    END,
    DURATION,
    NODES,
    NODE_COUNT,
    CORE_COUNT,
    FEATURES,
    PARTITION,
    USERS,
    ACCOUNTS,
    GROUPS,
    FLAGS,
    MAX_START_DELAY,
    TRES,
    SKIP,
    LICENSES,
    BURST_BUFFER,
    QOS,
    ALLOWED_PARTITIONS
  }

  private static final AbbreviationTable<Key> KEYS =
      new AbbreviationTable<>(
          List.of(
              new AbbreviationTable.Entry<>("accounts", 1, Key.ACCOUNTS),
              new AbbreviationTable.Entry<>("allowedpartitions", 2, Key.ALLOWED_PARTITIONS),
              new AbbreviationTable.Entry<>("burstbuffer", 2, Key.BURST_BUFFER),
              new AbbreviationTable.Entry<>("corecnt", 1, Key.CORE_COUNT),
              new AbbreviationTable.Entry<>("duration", 1, Key.DURATION),
              new AbbreviationTable.Entry<>("endtime", 1, Key.END),
              new AbbreviationTable.Entry<>("features", 2, Key.FEATURES),
              new AbbreviationTable.Entry<>("flags", 2, Key.FLAGS),
              new AbbreviationTable.Entry<>("groups", 1, Key.GROUPS),
              new AbbreviationTable.Entry<>("licenses", 1, Key.LICENSES),
              new AbbreviationTable.Entry<>("maxstartdelay", 1, Key.MAX_START_DELAY),
              new AbbreviationTable.Entry<>("nodecnt", 5, Key.NODE_COUNT),
              new AbbreviationTable.Entry<>("nodecount", 5, Key.NODE_COUNT),
              new AbbreviationTable.Entry<>("nodes", 5, Key.NODES),
              new AbbreviationTable.Entry<>("partitionname", 1, Key.PARTITION),
              new AbbreviationTable.Entry<>("qos", 1, Key.QOS),
              new AbbreviationTable.Entry<>("reservationname", 1, Key.NAME),
              new AbbreviationTable.Entry<>("skip", 2, Key.SKIP),
              new AbbreviationTable.Entry<>("starttime", 1, Key.START),
              new AbbreviationTable.Entry<>("tres", 1, Key.TRES),
              new AbbreviationTable.Entry<>("users", 1, Key.USERS)));

  private final WallClock clock;

  /** {@code created} or {@code update}, as failures say it. */
  private final String deed;

  private final ReservationRequestBuilder request = ReservationRequestBuilder.builder();
  private final List<ReservationFlag> set = new ArrayList<>();
  private final List<ReservationFlag> clear = new ArrayList<>();

  ReservationUpdateReader(WallClock clock, String deed) {
    this.clock = clock;
    this.deed = deed;
  }

  /** A failure after which nothing is asked for. */
  CommandException no(String text) {
    return CommandException.error(text + "  No reservation " + deed + ".");
  }

  ReservationRequest read(List<KeyValue> settings) throws CommandException {
    for (KeyValue setting : settings) {
      Key key = KEYS.find(setting.key());
      boolean complete = setting.value() != null || key == Key.SKIP;
      if (key == null || !complete) {
        throw no("Unknown parameter " + setting.word() + ".");
      }
      read(key, setting);
    }
    return request
        .set(List.copyOf(set))
        .clear(List.copyOf(clear))
        .zone(clock.zone().getId())
        .build();
  }

  private void read(Key key, KeyValue setting) throws CommandException {
    String text = setting.text();
    switch (key) {
      case NAME -> request.name(text);
      case START -> request.start(moment(text, "Invalid start time " + setting.word() + "."));
      case END -> request.end(moment(text, "Invalid end time " + setting.word() + "."));
      case DURATION -> duration(setting);
      case NODES -> request.nodes(nodes(setting));
      case NODE_COUNT -> request.nodeCount(count(text, "Invalid node count " + text));
      case CORE_COUNT -> cores(text, "Invalid core count " + text);
      case FEATURES -> request.features(text);
      case PARTITION -> request.partition(text);
      case USERS -> request.users(names(setting));
      case ACCOUNTS -> request.accounts(names(setting));
      case GROUPS -> request.groups(names(setting));
      case QOS -> request.qos(names(setting));
      case ALLOWED_PARTITIONS -> request.allowedPartitions(names(setting));
      case FLAGS -> flags(setting);
      case MAX_START_DELAY -> {
        Duration delay = TimeLimitParser.parseDuration(text);
        if (delay == null) {
          throw no("Invalid duration " + setting.word() + ".");
        }
        request.maxStartDelay(delay);
      }
      case TRES -> tres(setting);
      case SKIP -> request.skip(true);
      case LICENSES -> licenses(text);
      case BURST_BUFFER -> throw refused("Requested operation not supported on this system");
    }
  }

  private CommandException refused(String text) {
    String verb = deed.equals("created") ? "creating" : "updating";
    return CommandException.plain("Error " + verb + " the reservation: " + text);
  }

  private Instant moment(String text, String failure) throws CommandException {
    try {
      return DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.FUTURE);
    } catch (CommandException e) {
      for (StderrMessage message : no(failure).messages()) {
        e = e.and(message);
      }
      throw e;
    }
  }

  private void duration(KeyValue setting) throws CommandException {
    TimeLimit limit = TimeLimitParser.parse(setting.text());
    if (limit == null) {
      throw no("Invalid duration " + setting.word() + ".");
    }
    Duration length =
        limit instanceof TimeLimit.Limited(Duration asked) ? asked : ReservationRequest.LONGEST;
    switch (setting.operator()) {
      case '+' -> request.lengthen(length);
      case '-' -> request.lengthen(length.negated());
      default -> request.duration(length);
    }
  }

  private List<String> nodes(KeyValue setting) throws CommandException {
    if (setting.operator() != '\0') {
      throw no("The +=/-= notation is not supported when updating nodes.");
    }
    if (setting.text().equalsIgnoreCase("ALL")) {
      return List.of("ALL");
    }
    try {
      return List.copyOf(HostList.expand(setting.text()));
    } catch (HostListException e) {
      throw refused("Invalid node name specified");
    }
  }

  private static int count(String text, String failure) throws CommandException {
    String digits = text;
    int unit = 1;
    if (text.endsWith("k") || text.endsWith("K")) {
      digits = text.substring(0, text.length() - 1);
      unit = KILO;
    }
    try {
      int count = Math.multiplyExact(Integer.parseInt(digits), unit);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // said below
    }
    throw CommandException.error(failure);
  }

  /** {@code users-=a} keeps out in a new reservation and takes away from one that is there. */
  private NameListEdit names(KeyValue setting) {
    List<String> names = new ArrayList<>();
    for (String one : setting.text().split(",", -1)) {
      if (!one.isBlank()) {
        names.add(one.strip());
      }
    }
    boolean fresh = deed.equals("created");
    return switch (setting.operator()) {
      case '+' -> new NameListEdit(NameListEdit.Mode.ADD, names);
      case '-' ->
          fresh
              ? new NameListEdit(NameListEdit.Mode.SET, names.stream().map(n -> "-" + n).toList())
              : new NameListEdit(NameListEdit.Mode.REMOVE, names);
      default -> new NameListEdit(NameListEdit.Mode.SET, names);
    };
  }

  private void flags(KeyValue setting) throws CommandException {
    String all = setting.text();
    if (all.isEmpty()) {
      return;
    }
    for (String word : all.split(",", -1)) {
      int equals = word.indexOf('=');
      String text = equals < 0 ? word : word.substring(0, equals);
      ReservationFlag flag = ReservationFlag.named(text);
      boolean away = setting.operator() == '-';
      if (flag == null && text.toUpperCase(Locale.ROOT).startsWith("NO_")) {
        flag = ReservationFlag.named(text.substring(3));
        away = true;
      }
      boolean settable = flag != null && flag != ReservationFlag.SPEC_NODES;
      if (!settable || equals >= 0 && flag != ReservationFlag.PURGE_COMP) {
        throw no("Error parsing flags " + all + ".");
      }
      if (flag == ReservationFlag.PURGE_COMP && !away) {
        Duration purgeAfter =
            equals < 0 ? USUAL_PURGE : TimeLimitParser.parseDuration(word.substring(equals + 1));
        if (purgeAfter == null) {
          throw no("Error parsing flags " + all + ".");
        }
        request.purgeAfter(purgeAfter);
      }
      (away ? clear : set).add(flag);
    }
  }

  /** How many cores, or how many of each node. */
  private void cores(String text, String failure) throws CommandException {
    List<Integer> counts = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      counts.add(count(one, failure));
    }
    request.coreCount(counts.size() == 1 ? counts.getFirst() : null);
    request.coreCounts(counts.size() == 1 ? null : List.copyOf(counts));
  }

  private void licenses(String text) throws CommandException {
    List<License> licenses = License.list(text);
    if (licenses == null) {
      throw refused(ErrorCode.INVALID_LICENSES.text());
    }
    request.licenses(licenses);
  }

  /** What is counted of each kind; numbers that follow without a kind are of other nodes. */
  private void tres(KeyValue setting) throws CommandException {
    Map<String, String> kinds = new LinkedHashMap<>();
    String last = null;
    for (String part : setting.text().split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals >= 0) {
        last = part.substring(0, equals).toLowerCase(Locale.ROOT);
        kinds.put(last, part.substring(equals + 1));
      } else if (last == null) {
        throw CommandException.error("Invalid TRES specification " + setting.text());
      } else {
        kinds.merge(last, part, (before, next) -> before + "," + next);
      }
    }
    List<String> named = new ArrayList<>();
    List<String> gres = new ArrayList<>();
    for (Map.Entry<String, String> one : kinds.entrySet()) {
      String kind = one.getKey();
      switch (kind) {
        case "node" ->
            request.nodeCount(count(one.getValue(), "Invalid node count " + one.getValue()));
        case "cpu" -> cores(one.getValue(), "Invalid core count " + one.getValue());
        default -> {
          if (kind.startsWith("gres/")) {
            gres.add(kind + ":" + one.getValue());
          } else if (kind.startsWith("license/")) {
            named.add(kind.substring("license/".length()) + ":" + one.getValue());
          } else {
            throw CommandException.error(unknown(kind));
          }
        }
      }
    }
    if (!named.isEmpty()) {
      licenses(String.join(",", named));
    }
    if (!gres.isEmpty()) {
      List<GresCount> counts = GresCount.list(String.join(",", gres));
      if (counts == null) {
        throw CommandException.error("Invalid TRES specification " + setting.text());
      }
      request.gres(counts);
    }
  }

  private static String unknown(String kind) {
    boolean known =
        kind.startsWith("bb/")
            || List.of("mem", "energy", "billing", "vmem", "pages", "fs/disk").contains(kind);
    return known
        ? "TRES type '" + kind + "' not supported with reservations"
        : "couldn't identify configured TRES '" + kind + "'";
  }
}
