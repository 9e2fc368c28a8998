package io.dure.model.history;

import io.dure.model.collection.IntMap;

/**
 * How the work of the jobs that ended last divides among run times: which part of it short jobs
 * are. Each end lets the earlier ones fade by a five hundredth. It is part of the replicated state,
 * so it is computed alike on every machine. Immutable.
 *
 * @param work CPU seconds by run time, a quarter of an octave each, times {@code unit}
 * @param total the sum of all
 * @param unit how much a CPU second counts that ends next; it grows, so that nothing else changes
 */
public record WorkSpectrum(IntMap<Double> work, double total, double unit) {
  /** Nothing ended yet. */
  public static final WorkSpectrum EMPTY = new WorkSpectrum(IntMap.empty(), 0, 1);

  private static final int STEPS_AN_OCTAVE = 4;
  private static final double GROWTH = 1 / 0.998;

  /** Where all is divided by the unit, so that no number grows without end. */
  private static final double MOST_UNIT = 1e12;

  /** With a job that ran so long. */
  WorkSpectrum with(long seconds, double cpuSeconds) {
    WorkSpectrum from = unit > MOST_UNIT ? divided() : this;
    int step = step((double) seconds);
    Double known = from.work.get(step);
    double more = cpuSeconds * from.unit;
    return new WorkSpectrum(
        from.work.with(step, (known == null ? 0 : known) + more),
        from.total + more,
        from.unit * GROWTH);
  }

  private WorkSpectrum divided() {
    IntMap<Double> next = IntMap.empty();
    double sum = 0;
    for (int step : work.keys()) {
      double one = work.require(step) / unit;
      if (one > 0) {
        next = next.with(step, one);
        sum += one;
      }
    }
    return new WorkSpectrum(next, sum, 1);
  }

  private static int step(double seconds) {
    return (int)
        Math.floor(STEPS_AN_OCTAVE * StrictMath.log(Math.max(1, seconds)) / StrictMath.log(2));
  }

  /**
   * The run time of which shorter jobs are together such a part of all work, in seconds.
   *
   * @param part from 0 to 1
   * @return 0 where nothing ended yet
   */
  public double secondsAt(double part) {
    double sum = 0;
    for (int step : work.keys()) {
      double its = work.require(step);
      sum += its;
      if (sum >= part * total) {
        double inside = its <= 0 ? 0 : 1 - (sum - part * total) / its;
        return StrictMath.pow(2, (step + inside) / STEPS_AN_OCTAVE);
      }
    }
    return 0;
  }
}
