package io.dure.rules.queueorder;

import io.dure.rules.PlannerTime;
import java.util.List;

/** The times that a job may run for, and how likely each is. Immutable. */
public final class RunTimeDistribution {
  /** Rising. */
  private final double[] seconds;

  /** What part of all is no longer. */
  private final double[] upTo;

  /** A time that a job may run for, and how much it counts. */
  record Sample(double seconds, double weight) {}

  /** Of times that rise, at least one. */
  RunTimeDistribution(List<Sample> samples) {
    seconds = new double[samples.size()];
    upTo = new double[seconds.length];
    double all = 0;
    for (Sample one : samples) {
      all += one.weight();
    }
    double sum = 0;
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = samples.get(i).seconds();
      sum += samples.get(i).weight();
      upTo[i] = sum / all;
    }
  }

  /**
   * The time that such a part of the jobs is over by.
   *
   * @param part from 0 to 1
   */
  public double at(double part) {
    int low = 0;
    int high = seconds.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo[middle] < part) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return seconds[low];
  }

  /**
   * The same of those jobs that are not over after that time. What has run longer than anything
   * that is known of may end at any moment, and may run as long again.
   *
   * @param part from 0 to 1
   */
  public double at(double part, double ran) {
    int before = 0;
    while (before < seconds.length && seconds[before] <= ran) {
      before++;
    }
    if (before == seconds.length) {
      return Math.min(PlannerTime.UNLIMITED, ran * (1 + part));
    }
    double gone = before == 0 ? 0 : upTo[before - 1];
    return at(gone + part * (1 - gone));
  }
}
