package io.dure.cli.cost;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.facts.JobDetails;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.YearMonth;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What attempts of jobs cost between two times, by account and month. Only what runs costs: neither
 * waiting nor what was suspended. For one thread.
 */
final class CostBook {
  private static final BigDecimal SECONDS_AN_HOUR = BigDecimal.valueOf(3600);
  private static final int EXACT = 18;
  private static final long SLACK_SECONDS = 120;

  /** By what costs are listed within an account. */
  enum By {
    ACCOUNT,
    USER,
    PARTITION,
    JOB
  }

  /**
   * A row.
   *
   * @param detail the user, partition or job within the account; empty for all of it
   */
  record Key(String account, String detail, YearMonth month) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int first = account.compareTo(other.account);
      int second = first != 0 ? first : month.compareTo(other.month);
      return second != 0 ? second : detail.compareTo(other.detail);
    }
  }

  /** What stands in a row. */
  static final class Sum {
    private final Set<String> attempts = new LinkedHashSet<>();
    private final Map<String, Long> seconds = new TreeMap<>();
    private BigDecimal cost = BigDecimal.ZERO;

    /** How many attempts had a part in it. */
    int attempts() {
      return attempts.size();
    }

    /** Amount by seconds, memory in MiB. */
    long seconds(String tres) {
      return seconds.getOrDefault(tres, 0L);
    }

    /** The cost, not rounded. */
    BigDecimal exact() {
      return cost;
    }

    /** The cost, in hundredths. */
    BigDecimal cost() {
      return rounded(cost);
    }
  }

  private final PriceList prices;
  private final AccountPaths paths;
  private final Instant from;
  private final Instant until;
  private final Instant now;
  private final By by;
  private final Map<Key, Sum> rows = new TreeMap<>();
  private final Map<String, Long> seconds = new TreeMap<>();
  private final Map<String, Long> doubtful = new TreeMap<>();

  /**
   * Nothing yet.
   *
   * @param until the end of the time, outside
   */
  CostBook(PriceList prices, AccountPaths paths, Instant from, Instant until, Instant now, By by) {
    this.paths = paths;
    this.prices = prices;
    this.from = from;
    this.until = until.isAfter(now) ? now : until;
    this.now = now;
    this.by = by;
  }

  /** An amount in hundredths, halves up. */
  static BigDecimal rounded(BigDecimal amount) {
    return amount.setScale(2, RoundingMode.HALF_UP);
  }

  /** With an attempt more. */
  void add(RecordedJob recorded) {
    add("", recorded);
  }

  /**
   * With an attempt more.
   *
   * @param place what tells its job from one of the same number in another cluster
   */
  void add(String place, RecordedJob recorded) {
    Job job = recorded.job();
    Allocation held = JobDetails.allocation(job.state());
    Instant start = start(job.state());
    if (held == null || start == null) {
      return;
    }
    Instant over = end(job.state());
    Instant end = over == null ? now : over;
    long whole = end.getEpochSecond() - start.getEpochSecond();
    long paused = Math.clamp(paused(job.state()), 0, Math.max(0, whole));
    if (whole <= 0 || paused == whole) {
      return;
    }
    String attempt = place + recorded.attempt().jobId() + "." + recorded.attempt().number();
    String account = job.spec().account();
    List<String> lineage = account == null ? List.of() : paths.lineage(account);
    Instant at = later(start, from);
    Instant last = end.isBefore(until) ? end : until;
    while (at.isBefore(last)) {
      Instant change = prices.nextChange(at);
      Instant next = change.isBefore(last) ? change : last;
      Key key = key(job, held, prices.month(at));
      Sum sum = rows.computeIfAbsent(key, _ -> new Sum());
      sum.attempts.add(attempt);
      long length = next.getEpochSecond() - at.getEpochSecond();
      BigDecimal perHour =
          prices.perHour(held, lineage, at.atZone(prices.zone()).toLocalDateTime());
      sum.cost = sum.cost.add(share(perHour.multiply(BigDecimal.valueOf(length)), whole, paused));
      long ran = paused == 0 ? length : Math.round((double) length * (whole - paused) / whole);
      count(sum, held, ran);
      at = next;
    }
    boolean clipped = start.isBefore(from) || end.isAfter(until);
    doubt(held, (over == null ? SLACK_SECONDS : 0) + (clipped || over == null ? paused : 0));
  }

  /** The cost of a piece of a run, of whose whole length so much was suspended. */
  private static BigDecimal share(BigDecimal bySeconds, long whole, long paused) {
    if (paused == 0) {
      return bySeconds.divide(SECONDS_AN_HOUR, EXACT, RoundingMode.HALF_UP);
    }
    return bySeconds
        .multiply(BigDecimal.valueOf(whole - paused))
        .divide(SECONDS_AN_HOUR.multiply(BigDecimal.valueOf(whole)), EXACT, RoundingMode.HALF_UP);
  }

  private void count(Sum sum, Allocation held, long length) {
    for (TresAmounts.Amount one : TresAmounts.of(held).amounts()) {
      sum.seconds.merge(one.name(), one.amount() * length, Long::sum);
      seconds.merge(one.name(), one.amount() * length, Long::sum);
    }
  }

  private void doubt(Allocation held, long length) {
    for (TresAmounts.Amount one : TresAmounts.of(held).amounts()) {
      doubtful.merge(one.name(), one.amount() * (length + 1), Long::sum);
    }
  }

  private Key key(Job job, Allocation held, YearMonth month) {
    String account = Objects.requireNonNullElse(job.spec().account(), "");
    return switch (by) {
      case ACCOUNT -> new Key(account, "", month);
      case USER -> new Key(account, job.owner().userName(), month);
      case PARTITION -> new Key(account, held.partition(), month);
      case JOB -> new Key(account, job.displayId(), month);
    };
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static @Nullable Instant start(JobState state) {
    return switch (state) {
      case JobState.Pending _ -> null;
      case JobState.Running running -> running.start();
      case JobState.Suspended paused -> paused.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start();
    };
  }

  private static @Nullable Instant end(JobState state) {
    return switch (state) {
      case JobState.Completing completing -> completing.end();
      case JobState.Ended ended -> ended.end();
      case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> null;
    };
  }

  private long paused(JobState state) {
    JobState.SuspensionTotals pauses =
        switch (state) {
          case JobState.Running running -> running.pauses();
          case JobState.Suspended suspended -> suspended.pausesUntil(now);
          case JobState.Completing completing -> completing.pauses();
          case JobState.Ended ended -> ended.pauses();
          case JobState.Pending _ -> null;
        };
    return pauses == null ? 0 : pauses.total().toSeconds();
  }

  /** All rows, by account, month and detail. */
  Map<Key, Sum> rows() {
    return rows;
  }

  /** What stands in the rows of accounts in a month, not rounded. */
  BigDecimal cost(YearMonth month, Predicate<String> accounts) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Map.Entry<Key, Sum> one : rows.entrySet()) {
      if (one.getKey().month().equals(month) && accounts.test(one.getKey().account())) {
        sum = sum.add(one.getValue().exact());
      }
    }
    return sum;
  }

  /** Amount by seconds of all rows. */
  long seconds(String tres) {
    return seconds.getOrDefault(tres, 0L);
  }

  /** By how much that may differ from the books' sums: running jobs and suspensions. */
  long doubtful(String tres) {
    return doubtful.getOrDefault(tres, 0L);
  }
}
