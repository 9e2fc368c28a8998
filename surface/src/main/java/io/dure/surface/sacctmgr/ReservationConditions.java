package io.dure.surface.sacctmgr;

import io.dure.model.HostList;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which reservations are listed: those of now if no time is said. */
final class ReservationConditions {
  private final List<String> names = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<String> flags = new ArrayList<>();
  private Instant from;
  private Instant until;

  private ReservationConditions(Instant now) {
    from = now;
    until = now.plusSeconds(1);
  }

  static ReservationConditions of(List<String> words, AccountingPort port) throws CommandException {
    WallClock clock = new WallClock.Fixed(port.now(), port.zone());
    ReservationConditions asked = new ReservationConditions(port.now());
    for (String word : words) {
      asked.read(SacctmgrSetting.of(word), clock);
    }
    return asked;
  }

  private void read(SacctmgrSetting setting, WallClock clock) throws CommandException {
    List<String> list = KeywordParser.list(setting.value());
    if (setting.is(1, "Start") || setting.is(5, "TimeStart")) {
      from = DateTimeParser.parse(setting.value(), clock, DateTimeParser.PastOrFuture.PAST);
    } else if (setting.is(1, "End") || setting.is(5, "TimeEnd")) {
      until = DateTimeParser.parse(setting.value(), clock, DateTimeParser.PastOrFuture.FUTURE);
    } else if (setting.is(2, "Names")) {
      names.addAll(list);
    } else if (setting.is(2, "Nodes")) {
      list.forEach(one -> nodes.addAll(HostList.expand(one)));
    } else if (setting.is(2, "IDs")) {
      ids.addAll(list);
    } else if (setting.is(2, "Flags")) {
      list.forEach(one -> flags.add(one.toUpperCase(Locale.ROOT)));
    } else if (!setting.is(2, "Format")
        && !setting.is(1, "Clusters")
        && !SacctmgrSetting.isKeyword(setting.word(), "where")) {
      throw CommandException.plain(
          " Unknown condition: " + setting.word() + "\n Use keyword 'set' to modify value");
    }
  }

  Instant from() {
    return from;
  }

  Instant until() {
    return until;
  }

  boolean has(ReservationUse one) {
    return (names.isEmpty() || names.contains(one.name()))
        && (ids.isEmpty() || ids.contains(Integer.toString(one.id())))
        && (nodes.isEmpty() || HostList.expand(one.nodes()).stream().anyMatch(nodes::contains))
        && (flags.isEmpty() || KeywordParser.list(one.flags()).containsAll(flags));
  }

  /** How long it would have lasted had it not been used, in seconds. */
  static String unused(ReservationUse one, Instant now) {
    Instant end = one.end().isBefore(now) ? one.end() : now;
    double seconds = Math.max(0, Duration.between(one.start(), end).toSeconds());
    if (!one.amounts().isEmpty() && one.amounts().getFirst().count() > 0) {
      ReservationUse.Amount first = one.amounts().getFirst();
      seconds -= (double) first.used() / first.count();
    }
    return String.format(Locale.ROOT, "%.6f", Math.max(0, seconds));
  }
}
