package io.dure.cli.sdiag;

import io.dure.protocol.StatisticsInfo;
import io.dure.protocol.StatisticsInfo.Calls;
import io.dure.surface.facts.ListingDateLine;
import io.dure.surface.json.RpcSortOrder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The controller's statistics in Slurm's layout. For one thread. */
final class StatisticsText {
  private static final String RULE = "*".repeat(55) + "\n";
  private static final int NAME = 40;
  private static final int USER = 16;
  private static final int NUMBER = 6;

  private final StringBuilder out = new StringBuilder(8192);
  private final StatisticsInfo statistics;
  private final ZoneId zone;
  private final RpcSortOrder order;

  StatisticsText(StatisticsInfo statistics, ZoneId zone, RpcSortOrder order) {
    this.statistics = statistics;
    this.zone = zone;
    this.order = order;
  }

  String text() {
    out.append(RULE);
    line("sdiag output at ", moment(statistics.now()));
    line("Data since      ", moment(statistics.since()));
    out.append(RULE);
    line("Server thread count:  ", statistics.load().answering());
    line("Agent queue size:     ", statistics.load().queued());
    line("Agent count:          ", statistics.load().sending());
    line("Agent thread count:   ", statistics.load().sending());
    line("DBD Agent queue size: ", 0);
    jobs(statistics.jobs());
    main(statistics.main());
    backfill(statistics.backfill());
    out.append("\nLatency for 1000 calls to gettimeofday(): ")
        .append(statistics.clockCost().toNanos() / 1000)
        .append(" microseconds\n");
    out.append("\nRemote Procedure Call statistics by message type\n");
    calls(statistics.types(), NAME, 5);
    out.append("\nRemote Procedure Call statistics by user\n");
    calls(statistics.users(), USER, 8);
    out.append("\nPending RPC statistics\n\tNo pending RPCs\n");
    return out.toString();
  }

  private void jobs(StatisticsInfo.Jobs jobs) {
    out.append('\n');
    line("Jobs submitted: ", jobs.submitted());
    line("Jobs started:   ", jobs.started());
    line("Jobs completed: ", jobs.completed());
    line("Jobs canceled:  ", jobs.canceled());
    line("Jobs failed:    ", jobs.failed());
    out.append('\n');
    line("Job states ts:  ", moment(statistics.jobsAt()));
    line("Jobs pending:   ", jobs.pending());
    line("Jobs running:   ", jobs.running());
  }

  private void main(StatisticsInfo.Main main) {
    out.append("\nMain schedule statistics (microseconds):\n");
    line("\tLast cycle:   ", main.last());
    line("\tMax cycle:    ", main.longest());
    line("\tTotal cycles: ", main.cycles());
    long cycles = main.cycles();
    if (cycles > 0) {
      line("\tMean cycle:   ", main.time() / cycles);
      line("\tMean depth cycle:  ", main.depth() / cycles);
    }
    long minutes = (statistics.now().getEpochSecond() - statistics.since().getEpochSecond()) / 60;
    if (minutes > 0) {
      line("\tCycles per minute: ", cycles / minutes);
    }
    line("\tLast queue length: ", main.lastQueue());
  }

  private void backfill(StatisticsInfo.Backfill found) {
    out.append("\nBackfilling stats\n");
    line("\tTotal backfilled jobs (since last slurm start): ", found.jobs());
    line("\tTotal backfilled jobs (since last stats cycle start): ", found.jobsOfCycle());
    line("\tTotal backfilled heterogeneous job components: ", 0);
    line("\tTotal cycles: ", found.cycles());
    Instant when = found.when();
    line("\tLast cycle when: ", when == null ? "N/A" : moment(when));
    line("\tLast cycle: ", found.last());
    line("\tMax cycle:  ", found.longest());
    long cycles = found.cycles();
    if (cycles > 0) {
      line("\tMean cycle: ", found.time() / cycles);
    }
    line("\tLast depth cycle: ", found.lastDepth());
    line("\tLast depth cycle (try sched): ", found.lastTried());
    if (cycles > 0) {
      line("\tDepth Mean: ", found.depth() / cycles);
      line("\tDepth Mean (try depth): ", found.tried() / cycles);
    }
    line("\tLast queue length: ", found.lastQueue());
    if (cycles > 0) {
      line("\tQueue length mean: ", found.queue() / cycles);
    }
    line("\tLast table size: ", found.lastTable());
    if (cycles > 0) {
      line("\tMean table size: ", found.table() / cycles);
    }
  }

  private void calls(List<Calls> all, int nameWidth, int idWidth) {
    List<Calls> sorted = new ArrayList<>(all);
    sorted.sort(order.order());
    for (Calls one : sorted) {
      out.append('\t').append(one.name());
      out.repeat(' ', Math.max(0, nameWidth - one.name().length()));
      String id = Integer.toUnsignedString(one.id());
      out.append('(').repeat(' ', Math.max(0, idWidth - id.length())).append(id).append(")");
      number(" count:", one.count());
      number(" ave_time:", RpcSortOrder.average(one));
      out.append(" total_time:").append(one.micros()).append('\n');
    }
  }

  private void number(String label, long value) {
    String digits = Long.toString(value);
    out.append(label).append(digits).repeat(' ', Math.max(0, NUMBER - digits.length()));
  }

  private String moment(Instant moment) {
    return ListingDateLine.of(moment, zone) + " (" + moment.getEpochSecond() + ")";
  }

  private void line(String label, long value) {
    out.append(label).append(value).append('\n');
  }

  private void line(String label, String value) {
    out.append(label).append(value).append('\n');
  }
}
