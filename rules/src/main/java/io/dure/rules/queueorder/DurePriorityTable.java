package io.dure.rules.queueorder;

import io.dure.model.accounting.Qos;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.gres.GresCount;
import io.dure.model.history.RunHistory;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.DurePriority;
import io.dure.model.report.RunTimePrediction;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where jobs stand in Dure's own order at one time. A larger number comes first; it is made of the
 * rank of the QOS, the band of the association that the job is charged to, and in the band of the
 * job's size, or of its having waited too long. One thread.
 */
public final class DurePriorityTable {
  /** What a band gives. */
  public static final long BAND = 10_000_000;

  /** What a rank of QOS gives: as much as to have used half. */
  public static final long RANK = BAND;

  /** What a job gets that has waited too long, in place of what its size would give. */
  public static final long OVERDUE = 7_000_000;

  /** What a job's size gives at most, and its wait with it. */
  public static final long MOST_BY_SIZE = 6_000_000;

  /** What it gives to a job of one CPU and one second. */
  private static final long BY_NO_SIZE = 5_000_000;

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
  private final Machine machine;
  private final long longWait;
  private final long bound;
  private final long urgentFrom;

  /** What the cluster has in all. */
  private record Machine(double nodes, double cpus, double gpus) {
    static Machine of(SchedulerView view) {
      double nodes = 0;
      double cpus = 0;
      double gpus = 0;
      for (SchedulerNode node : view.nodes().values()) {
        NodeConfig config = node.config();
        nodes++;
        cpus += config.shape().cpus();
        gpus += config.resources().count(GresCount.GPU, null);
      }
      return new Machine(nodes, Math.max(1, cpus), gpus);
    }

    /** What a request asks for most of, as so many CPUs. */
    double width(ResourceRequest asked, SimilarRunKey kind) {
      double width = Math.max(1, kind.cpus());
      if (asked.sharing() == OversubscribeMode.EXCLUSIVE && nodes > 0) {
        width = Math.max(width, kind.nodes() / nodes * cpus);
      }
      return gpus == 0 ? width : Math.max(width, kind.gpus() / gpus * cpus);
    }
  }

  private DurePriorityTable(SchedulerView view, PolicySettings settings, Instant now) {
    this.settings = settings;
    this.now = now;
    predictor = new RunTimePredictor(view.runs());
    bands = FairShareBands.of(view, settings.bands(), now);
    machine = Machine.of(view);
    longWait = longWait(view.runs(), settings, machine.cpus(), now).toSeconds();
    bound = part(settings.overdueAt());
    urgentFrom = part(settings.urgentFrom());
    TreeSet<Long> priorities = new TreeSet<>();
    priorities.add(0L);
    for (Qos one : view.accounts().qosByNumber()) {
      priorities.add(one.priority());
    }
    for (Qos one : view.accounts().qosByNumber()) {
      ranks.put(one.name(), Math.min(MOST_RANK, priorities.headSet(one.priority()).size()));
    }
  }

  private long part(int percent) {
    return (long) (percent / PERCENT * longWait);
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
   * What is a long wait: a part of the longest backlog that the cluster knows of, within bounds; in
   * a new cluster, which knows of none, longer.
   *
   * @param cpus CPUs of all nodes
   */
  static Duration longWait(RunHistory runs, PolicySettings settings, double cpus, Instant now) {
    double backlog = settings.backlogShare() / PERCENT * runs.peak(now) / cpus;
    double seconds =
        Math.clamp(
            backlog,
            (double) Math.min(settings.leastBound().toSeconds(), settings.mostBound().toSeconds()),
            (double) settings.mostBound().toSeconds());
    Instant since = runs.since();
    double age = since == null ? 0.0 : (double) Duration.between(since, now).toSeconds();
    double young = 1 - age / (double) Math.max(1, settings.newFor().toSeconds());
    return Duration.ofSeconds((long) Math.max(seconds, young * settings.newBound().toSeconds()));
  }

  /** The number by which a job stands in a partition: 0 while it is held, at least 1 otherwise. */
  public long priority(Job job, PartitionConfig partition) {
    return of(job, partition).priority();
  }

  /** Where a job stands in a partition, and by what. */
  public DurePriority of(Job job, PartitionConfig partition) {
    RunTimePrediction prediction = predictor.of(job, partition);
    double width = machine.width(job.spec().resources(), SimilarRunKey.of(job.spec(), 1));
    FairShareBands.Place place = bands.of(job, partition);
    long waited = waited(job);
    boolean overdue = waited > bound;
    String qos = job.spec().qos();
    int rank = qos == null ? 0 : ranks.getOrDefault(qos, 0);
    long bySize = overdue ? 0 : bySize(prediction, width, waited);
    long byWait = overdue ? 0 : Math.min(byWait(waited), MOST_BY_SIZE - bySize);
    long sum =
        rank * RANK
            + place.band() * BAND
            + (overdue ? OVERDUE : bySize + byWait)
            + job.spec().siteFactor()
            - job.spec().nice();
    Long asked = job.spec().priority();
    long named = asked == null ? 0 : asked;
    boolean fixed = named > 0;
    return new DurePriority(
        job.priority() == 0 ? 0 : fixed ? named : Math.clamp(sum, 1, MOST),
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
        urgentFrom);
  }

  /** What a wait gives that is on the way to a long one. */
  private long byWait(long waited) {
    double most = settings.urgency() / PERCENT * DurePriority.OF_A_DOUBLING;
    return waited <= urgentFrom
        ? 0
        : Math.round(most * (waited - urgentFrom) / (double) Math.max(1, longWait - urgentFrom));
  }

  private long bySize(RunTimePrediction prediction, double width, long waited) {
    double size =
        Math.log(prediction.seconds())
            + settings.width() / PERCENT * Math.log(width)
            - settings.patience() / PERCENT * Math.log(FIRST_WAIT + waited);
    return Math.clamp(
        Math.round(BY_NO_SIZE - DurePriority.OF_A_DOUBLING * size / Math.log(2)), 1, MOST_BY_SIZE);
  }

  /** Whether it has waited for so long that it is promised a start where it stands. */
  boolean hasWaited(Job job) {
    return PERCENT * waited(job) > settings.promiseShare() * (double) longWait;
  }

  /** The largest number that a job may come to as long as it asks for what it asks for. */
  public long most(Job job) {
    Long asked = job.spec().priority();
    if (job.priority() == 0 || asked != null && asked > 0) {
      return job.priority() == 0 || asked == null ? 0 : asked;
    }
    String qos = job.spec().qos();
    int rank = qos == null ? 0 : ranks.getOrDefault(qos, 0);
    long sum = rank * RANK + (settings.bands() - 1) * BAND + OVERDUE;
    return Math.clamp(sum + job.spec().siteFactor() - job.spec().nice(), 1, MOST);
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
