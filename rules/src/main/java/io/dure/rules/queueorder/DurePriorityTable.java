package io.dure.rules.queueorder;

import io.dure.model.accounting.Qos;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.DurePriority;
import io.dure.model.report.RunTimePrediction;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import java.time.Instant;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where jobs stand in Dure's own order at one time. A larger number comes first; it is made of the
 * rank of the QOS, the band of the association that the job is charged to, and in the band of the
 * job's size if it is short, else of its wait. Jobs that have waited beyond their bound come before
 * all of these, in the order in which they crossed it. One thread.
 */
public final class DurePriorityTable {
  /** What a band gives. */
  public static final long BAND = 10_000_000;

  /** What a rank of QOS gives: as much as to have used half. */
  public static final long RANK = BAND;

  /** What a short job gets at least; one that is not has less, by its wait. */
  public static final long SHORT = 3_000_000;

  /** What a job's size gives at most. */
  public static final long MOST_BY_SIZE = 6_000_000;

  /** What an overdue job gets at least: more than any that is not. */
  private static final long LAST_OVERDUE = 1_000_000_000;

  /**
   * Jobs that cross their bounds up to this second since 1970, in 2069, have numbers of their own.
   */
  private static final long LAST_SECOND = 3_150_000_000L;

  /** What a size gives to a job of one CPU and one second. */
  private static final long BY_NO_SIZE = 6_000_000;

  private static final int MOST_RANK = 40;
  private static final double PERCENT = 100;

  /** Seconds of waiting from which on a wait makes a difference. */
  private static final double FIRST_WAIT = 600;

  /** The largest number, as in Slurm. */
  private static final long MOST = 0xFFFF_FFFEL;

  private final PolicySettings settings;
  private final Instant now;
  private final RunTimePredictor predictor;
  private final FairShareBands bands;
  private final TreeMap<String, Integer> ranks = new TreeMap<>();
  private final JobWidths widths;
  private final WaitBounds bounds;
  private final boolean overloaded;
  private final double shortSeconds;

  private DurePriorityTable(SchedulerView view, PolicySettings settings, Instant now) {
    this.settings = settings;
    this.now = now;
    predictor = new RunTimePredictor(view.runs());
    bands = FairShareBands.of(view, settings.bands(), now);
    widths = new JobWidths(view);
    bounds = new WaitBounds(settings, view.runs(), widths, now);
    overloaded = bounds.areExceeded();
    shortSeconds =
        shortSeconds(
            view.runs(),
            overloaded
                ? Math.min(settings.overloadShare(), settings.shortShare())
                : settings.shortShare());
    TreeSet<Long> priorities = new TreeSet<>();
    priorities.add(0L);
    for (Qos one : view.accounts().qosByNumber()) {
      priorities.add(one.priority());
    }
    for (Qos one : view.accounts().qosByNumber()) {
      ranks.put(one.name(), Math.min(MOST_RANK, priorities.headSet(one.priority()).size()));
    }
  }

  /** Up to what run time jobs are short; whatever it is where nothing ran yet. */
  private static double shortSeconds(RunHistory runs, int share) {
    boolean known = runs.spectrum().total() > 0;
    double most = runs.spectrum().secondsAt(share / PERCENT);
    return switch (share) {
      case 0 -> 0;
      case 100 -> PlannerTime.UNLIMITED;
      default -> known ? most : PlannerTime.UNLIMITED;
    };
  }

  /** Those of a view by its settings, or by the usual numbers where it asks for Slurm's order. */
  public static DurePriorityTable of(SchedulerView view, Instant now) {
    PolicySettings asked = view.settings().scheduling().policy();
    return of(view, asked == null ? PolicySettings.USUAL : asked, now);
  }

  /** Those of a view by these numbers. */
  static DurePriorityTable of(SchedulerView view, PolicySettings settings, Instant now) {
    return new DurePriorityTable(view, settings, now);
  }

  /** Whether a cluster orders its jobs by them. */
  public static boolean areInForce(ClusterSettings settings) {
    return settings.scheduling().policy() != null;
  }

  /**
   * Whether the cluster is overloaded: the longest backlog is so long that bounds do not follow it
   * any more. Then fewer jobs are short, and all are planned by their limits.
   */
  boolean isOverloaded() {
    return overloaded;
  }

  /**
   * From what second on a start is reserved for an overdue job; 0 for any. In an overloaded cluster
   * nearly all jobs that wait are overdue: if each had the earliest start of all, none could start
   * before another, and nothing would fill the time before a wide job.
   */
  long earliestReserved(Job job) {
    return overloaded ? bounds.workedOff(job) : 0;
  }

  /** The number by which a job stands in a partition: 0 while it is held, at least 1 otherwise. */
  public long priority(Job job, PartitionConfig partition) {
    return of(job, partition).priority();
  }

  /** Where a job stands in a partition, and by what. */
  public DurePriority of(Job job, PartitionConfig partition) {
    RunTimePrediction prediction = predictor.of(job, partition);
    double width = widths.of(job);
    FairShareBands.Place place = bands.of(job, partition);
    long waited = waited(job);
    long bound = bounds.of(job);
    boolean overdue = waited > bound;
    boolean isShort = prediction.seconds() <= shortSeconds;
    String qos = job.spec().qos();
    int rank = qos == null ? 0 : ranks.getOrDefault(qos, 0);
    long bySize = overdue || !isShort ? 0 : bySize(prediction, width, waited);
    long byWait = overdue ? overdue(job, bound) : isShort ? 0 : Math.min(waited, SHORT - 1);
    long sum =
        overdue
            ? byWait
            : rank * RANK
                + place.band() * BAND
                + bySize
                + byWait
                + job.spec().siteFactor()
                - job.spec().nice();
    boolean fixed = isFixed(job);
    return new DurePriority(
        job.priority() == 0 ? 0 : fixed ? named(job) : Math.clamp(sum, 1, MOST),
        fixed,
        rank,
        place.band(),
        place.share(),
        prediction,
        width,
        waited,
        bound,
        overdue,
        bySize,
        job.spec().siteFactor(),
        job.spec().nice(),
        byWait,
        (long) Math.min(shortSeconds, PlannerTime.UNLIMITED),
        overloaded);
  }

  private static long named(Job job) {
    Long asked = job.spec().priority();
    return asked == null ? 0 : asked;
  }

  /** Whether the number was set by hand. */
  private static boolean isFixed(Job job) {
    return named(job) > 0;
  }

  /** The earlier a job crosses its bound, the more it gets. */
  private long overdue(Job job, long bound) {
    Instant since = job.eligibleTime();
    long crossing = (since == null ? now : since).getEpochSecond() + bound;
    return Math.clamp(LAST_OVERDUE + LAST_SECOND - crossing, LAST_OVERDUE, MOST);
  }

  private long bySize(RunTimePrediction prediction, double width, long waited) {
    double size =
        Math.log(prediction.seconds())
            + settings.width() / PERCENT * Math.log(width)
            - settings.patience() / PERCENT * Math.log(FIRST_WAIT + waited);
    return Math.clamp(
        Math.round(BY_NO_SIZE - DurePriority.OF_A_DOUBLING * size / Math.log(2)),
        SHORT,
        MOST_BY_SIZE);
  }

  /** Whether a job has waited beyond its bound. */
  boolean isOverdue(Job job) {
    return !isFixed(job) && job.priority() > 0 && waited(job) > bounds.of(job);
  }

  /** Whether a job comes in the order of submission. */
  boolean isInTurn(Job job, PartitionConfig partition) {
    return predictor.of(job, partition).seconds() > shortSeconds;
  }

  /** The largest number that a job may come to as long as it asks for what it asks for. */
  public long most(Job job) {
    return job.priority() == 0 ? 0 : isFixed(job) ? named(job) : overdue(job, bounds.of(job));
  }

  private long waited(Job job) {
    Instant since = job.eligibleTime();
    Instant until =
        switch (job.state()) {
          case JobState.Pending _ -> now;
          case JobState.Running running -> running.start();
          case JobState.Suspended suspended -> suspended.run().start();
          case JobState.Completing completing -> completing.start();
          case JobState.Ended _ -> since;
        };
    return since == null || until == null
        ? 0
        : Math.max(0, until.getEpochSecond() - since.getEpochSecond());
  }
}
