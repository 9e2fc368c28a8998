package io.dure.simulator.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What took how long in turns of two kinds that follow each other, held against each other. */
final class Pairs {
  private static final int DRAWS = 500;
  private static final double LOW = 0.05;
  private static final double HIGH = 0.95;

  private final List<Timings> still = new ArrayList<>();
  private final List<Timings> moving = new ArrayList<>();

  /**
   * A quantile in moving turns through the same in still ones.
   *
   * @param value of all turns
   * @param low where 5 in 100 of such measurements would be below, as far as its own turns tell
   * @param high where 5 in 100 would be above
   */
  record Ratio(double value, double low, double high) {}

  /** Of all that was timed in these turns. */
  Pairs(Timings all, List<Turns.Turn> turns) {
    for (Turns.Turn turn : turns) {
      (turn.moving() ? moving : still).add(all.within(turn));
    }
  }

  /** All of one kind. */
  Timings all(boolean ofMoving) {
    return Timings.of(ofMoving ? moving : still);
  }

  /** How the kinds differ; by drawing from the turns again, how sure that is. */
  Ratio ratio(double share, Random random) {
    int pairs = Math.min(still.size(), moving.size());
    double[] drawn = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      List<Timings> some = new ArrayList<>();
      List<Timings> others = new ArrayList<>();
      for (int i = 0; i < pairs; i++) {
        int pair = random.nextInt(pairs);
        some.add(moving.get(pair));
        others.add(still.get(pair));
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
