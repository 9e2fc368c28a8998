package io.dure.cli.sdiag;

import io.dure.protocol.StatisticsInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what Slurm printed, so that it can be printed again. */
final class PrintedStatistics {
  private static final Pattern CALLS =
      Pattern.compile("\t(\\S+) +\\( *(\\d+)\\) count:(\\d+) +ave_time:\\d+ +total_time:(\\d+)");

  private final String text;
  private int from;

  private PrintedStatistics(String text) {
    this.text = text;
  }

  static StatisticsInfo of(String text) {
    return new PrintedStatistics(text).read();
  }

  private StatisticsInfo read() {
    Instant now = moment("sdiag output at ");
    Instant since = moment("Data since ");
    StatisticsInfo.Load load =
        new StatisticsInfo.Load(
            (int) number("Server thread count:"),
            (int) number("Agent queue size:"),
            (int) number("Agent count:"));
    StatisticsInfo.Jobs jobs =
        new StatisticsInfo.Jobs(
            number("Jobs submitted:"),
            number("Jobs started:"),
            number("Jobs completed:"),
            number("Jobs canceled:"),
            number("Jobs failed:"),
            number("Jobs pending:"),
            number("Jobs running:"));
    Instant counted = moment("Job states ts:");
    section("Main schedule");
    long cycles = number("Total cycles:");
    StatisticsInfo.Main main =
        new StatisticsInfo.Main(
            cycles,
            number("Last cycle:"),
            number("Max cycle:"),
            cycles * number("Mean cycle:"),
            cycles * number("Mean depth cycle:"),
            number("Last queue length:"));
    StatisticsInfo.Backfill backfill = backfill();
    long latency = number("gettimeofday():");
    section("Remote Procedure Call statistics by user");
    return new StatisticsInfo(
        now,
        since,
        load,
        jobs,
        counted,
        main,
        backfill,
        Duration.ofNanos(1000 * latency),
        calls(text.substring(0, from)),
        calls(text.substring(from)));
  }

  private StatisticsInfo.Backfill backfill() {
    section("Backfilling stats");
    long cycles = number("Total cycles:");
    return new StatisticsInfo.Backfill(
        number("(since last slurm start):"),
        number("(since last stats cycle start):"),
        cycles,
        text.contains("Last cycle when: N/A") ? null : moment("Last cycle when:"),
        number("Last cycle:"),
        number("Max cycle:"),
        cycles * number("Mean cycle:"),
        number("Last depth cycle:"),
        number("Last depth cycle (try sched):"),
        cycles * number("Depth Mean:"),
        cycles * number("Depth Mean (try depth):"),
        number("Last queue length:"),
        cycles * number("Queue length mean:"),
        number("Last table size:"),
        cycles * number("Mean table size:"));
  }

  private void section(String title) {
    from = text.indexOf(title);
  }

  /** The number behind a label of the section, 0 where it is not printed. */
  private long number(String label) {
    Matcher found = Pattern.compile(Pattern.quote(label) + " *(\\d+)").matcher(text);
    return found.find(from) ? Long.parseLong(found.group(1)) : 0;
  }

  private Instant moment(String label) {
    Matcher found = Pattern.compile(Pattern.quote(label) + "[^(]*\\((\\d+)\\)").matcher(text);
    if (!found.find(from)) {
      throw new IllegalArgumentException(label);
    }
    return Instant.ofEpochSecond(Long.parseLong(found.group(1)));
  }

  private static List<StatisticsInfo.Calls> calls(String part) {
    List<StatisticsInfo.Calls> all = new ArrayList<>();
    Matcher line = CALLS.matcher(part);
    while (line.find()) {
      all.add(
          new StatisticsInfo.Calls(
              line.group(1),
              Integer.parseInt(line.group(2)),
              Long.parseLong(line.group(3)),
              Long.parseLong(line.group(4))));
    }
    return all;
  }
}
