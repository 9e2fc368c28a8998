package io.dure.core.accounting.usage;

import io.dure.core.accounting.TresAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What jobs have used, and by how much it grows.
 *
 * @param at when it was so
 * @param raw billed resources by seconds, faded
 * @param rawRate growth of that in a second, millionths
 * @param wall time of jobs in seconds, faded
 * @param wallRate growth of that in a second, millionths
 * @param tres each resource
 * @param jobs how many run
 */
public record Usage(
    Instant at,
    double raw,
    long rawRate,
    double wall,
    long wallRate,
    List<Usage.OfTres> tres,
    int jobs) {

  /**
   * Use of one resource.
   *
   * @param name Slurm's name of it
   * @param seconds amount by seconds, faded
   * @param held what running jobs hold
   */
  public record OfTres(String name, double seconds, long held) {}

  public Usage {
    tres = List.copyOf(tres);
  }

  /** Nothing used yet. */
  public static Usage none(Instant at) {
    return new Usage(at, 0, 0, 0, 0, List.of(), 0);
  }

  /** The same some time later. */
  public Usage at(Instant now, Decay decay) {
    double seconds = Decay.seconds(at, now);
    if (seconds == 0) {
      return this;
    }
    double grown = decay.grown(seconds);
    List<OfTres> next = new ArrayList<>(tres.size());
    for (OfTres one : tres) {
      double used = bounded(decay.left(one.seconds(), seconds) + one.held() * grown);
      next.add(new OfTres(one.name(), used, one.held()));
    }
    return new Usage(
        now,
        bounded(decay.left(raw, seconds) + rawRate * Charge.UNIT * grown),
        rawRate,
        bounded(decay.left(wall, seconds) + wallRate * Charge.UNIT * grown),
        wallRate,
        next,
        jobs);
  }

  private static double bounded(double usage) {
    return Math.min(usage, Decay.MOST);
  }

  /** With a job more. */
  Usage plus(Charge charge) {
    return with(charge, 1);
  }

  /** With a job less. */
  Usage minus(Charge charge) {
    return with(charge, -1);
  }

  private Usage with(Charge charge, int sign) {
    List<OfTres> next = new ArrayList<>(tres);
    for (TresAmounts.Amount amount : charge.tres().amounts()) {
      hold(next, amount.name(), 0, sign * amount.amount());
    }
    return new Usage(
        at,
        raw,
        rawRate + sign * charge.usageRate(),
        wall,
        wallRate + sign * charge.wallRate(),
        next,
        jobs + sign);
  }

  private static void hold(List<OfTres> all, String name, double seconds, long held) {
    for (int i = 0; i < all.size(); i++) {
      OfTres one = all.get(i);
      if (one.name().equals(name)) {
        all.set(i, new OfTres(name, one.seconds() + seconds, one.held() + held));
        return;
      }
    }
    all.add(new OfTres(name, seconds, held));
  }

  /** Both together; they are of the same time. */
  Usage plus(Usage other) {
    List<OfTres> next = new ArrayList<>(tres);
    for (OfTres one : other.tres) {
      hold(next, one.name(), one.seconds(), one.held());
    }
    return new Usage(
        at,
        bounded(raw + other.raw),
        rawRate + other.rawRate,
        bounded(wall + other.wall),
        wallRate + other.wallRate,
        next,
        jobs + other.jobs);
  }

  /** The same with nothing used so far. */
  Usage cleared(Instant now) {
    List<OfTres> next = new ArrayList<>();
    for (OfTres one : tres) {
      next.add(new OfTres(one.name(), 0, one.held()));
    }
    return new Usage(now, 0, rawRate, 0, wallRate, next, jobs);
  }

  /** What running jobs hold of a resource. */
  public long held(String name) {
    for (OfTres one : tres) {
      if (one.name().equals(name)) {
        return one.held();
      }
    }
    return 0;
  }

  /** A resource by seconds, faded. */
  public double seconds(String name) {
    for (OfTres one : tres) {
      if (one.name().equals(name)) {
        return one.seconds();
      }
    }
    return 0;
  }
}
