package io.dure.bench.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What took how long in turns of two kinds that follow each other, held against each other. */
final class PairedTimings {
  private static final int DRAWS = 500;

  /** Parts that are drawn, of neighbouring turns: what disturbs one often lasts for some. */
  private static final int BLOCKS = 15;

  private static final double LOW = 0.05;
  private static final double HIGH = 0.95;

  private final List<Timings> still = new ArrayList<>();
  private final List<Timings> moving = new ArrayList<>();

  /**
   * A quantile in moving turns through the same in still ones.
   *
   * @param value of all turns
   * @param low the lower end of its 90 % interval, by drawing from the turns again
   * @param high the upper end
   */
  record Ratio(double value, double low, double high) {}

  /** Of all that was timed in these turns. */
  PairedTimings(Timings all, List<ProcessAlternator.Turn> turns) {
    for (ProcessAlternator.Turn turn : turns) {
      (turn.moving() ? moving : still).add(all.within(turn));
    }
    int pairs = Math.min(still.size(), moving.size());
    still.subList(pairs, still.size()).clear();
    moving.subList(pairs, moving.size()).clear();
  }

  /** All of one kind. */
  Timings all(boolean ofMoving) {
    return Timings.of(ofMoving ? moving : still);
  }

  /** How the kinds differ, and how sure that is. */
  Ratio ratio(double share, Random random) {
    int pairs = still.size();
    int block = Math.max(1, pairs / BLOCKS);
    double[] drawn = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      List<Timings> some = new ArrayList<>();
      List<Timings> others = new ArrayList<>();
      while (some.size() < pairs) {
        int from = random.nextInt(pairs);
        for (int i = from; i < from + block; i++) {
          some.add(moving.get(i % pairs));
          others.add(still.get(i % pairs));
        }
      }
      drawn[draw] = Timings.of(some).quantile(share) / Timings.of(others).quantile(share);
    }
    Arrays.sort(drawn);
    return new Ratio(
        all(true).quantile(share) / all(false).quantile(share),
        drawn[(int) (LOW * DRAWS)],
        drawn[(int) (HIGH * DRAWS)]);
  }
}
