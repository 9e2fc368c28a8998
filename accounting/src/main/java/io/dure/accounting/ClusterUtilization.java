package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import io.dure.protocol.accounting.UsageReport;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** What became of what a cluster had, hour by hour: what waits is bounded by what is idle. */
public final class ClusterUtilization {
  /** The words of outages that are meant. */
  private static final Set<String> ON_PURPOSE =
      Set.of(
          "POWERED_DOWN", "POWERING_UP", "POWERING_DOWN", "REBOOT_ISSUED", "PLANNED_DOWN", "MAINT");

  /** Whether an outage of a state is meant. */
  public static boolean onPurpose(String state) {
    return ON_PURPOSE.contains(state);
  }

  private final Handle handle;
  private final long cluster;
  private final UsageSpan.Window window;
  private final ZoneId zone;
  private final int hours;
  private final List<String> tres;
  private final Map<String, Hours> byTres = new TreeMap<>(TresAmounts.order());

  /** Of these resources, or all. */
  ClusterUtilization(
      Handle handle, long cluster, UsageSpan.Window window, ZoneId zone, List<String> tres) {
    this.tres = tres;
    this.handle = handle;
    this.cluster = cluster;
    this.window = window;
    this.zone = zone;
    hours = (int) ((window.until() - window.from() + 3599) / 3600);
  }

  /** Amounts times seconds of a resource in each hour. */
  private static final class Hours {
    private final long[] total;
    private final long[] down;
    private final long[] plannedDown;
    private final long[] held;
    private final long[] waited;
    private long count;

    Hours(int hours) {
      total = new long[hours];
      down = new long[hours];
      plannedDown = new long[hours];
      held = new long[hours];
      waited = new long[hours];
    }
  }

  /** The rows of resources that the cluster had. */
  List<UsageReport.ClusterUse> rows() {
    capacity();
    outages();
    past();
    sums();
    live();
    List<UsageReport.ClusterUse> rows = new ArrayList<>();
    byTres.forEach((name, of) -> {
      if (Arrays.stream(of.total).anyMatch(one -> one > 0)) {
        rows.add(row(name, of));
      }
    });
    return rows;
  }

  private static UsageReport.ClusterUse row(String name, Hours of) {
    long allocated = 0;
    long down = 0;
    long plannedDown = 0;
    long planned = 0;
    long idle = 0;
    long over = 0;
    for (int i = 0; i < of.total.length; i++) {
      long total = of.total[i];
      long away = Math.min(of.plannedDown[i], total);
      long broken = Math.clamp(total - away - of.held[i], 0, of.down[i]);
      long left = total - away - broken - of.held[i];
      long wanted = Math.clamp(of.waited[i], 0, Math.max(0, left));
      allocated += of.held[i];
      down += broken;
      plannedDown += away;
      planned += wanted;
      idle += Math.max(0, left - wanted);
      over += Math.max(0, -left) + of.down[i] - broken;
    }
    long reported = Arrays.stream(of.total).sum();
    return new UsageReport.ClusterUse(
        name, of.count, allocated, down, plannedDown, idle, planned, over, reported);
  }

  private Hours of(String tres) {
    return byTres.computeIfAbsent(tres, _ -> new Hours(hours));
  }

  private interface Place {
    long[] of(Hours hours);
  }

  private void add(long begin, long end, TresAmounts amounts, Place place) {
    long from = Math.max(begin, window.from());
    long to = Math.min(end, window.until());
    for (TresAmounts.Amount amount : amounts.amounts()) {
      boolean meant = tres.isEmpty() || tres.contains(amount.name());
      if (!meant || amount.amount() == 0 || from >= to) {
        continue;
      }
      long[] sums = place.of(of(amount.name()));
      int last = (int) ((to - 1 - window.from()) / 3600);
      for (int hour = (int) ((from - window.from()) / 3600); hour <= last; hour++) {
        long start = window.from() + hour * 3600L;
        sums[hour] += amount.amount() * (Math.min(to, start + 3600) - Math.max(from, start));
      }
    }
  }

  private record Capacity(long start, TresAmounts tres) {}

  private void capacity() {
    List<Capacity> rows =
        handle
            .createQuery(
                "SELECT start_time, tres FROM capacity WHERE cluster_id = ? AND start_time < ?"
                    + " ORDER BY start_time")
            .bind(0, cluster)
            .bind(1, window.until())
            .map((row, _) -> new Capacity(row.getLong(1), TresTable.read(row.getString(2))))
            .list();
    for (int i = 0; i < rows.size(); i++) {
      boolean last = i == rows.size() - 1;
      Capacity one = rows.get(i);
      add(
          one.start(),
          last ? window.until() : rows.get(i + 1).start(),
          one.tres(),
          hour -> hour.total);
      if (last) {
        one.tres().amounts().stream()
            .filter(amount -> tres.isEmpty() || tres.contains(amount.name()))
            .forEach(amount -> of(amount.name()).count = amount.amount());
      }
    }
  }

  private record Outage(long start, long end, boolean meant, TresAmounts tres) {}

  private void outages() {
    handle
        .createQuery(
            "SELECT start_time, end_time, state, tres FROM outage WHERE cluster_id = ? AND end_time"
                + " > ? AND start_time < ?")
        .bind(0, cluster)
        .bind(1, window.from())
        .bind(2, window.until())
        .map((row, _) ->
            new Outage(
                row.getLong(1),
                row.getLong(2),
                onPurpose(row.getString(3)),
                TresTable.read(row.getString(4))))
        .forEach(one ->
            add(
                one.start(),
                one.end(),
                one.tres(),
                one.meant() ? hour -> hour.plannedDown : hour -> hour.down));
  }

  private record Past(long tres, long start, List<Long> sums) {}

  /** What capacities and outages said that are kept no more. */
  private void past() {
    Map<Long, String> names = TresTable.names(handle, tres);
    if (names.isEmpty()) {
      return;
    }
    handle
        .createQuery(
            "SELECT tres_id, start_time, total, down, planned_down FROM cluster_past WHERE"
                + " cluster_id = :cluster AND tres_id IN (<tres>) AND start_time >= :from AND"
                + " start_time < :until")
        .bind("cluster", cluster)
        .bindList("tres", names.keySet())
        .bind("from", window.from())
        .bind("until", window.until())
        .map((row, _) ->
            new Past(
                row.getLong(1),
                row.getLong(2),
                List.of(row.getLong(3), row.getLong(4), row.getLong(5))))
        .forEach(one -> {
          Hours of = of(names.getOrDefault(one.tres(), ""));
          int hour = (int) ((UsageSpan.HOUR.begin(one.start(), zone) - window.from()) / 3600);
          of.total[hour] += one.sums().get(0);
          of.down[hour] += one.sums().get(1);
          of.plannedDown[hour] += one.sums().get(2);
        });
  }

  private record Sum(long tres, long start, long held, long waited) {}

  private void sums() {
    Map<Long, String> names = TresTable.names(handle, tres);
    if (names.isEmpty()) {
      return;
    }
    handle
        .createQuery(
            "SELECT tres_id, start_time, seconds, waited_seconds FROM cluster_sum WHERE cluster_id"
                + " = :cluster AND tres_id IN (<tres>) AND start_time >= :from AND start_time <"
                + " :until")
        .bind("cluster", cluster)
        .bindList("tres", names.keySet())
        .bind("from", window.from())
        .bind("until", window.until())
        .map((row, _) -> new Sum(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)))
        .forEach(sum -> {
          Hours of = of(names.getOrDefault(sum.tres(), ""));
          int hour = (int) ((UsageSpan.HOUR.begin(sum.start(), zone) - window.from()) / 3600);
          of.held[hour] += sum.held();
          of.waited[hour] += sum.waited();
        });
  }

  private void live() {
    List<AttemptUse> live = AttemptUses.live(handle, cluster);
    var pauses = AttemptUses.pauses(handle, cluster, live);
    for (AttemptUse use : live) {
      use.waited(
          window.from(),
          window.until(),
          (from, to, asked) -> add(from, to, asked, hour -> hour.waited));
      use.ran(
          pauses.getOrDefault(use.attempt(), List.of()),
          window.from(),
          window.until(),
          (from, to, held) -> add(from, to, held, hour -> hour.held));
    }
  }
}
