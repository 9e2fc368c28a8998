package io.dure.rules.queueorder;

import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.history.UserRunHistory;
import io.dure.model.job.Job;
import io.dure.model.report.RunTimePrediction;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts run times from what ran before. What it says of a job is a mixture: each run of its own
 * kind counts as one, the last two of its user together as much as {@link #USER_WEIGHT} of those,
 * the last runs of the cluster under such a limit as {@link #CLUSTER_WEIGHT}, and the limit itself
 * as {@link #LIMIT_WEIGHT}. So where much is known of a kind the rest hardly matters, and of a
 * user's first job the limit and the habits of others speak. One thread.
 */
public final class RunTimePredictor {
  static final double USER_WEIGHT = 1;
  static final double CLUSTER_WEIGHT = 0.6;
  static final double LIMIT_WEIGHT = 0.12;

  private final RunHistory book;
  private final Map<Key, RunTimePrediction> made = new LinkedHashMap<>();
  private final Map<Key, RunTimeDistribution> times = new LinkedHashMap<>();

  private record Key(int uid, SimilarRunKey kind) {}

  /** One that knows what is in a book. */
  public RunTimePredictor(RunHistory book) {
    this.book = book;
  }

  /** What it says was made of. */
  RunHistory book() {
    return book;
  }

  /** How long a job is expected to run in a partition. */
  public RunTimePrediction of(Job job, PartitionConfig partition) {
    long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
    return of(job.owner().uid(), SimilarRunKey.of(job.spec(), limit));
  }

  /** How long a job of that user and kind is expected to run. */
  RunTimePrediction of(int uid, SimilarRunKey kind) {
    return made.computeIfAbsent(new Key(uid, kind), this::predict);
  }

  /**
   * How long a job is expected to run in all that has run for some time already: the mean of what
   * is longer than that, in seconds. Twice the time where all that is known of was over by then.
   */
  public double beyond(Job job, PartitionConfig partition, long elapsed) {
    long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
    double all = 0;
    double sum = 0;
    for (RunTimeDistribution.Sample one :
        samples(new Key(job.owner().uid(), SimilarRunKey.of(job.spec(), limit)))) {
      boolean longer = one.seconds() > elapsed && one.seconds() < PlannerTime.UNLIMITED;
      all += longer ? one.weight() : 0;
      sum += longer ? one.weight() * one.seconds() : 0;
    }
    return all > 0 ? sum / all : limit < PlannerTime.UNLIMITED ? limit : 2.0 * Math.max(1, elapsed);
  }

  /** The times that a job may run for in a partition. */
  public RunTimeDistribution times(Job job, PartitionConfig partition) {
    long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
    Key key = new Key(job.owner().uid(), SimilarRunKey.of(job.spec(), limit));
    return times.computeIfAbsent(key, one -> new RunTimeDistribution(samples(one)));
  }

  /** What is known of such a job, the shortest time first. */
  private List<RunTimeDistribution.Sample> samples(Key key) {
    long limit = key.kind().limit();
    UserRunHistory user = book.of(key.uid());
    List<RecordedRun> alike = user.of(key.kind());
    List<RecordedRun> others = user.recent();
    List<RecordedRun> cluster = book.runsWithLimit(limit);
    List<RunTimeDistribution.Sample> samples = new ArrayList<>();
    add(samples, alike, limit, alike.size());
    add(samples, others, limit, Math.min(USER_WEIGHT, others.size()));
    add(samples, cluster, limit, Math.min(CLUSTER_WEIGHT, cluster.size()));
    if (limit < PlannerTime.UNLIMITED || samples.isEmpty()) {
      samples.add(new RunTimeDistribution.Sample(limit, LIMIT_WEIGHT));
    }
    samples.sort(Comparator.comparingDouble(RunTimeDistribution.Sample::seconds));
    return samples;
  }

  private RunTimePrediction predict(Key key) {
    UserRunHistory user = book.of(key.uid());
    int alike = user.of(key.kind()).size();
    int others = user.recent().size();
    int cluster = book.runsWithLimit(key.kind().limit()).size();
    RunTimePrediction.Basis basis =
        alike > 0
            ? RunTimePrediction.Basis.KIND
            : others > 0
                ? RunTimePrediction.Basis.USER
                : cluster > 0 ? RunTimePrediction.Basis.CLUSTER : RunTimePrediction.Basis.LIMIT;
    int runs =
        switch (basis) {
          case KIND -> alike;
          case USER -> others;
          case CLUSTER -> cluster;
          case LIMIT -> 0;
        };
    return mixture(basis, runs, samples(key));
  }

  private static void add(
      List<RunTimeDistribution.Sample> samples, List<RecordedRun> runs, long limit, double weight) {
    for (RecordedRun run : runs) {
      samples.add(new RunTimeDistribution.Sample(run.under(limit), weight / runs.size()));
    }
  }

  private static RunTimePrediction mixture(
      RunTimePrediction.Basis basis, int runs, List<RunTimeDistribution.Sample> samples) {
    double all = 0;
    double sum = 0;
    for (RunTimeDistribution.Sample one : samples) {
      all += one.weight();
      sum += one.weight() * one.seconds();
    }
    return new RunTimePrediction(
        basis,
        runs,
        Math.max(1, sum / all),
        quantile(samples, 0.1 * all),
        quantile(samples, 0.5 * all),
        quantile(samples, 0.9 * all));
  }

  private static long quantile(List<RunTimeDistribution.Sample> samples, double below) {
    double sum = 0;
    for (RunTimeDistribution.Sample one : samples) {
      sum += one.weight();
      if (sum >= below) {
        return (long) Math.ceil(one.seconds());
      }
    }
    return (long) Math.ceil(samples.getLast().seconds());
  }
}
