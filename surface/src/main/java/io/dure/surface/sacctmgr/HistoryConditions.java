package io.dure.surface.sacctmgr;

import io.dure.model.HostList;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which lines of a cluster's history are listed. */
final class HistoryConditions {
  private final List<String> nodes = new ArrayList<>();
  private final List<String> states = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final List<String> actions = new ArrayList<>();
  private final List<String> actors = new ArrayList<>();
  private Instant from;
  private @Nullable Instant until;
  private @Nullable String kind;
  private boolean open;

  private HistoryConditions(Instant from) {
    this.from = from;
  }

  /**
   * Reads the words of a listing.
   *
   * @param always whether all times are listed if none is said, instead of those since yesterday
   * @throws CommandException if a word is none
   */
  static HistoryConditions of(List<String> words, AccountingPort port, boolean always)
      throws CommandException {
    WallClock clock = new WallClock.Fixed(port.now(), port.zone());
    Instant yesterday =
        LocalDate.ofInstant(clock.now(), clock.zone())
            .minusDays(1)
            .atStartOfDay(clock.zone())
            .toInstant();
    HistoryConditions asked = new HistoryConditions(always ? Instant.EPOCH : yesterday);
    for (String word : words) {
      asked.read(SacctmgrSetting.of(word), clock);
    }
    return asked;
  }

  private void read(SacctmgrSetting setting, WallClock clock) throws CommandException {
    List<String> list = KeywordParser.list(setting.value());
    if (setting.key().isEmpty()) {
      String word = setting.word().toLowerCase(Locale.ROOT);
      if (word.startsWith("all_t")) {
        from = Instant.EPOCH;
      } else if (!word.equals("where") && !word.startsWith("all_c") && !word.startsWith("witha")) {
        throw unknown(setting);
      }
    } else if (setting.is(1, "Start") || setting.is(5, "TimeStart")) {
      from = time(setting.value(), clock);
    } else if (setting.is(3, "End") || setting.is(5, "TimeEnd")) {
      until = time(setting.value(), clock);
    } else if (setting.is(1, "Nodes")) {
      list.forEach(one -> nodes.addAll(HostList.expand(one)));
    } else if (setting.is(4, "States")) {
      list.forEach(one -> states.add(one.toUpperCase(Locale.ROOT)));
    } else if (setting.is(1, "Reason")) {
      reasons.addAll(list);
    } else if (setting.is(1, "Users")) {
      users.addAll(list);
    } else if (setting.is(2, "Event")) {
      kind = setting.value().toLowerCase(Locale.ROOT);
    } else if (setting.is(4, "CondFlags")) {
      open = setting.value().equalsIgnoreCase("open");
    } else if (setting.is(4, "Actor")) {
      actors.addAll(list);
    } else if (setting.is(4, "Action")) {
      list.forEach(one -> actions.add(one.toLowerCase(Locale.ROOT)));
    } else if (!setting.is(3, "Format") && !setting.is(1, "Clusters")) {
      throw unknown(setting);
    }
  }

  private static CommandException unknown(SacctmgrSetting setting) {
    return CommandException.plain(" Unknown condition: " + setting.word());
  }

  private static Instant time(String text, WallClock clock) throws CommandException {
    return DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.PAST);
  }

  Instant from() {
    return from;
  }

  @Nullable Instant until() {
    return until;
  }

  /** Whether what clusters had is asked for alone. */
  boolean isOfClusters() {
    return kind != null && kind.startsWith("c");
  }

  boolean has(ClusterHistory.ClusterEvent one) {
    boolean node = one.node() != null;
    boolean ofKind = kind == null || kind.startsWith("n") == node;
    return ofKind
        && (!open || one.end() == null)
        && (nodes.isEmpty() || node && nodes.contains(one.node()))
        && (states.isEmpty() || states.stream().anyMatch(one.state()::startsWith))
        && (reasons.isEmpty() || reasons.stream().anyMatch(one.reason()::contains))
        && (users.isEmpty() || one.user() != null && users.contains(one.user().toString()));
  }

  boolean has(ClusterHistory.Transaction one) {
    String action = one.action().toLowerCase(Locale.ROOT);
    return (actors.isEmpty() || actors.contains(one.actor()))
        && (actions.isEmpty() || actions.stream().anyMatch(action::contains))
        && (users.isEmpty() || names(one, users));
  }

  private static boolean names(ClusterHistory.Transaction one, List<String> names) {
    return names.stream()
        .anyMatch(name -> one.where().contains(name) || one.info().contains("'" + name + "'"));
  }
}
