package io.dure.core.scheduler.policy;

import io.dure.core.config.PartitionConfig;
import io.dure.core.history.Run;
import io.dure.core.history.RunBook;
import io.dure.core.history.RunKind;
import io.dure.core.history.UserRuns;
import io.dure.core.model.Job;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.Times;
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
public final class Predictor {
  static final double USER_WEIGHT = 1;
  static final double CLUSTER_WEIGHT = 0.6;
  static final double LIMIT_WEIGHT = 0.12;

  private final RunBook book;
  private final Map<Key, Prediction> made = new LinkedHashMap<>();
  private final Map<Key, Mixture> times = new LinkedHashMap<>();

  private record Key(int uid, RunKind kind) {}

  /** One that knows what is in a book. */
  public Predictor(RunBook book) {
    this.book = book;
  }

  /** What it says was made of. */
  RunBook book() {
    return book;
  }

  /** How long a job is expected to run in a partition. */
  public Prediction of(Job job, PartitionConfig partition) {
    long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
    return of(job.owner().uid(), RunKind.of(job.spec(), limit));
  }

  /** How long a job of that user and kind is expected to run. */
  Prediction of(int uid, RunKind kind) {
    return made.computeIfAbsent(new Key(uid, kind), this::predict);
  }

  /**
   * How long a job is expected to run in all that has run for some time already: the mean of what
   * is longer than that, in seconds. Twice the time where all that is known of was over by then.
   */
  public double beyond(Job job, PartitionConfig partition, long elapsed) {
    long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
    double all = 0;
    double sum = 0;
    for (Mixture.Sample one : samples(new Key(job.owner().uid(), RunKind.of(job.spec(), limit)))) {
      boolean longer = one.seconds() > elapsed && one.seconds() < Times.UNLIMITED;
      all += longer ? one.weight() : 0;
      sum += longer ? one.weight() * one.seconds() : 0;
    }
    return all > 0 ? sum / all : limit < Times.UNLIMITED ? limit : 2.0 * Math.max(1, elapsed);
  }

  /** The times that a job may run for in a partition. */
  public Mixture times(Job job, PartitionConfig partition) {
    long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
    Key key = new Key(job.owner().uid(), RunKind.of(job.spec(), limit));
    return times.computeIfAbsent(key, one -> new Mixture(samples(one)));
  }

  /** What is known of such a job, the shortest time first. */
  private List<Mixture.Sample> samples(Key key) {
    long limit = key.kind().limit();
    UserRuns user = book.of(key.uid());
    List<Run> alike = user.of(key.kind());
    List<Run> others = user.recent();
    List<Run> cluster = book.under(limit);
    List<Mixture.Sample> samples = new ArrayList<>();
    add(samples, alike, limit, alike.size());
    add(samples, others, limit, Math.min(USER_WEIGHT, others.size()));
    add(samples, cluster, limit, Math.min(CLUSTER_WEIGHT, cluster.size()));
    if (limit < Times.UNLIMITED || samples.isEmpty()) {
      samples.add(new Mixture.Sample(limit, LIMIT_WEIGHT));
    }
    samples.sort(Comparator.comparingDouble(Mixture.Sample::seconds));
    return samples;
  }

  private Prediction predict(Key key) {
    UserRuns user = book.of(key.uid());
    int alike = user.of(key.kind()).size();
    int others = user.recent().size();
    int cluster = book.under(key.kind().limit()).size();
    Prediction.Basis basis =
        alike > 0
            ? Prediction.Basis.KIND
            : others > 0
                ? Prediction.Basis.USER
                : cluster > 0 ? Prediction.Basis.CLUSTER : Prediction.Basis.LIMIT;
    int runs =
        switch (basis) {
          case KIND -> alike;
          case USER -> others;
          case CLUSTER -> cluster;
          case LIMIT -> 0;
        };
    return mixture(basis, runs, samples(key));
  }

  private static void add(List<Mixture.Sample> samples, List<Run> runs, long limit, double weight) {
    for (Run run : runs) {
      samples.add(new Mixture.Sample(run.under(limit), weight / runs.size()));
    }
  }

  private static Prediction mixture(
      Prediction.Basis basis, int runs, List<Mixture.Sample> samples) {
    double all = 0;
    double sum = 0;
    for (Mixture.Sample one : samples) {
      all += one.weight();
      sum += one.weight() * one.seconds();
    }
    return new Prediction(
        basis,
        runs,
        Math.max(1, sum / all),
        quantile(samples, 0.1 * all),
        quantile(samples, 0.5 * all),
        quantile(samples, 0.9 * all));
  }

  private static long quantile(List<Mixture.Sample> samples, double below) {
    double sum = 0;
    for (Mixture.Sample one : samples) {
      sum += one.weight();
      if (sum >= below) {
        return (long) Math.ceil(one.seconds());
      }
    }
    return (long) Math.ceil(samples.getLast().seconds());
  }
}
