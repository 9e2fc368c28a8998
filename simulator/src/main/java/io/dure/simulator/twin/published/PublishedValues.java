package io.dure.simulator.twin.published;

import static io.dure.simulator.twin.published.Figure.SLOWDOWN_MEAN;
import static io.dure.simulator.twin.published.Figure.SLOWDOWN_P99;
import static io.dure.simulator.twin.published.Figure.WAIT_MAX;
import static io.dure.simulator.twin.published.Figure.WAIT_MEAN;

import io.dure.simulator.twin.Backfill;
import io.dure.simulator.twin.Estimates;
import io.dure.simulator.twin.Order;
import io.dure.simulator.twin.Policy;
import io.dure.simulator.twin.published.PublishedCase.Value;
import io.dure.simulator.twin.report.Window;
import io.dure.simulator.twin.trace.SwfRules.Cleaning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was published, or found again by others, of logs that anybody can have: KTH-SP2 in Gaussier
 * and others, SC'15; ten windows of Lublin-1 in RLScheduler, SC'20; Theta's log of 2023.
 */
public final class PublishedValues {
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

  private PublishedValues() {}

  /** All of them. */
  public static List<PublishedCase> all() {
    List<PublishedCase> all = new ArrayList<>();
    all.addAll(kth());
    all.addAll(theta());
    lublin(all, Order.FCFS, 271.4, 261.3);
    lublin(all, Order.SJF, 42.1, 44.3);
    lublin(all, Order.SAF, 34.4, 33.7);
    lublin(all, Order.F1, 35.3, 35.2);
    lublin(all, Order.F4, 29.7, 27.9);
    lublin(all, Order.WFP3, 80.3, 91.1);
    return all;
  }

  private static List<PublishedCase> kth() {
    return List.of(
        whole(
            KTH,
            policy(Order.FCFS, Backfill.EASY, Estimates.LIMIT, null),
            one(SLOWDOWN_MEAN, 92.58),
            one(SLOWDOWN_P99, 2136),
            one(WAIT_MAX, 262_194)),
        whole(
            KTH,
            policy(Order.FCFS, Backfill.CONSERVATIVE, Estimates.LIMIT, null),
            new Value(SLOWDOWN_MEAN, 101.8, TWO_PERCENT),
            new Value(SLOWDOWN_P99, 2449, TWO_PERCENT),
            new Value(WAIT_MAX, 249_742, TWO_PERCENT)),
        whole(
            KTH,
            policy(Order.FCFS, Backfill.SJBF, Estimates.LIMIT, null),
            one(SLOWDOWN_MEAN, 69.41)),
        whole(
            KTH,
            policy(Order.FCFS, Backfill.EASY, Estimates.ACTUAL, null),
            one(SLOWDOWN_MEAN, 71.72)),
        whole(
            KTH,
            policy(Order.FCFS, Backfill.SJBF, Estimates.ACTUAL, null),
            one(SLOWDOWN_MEAN, 49.85)),
        whole(
            KTH,
            policy(Order.SAF, Backfill.EASY, Estimates.LIMIT, null),
            one(SLOWDOWN_MEAN, 39.2),
            one(SLOWDOWN_P99, 741),
            one(WAIT_MAX, 4_192_524)),
        whole(
            KTH,
            policy(Order.SJF, Backfill.EASY, Estimates.LIMIT, TWO_DAYS),
            one(SLOWDOWN_MEAN, 45.6),
            one(SLOWDOWN_P99, 958),
            one(WAIT_MAX, 316_013)));
  }

  private static List<PublishedCase> theta() {
    return List.of(
        whole(
            THETA,
            policy(Order.FCFS, Backfill.EASY, Estimates.LIMIT, null),
            one(SLOWDOWN_MEAN, 77.8),
            one(SLOWDOWN_P99, 1644),
            one(WAIT_MEAN, 33_502),
            one(WAIT_MAX, 709_704)),
        whole(
            THETA,
            policy(Order.FCFS, Backfill.CONSERVATIVE, Estimates.LIMIT, null),
            one(SLOWDOWN_MEAN, 108.1),
            one(SLOWDOWN_P99, 1997),
            one(WAIT_MEAN, 46_719),
            one(WAIT_MAX, 713_319)),
        whole(
            THETA,
            policy(Order.FCFS, Backfill.SJBF, Estimates.LIMIT, null),
            one(SLOWDOWN_MEAN, 55.9),
            one(SLOWDOWN_P99, 1354),
            one(WAIT_MEAN, 27_565),
            one(WAIT_MAX, 729_167)),
        whole(
            THETA,
            policy(Order.FCFS, Backfill.SJBF, Estimates.ACTUAL, null),
            one(SLOWDOWN_MEAN, 29.4),
            one(SLOWDOWN_P99, 390),
            one(WAIT_MEAN, 23_471),
            one(WAIT_MAX, 717_183)),
        whole(
            THETA,
            policy(Order.SJF, Backfill.EASY, Estimates.LIMIT, TWO_DAYS),
            one(SLOWDOWN_MEAN, 39.0),
            one(SLOWDOWN_P99, 800),
            one(WAIT_MEAN, 23_895),
            one(WAIT_MAX, 766_779)));
  }

  private static void lublin(
      List<PublishedCase> all, Order order, double easy, double conservative) {
    List<Window> windows = windows();
    all.add(lublin(windows, policy(order, Backfill.EASY, Estimates.LIMIT, null), easy));
    all.add(
        lublin(windows, policy(order, Backfill.CONSERVATIVE, Estimates.LIMIT, null), conservative));
  }

  /** The windows of Lublin-1 that numbers were published of. */
  static List<Window> windows() {
    return IntStream.of(LUBLIN_STARTS).mapToObj(start -> new Window(start, LUBLIN_COUNT)).toList();
  }

  private static PublishedCase lublin(List<Window> windows, Policy policy, double value) {
    return new PublishedCase(
        LUBLIN,
        Cleaning.IMPOSSIBLE,
        windows,
        policy,
        List.of(new Value(SLOWDOWN_MEAN, value, THREE_PERCENT)));
  }

  private static PublishedCase whole(String file, Policy policy, Value... values) {
    return new PublishedCase(file, Cleaning.SC15, List.of(), policy, List.of(values));
  }

  private static Policy policy(
      Order order, Backfill backfill, Estimates estimates, @Nullable Duration bound) {
    return new Policy(order, backfill, estimates, bound);
  }

  private static Value one(Figure figure, double value) {
    return new Value(figure, value, ONE_PERCENT);
  }
}
