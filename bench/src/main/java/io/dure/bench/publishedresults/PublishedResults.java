package io.dure.bench.publishedresults;

import static io.dure.bench.publishedresults.ReplayMetric.SLOWDOWN_MEAN;
import static io.dure.bench.publishedresults.ReplayMetric.SLOWDOWN_P99;
import static io.dure.bench.publishedresults.ReplayMetric.WAIT_MAX;
import static io.dure.bench.publishedresults.ReplayMetric.WAIT_MEAN;

import io.dure.bench.publishedresults.PublishedReplay.Value;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was published, or found again by others, of logs that anybody can have: KTH-SP2 in Gaussier
 * and others, SC'15; ten windows of Lublin-1 in RLScheduler, SC'20; Theta's log of 2023.
 */
public final class PublishedResults {
  private static final String KTH = "KTH-SP2-1996.swf.gz";
  private static final String THETA = "ANL-Theta-2023.swf.gz";
  private static final String LUBLIN = "lublin_256-1.swf.gz";
  private static final int[] LUBLIN_STARTS = {
    1981, 2756, 4299, 8850, 3316, 2714, 5228, 7762, 4022, 7085
  };
  private static final int LUBLIN_COUNT = 1024;
  private static final double ONE_PERCENT = 0.01;
  private static final double TWO_PERCENT = 0.02;
  private static final double THREE_PERCENT = 0.03;
  private static final Duration TWO_DAYS = Duration.ofDays(2);

  private PublishedResults() {}

  /** All of them. */
  public static List<PublishedReplay> all() {
    List<PublishedReplay> all = new ArrayList<>();
    all.addAll(kth());
    all.addAll(theta());
    lublin(all, QueueOrderPolicy.FCFS, 271.4, 261.3);
    lublin(all, QueueOrderPolicy.SJF, 42.1, 44.3);
    lublin(all, QueueOrderPolicy.SAF, 34.4, 33.7);
    lublin(all, QueueOrderPolicy.F1, 35.3, 35.2);
    lublin(all, QueueOrderPolicy.F4, 29.7, 27.9);
    lublin(all, QueueOrderPolicy.WFP3, 80.3, 91.1);
    return all;
  }

  private static List<PublishedReplay> kth() {
    return List.of(
        whole(
            KTH,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null),
            one(SLOWDOWN_MEAN, 92.58),
            one(SLOWDOWN_P99, 2136),
            one(WAIT_MAX, 262_194)),
        whole(
            KTH,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.CONSERVATIVE, EstimateSource.LIMIT, null),
            new Value(SLOWDOWN_MEAN, 101.8, TWO_PERCENT),
            new Value(SLOWDOWN_P99, 2449, TWO_PERCENT),
            new Value(WAIT_MAX, 249_742, TWO_PERCENT)),
        whole(
            KTH,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.SJBF, EstimateSource.LIMIT, null),
            one(SLOWDOWN_MEAN, 69.41)),
        whole(
            KTH,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.ACTUAL, null),
            one(SLOWDOWN_MEAN, 71.72)),
        whole(
            KTH,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.SJBF, EstimateSource.ACTUAL, null),
            one(SLOWDOWN_MEAN, 49.85)),
        whole(
            KTH,
            policy(QueueOrderPolicy.SAF, BackfillPolicy.EASY, EstimateSource.LIMIT, null),
            one(SLOWDOWN_MEAN, 39.2),
            one(SLOWDOWN_P99, 741),
            one(WAIT_MAX, 4_192_524)),
        whole(
            KTH,
            policy(QueueOrderPolicy.SJF, BackfillPolicy.EASY, EstimateSource.LIMIT, TWO_DAYS),
            one(SLOWDOWN_MEAN, 45.6),
            one(SLOWDOWN_P99, 958),
            one(WAIT_MAX, 316_013)));
  }

  private static List<PublishedReplay> theta() {
    return List.of(
        whole(
            THETA,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null),
            one(SLOWDOWN_MEAN, 77.8),
            one(SLOWDOWN_P99, 1644),
            one(WAIT_MEAN, 33_502),
            one(WAIT_MAX, 709_704)),
        whole(
            THETA,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.CONSERVATIVE, EstimateSource.LIMIT, null),
            one(SLOWDOWN_MEAN, 108.1),
            one(SLOWDOWN_P99, 1997),
            one(WAIT_MEAN, 46_719),
            one(WAIT_MAX, 713_319)),
        whole(
            THETA,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.SJBF, EstimateSource.LIMIT, null),
            one(SLOWDOWN_MEAN, 55.9),
            one(SLOWDOWN_P99, 1354),
            one(WAIT_MEAN, 27_565),
            one(WAIT_MAX, 729_167)),
        whole(
            THETA,
            policy(QueueOrderPolicy.FCFS, BackfillPolicy.SJBF, EstimateSource.ACTUAL, null),
            one(SLOWDOWN_MEAN, 29.4),
            one(SLOWDOWN_P99, 390),
            one(WAIT_MEAN, 23_471),
            one(WAIT_MAX, 717_183)),
        whole(
            THETA,
            policy(QueueOrderPolicy.SJF, BackfillPolicy.EASY, EstimateSource.LIMIT, TWO_DAYS),
            one(SLOWDOWN_MEAN, 39.0),
            one(SLOWDOWN_P99, 800),
            one(WAIT_MEAN, 23_895),
            one(WAIT_MAX, 766_779)));
  }

  private static void lublin(
      List<PublishedReplay> all, QueueOrderPolicy order, double easy, double conservative) {
    List<TraceWindow> windows = windows();
    all.add(lublin(windows, policy(order, BackfillPolicy.EASY, EstimateSource.LIMIT, null), easy));
    all.add(
        lublin(
            windows,
            policy(order, BackfillPolicy.CONSERVATIVE, EstimateSource.LIMIT, null),
            conservative));
  }

  /** The windows of Lublin-1 that numbers were published of. */
  static List<TraceWindow> windows() {
    return IntStream.of(LUBLIN_STARTS)
        .mapToObj(start -> new TraceWindow(start, LUBLIN_COUNT))
        .toList();
  }

  private static PublishedReplay lublin(
      List<TraceWindow> windows, ReplayPolicy policy, double value) {
    return new PublishedReplay(
        LUBLIN,
        Cleaning.IMPOSSIBLE,
        windows,
        policy,
        List.of(new Value(SLOWDOWN_MEAN, value, THREE_PERCENT)));
  }

  private static PublishedReplay whole(String file, ReplayPolicy policy, Value... values) {
    return new PublishedReplay(file, Cleaning.SC15, List.of(), policy, List.of(values));
  }

  private static ReplayPolicy policy(
      QueueOrderPolicy order,
      BackfillPolicy backfill,
      EstimateSource estimates,
      @Nullable Duration bound) {
    return new ReplayPolicy(order, backfill, estimates, bound);
  }

  private static Value one(ReplayMetric figure, double value) {
    return new Value(figure, value, ONE_PERCENT);
  }
}
