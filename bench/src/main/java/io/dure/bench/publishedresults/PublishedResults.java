package io.dure.bench.publishedresults;

import static io.dure.bench.publishedresults.ReplayMetric.SLOWDOWN_MEAN;
import static io.dure.bench.publishedresults.ReplayMetric.SLOWDOWN_P99;
import static io.dure.bench.publishedresults.ReplayMetric.WAIT_MAX;
import static io.dure.bench.publishedresults.ReplayMetric.WAIT_MEAN;
import static io.dure.twin.policy.BackfillPolicy.CONSERVATIVE;
import static io.dure.twin.policy.BackfillPolicy.EASY;
import static io.dure.twin.policy.BackfillPolicy.SJBF;
import static io.dure.twin.policy.EstimateSource.ACTUAL;
import static io.dure.twin.policy.EstimateSource.LIMIT;
import static io.dure.twin.policy.QueueOrderPolicy.F1;
import static io.dure.twin.policy.QueueOrderPolicy.F4;
import static io.dure.twin.policy.QueueOrderPolicy.FCFS;
import static io.dure.twin.policy.QueueOrderPolicy.SAF;
import static io.dure.twin.policy.QueueOrderPolicy.SJF;
import static io.dure.twin.policy.QueueOrderPolicy.WFP3;

import io.dure.bench.publishedresults.PublishedReplay.Value;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What was published, or found again by others, of logs that anybody can have: KTH-SP2 in Gaussier
 * and others, SC'15; ten windows of Lublin-1 in RLScheduler, SC'20; Theta's log of 2023.
 */
public final class PublishedResults {
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
    lublin(all, FCFS, 271.4, 261.3);
    lublin(all, SJF, 42.1, 44.3);
    lublin(all, SAF, 34.4, 33.7);
    lublin(all, F1, 35.3, 35.2);
    lublin(all, F4, 29.7, 27.9);
    lublin(all, WFP3, 80.3, 91.1);
    return all;
  }

  private static List<PublishedReplay> kth() {
    List<ReplayMetric> metrics = List.of(SLOWDOWN_MEAN, SLOWDOWN_P99, WAIT_MAX);
    PublishedLog kth = new PublishedLog("KTH-SP2-1996.swf.gz", metrics, ONE_PERCENT);
    return List.of(
        kth.of(new ReplayPolicy(FCFS, EASY, LIMIT, null), 92.58, 2136, 262_194),
        new PublishedLog(kth.file(), metrics, TWO_PERCENT)
            .of(new ReplayPolicy(FCFS, CONSERVATIVE, LIMIT, null), 101.8, 2449, 249_742),
        kth.of(new ReplayPolicy(FCFS, SJBF, LIMIT, null), 69.41),
        kth.of(new ReplayPolicy(FCFS, EASY, ACTUAL, null), 71.72),
        kth.of(new ReplayPolicy(FCFS, SJBF, ACTUAL, null), 49.85),
        kth.of(new ReplayPolicy(SAF, EASY, LIMIT, null), 39.2, 741, 4_192_524),
        kth.of(new ReplayPolicy(SJF, EASY, LIMIT, TWO_DAYS), 45.6, 958, 316_013));
  }

  private static List<PublishedReplay> theta() {
    List<ReplayMetric> metrics = List.of(SLOWDOWN_MEAN, SLOWDOWN_P99, WAIT_MEAN, WAIT_MAX);
    PublishedLog theta = new PublishedLog("ANL-Theta-2023.swf.gz", metrics, ONE_PERCENT);
    return List.of(
        theta.of(new ReplayPolicy(FCFS, EASY, LIMIT, null), 77.8, 1644, 33_502, 709_704),
        theta.of(new ReplayPolicy(FCFS, CONSERVATIVE, LIMIT, null), 108.1, 1997, 46_719, 713_319),
        theta.of(new ReplayPolicy(FCFS, SJBF, LIMIT, null), 55.9, 1354, 27_565, 729_167),
        theta.of(new ReplayPolicy(FCFS, SJBF, ACTUAL, null), 29.4, 390, 23_471, 717_183),
        theta.of(new ReplayPolicy(SJF, EASY, LIMIT, TWO_DAYS), 39.0, 800, 23_895, 766_779));
  }

  /**
   * Numbers that were published of one log.
   *
   * @param metrics what they are of, in this order
   * @param tolerance part of a number that a replay may differ by
   */
  private record PublishedLog(String file, List<ReplayMetric> metrics, double tolerance) {
    /** The whole log under a policy, of which the first metrics are known. */
    PublishedReplay of(ReplayPolicy policy, double... numbers) {
      List<Value> values =
          IntStream.range(0, numbers.length)
              .mapToObj(i -> new Value(metrics.get(i), numbers[i], tolerance))
              .toList();
      return new PublishedReplay(file, Cleaning.SC15, List.of(), policy, values);
    }
  }

  private static void lublin(
      List<PublishedReplay> all, QueueOrderPolicy order, double easy, double conservative) {
    List<TraceWindow> windows = windows();
    all.add(lublin(windows, new ReplayPolicy(order, EASY, LIMIT, null), easy));
    all.add(lublin(windows, new ReplayPolicy(order, CONSERVATIVE, LIMIT, null), conservative));
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
}
