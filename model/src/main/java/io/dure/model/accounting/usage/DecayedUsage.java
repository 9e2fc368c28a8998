package io.dure.model.accounting.usage;

import io.dure.model.accounting.TresAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
public record DecayedUsage(
    Instant at,
    double raw,
    long rawRate,
    double wall,
    long wallRate,
    List<DecayedUsage.OfTres> tres,
    int jobs) {

  /**
   * Use of one resource.
   *
   * @param name Slurm's name of it
   * @param seconds amount by seconds, faded
   * @param held what running jobs hold
   * @param extra by how much more than that its use grows in a second, millionths: where a QOS has
   *     a usage factor
   */
  public record OfTres(String name, double seconds, long held, long extra) {
    double rate() {
      return held + extra * JobCharge.UNIT;
    }
  }

  public DecayedUsage {
    tres = List.copyOf(tres);
  }

  /** Nothing used yet. */
  public static DecayedUsage none(Instant at) {
    return new DecayedUsage(at, 0, 0, 0, 0, List.of(), 0);
  }

  /** The same some time later. */
  public DecayedUsage at(Instant now, UsageDecay decay) {
    double seconds = UsageDecay.seconds(at, now);
    if (seconds == 0) {
      return this;
    }
    double grown = decay.grown(seconds);
    List<OfTres> next = new ArrayList<>(tres.size());
    for (OfTres one : tres) {
      double used = bounded(decay.left(one.seconds(), seconds) + one.rate() * grown);
      next.add(new OfTres(one.name(), used, one.held(), one.extra()));
    }
    return new DecayedUsage(
        now,
        bounded(decay.left(raw, seconds) + rawRate * JobCharge.UNIT * grown),
        rawRate,
        bounded(decay.left(wall, seconds) + wallRate * JobCharge.UNIT * grown),
        wallRate,
        next,
        jobs);
  }

  private static double bounded(double usage) {
    return Math.min(usage, UsageDecay.MOST);
  }

  /** With a job more. */
  DecayedUsage plus(JobCharge charge) {
    return with(charge, 1);
  }

  /** With a job less. */
  DecayedUsage minus(JobCharge charge) {
    return with(charge, -1);
  }

  private DecayedUsage with(JobCharge charge, int sign) {
    List<OfTres> next = new ArrayList<>(tres);
    for (TresAmounts.Amount amount : charge.tres().amounts()) {
      long extra = sign * charge.extra(amount.amount());
      hold(next, new OfTres(amount.name(), 0, sign * amount.amount(), extra));
    }
    return new DecayedUsage(
        at,
        raw,
        rawRate + sign * charge.usageRate(),
        wall,
        wallRate + sign * charge.wallRate(),
        next,
        jobs + sign);
  }

  private static void hold(List<OfTres> all, OfTres more) {
    for (int i = 0; i < all.size(); i++) {
      OfTres one = all.get(i);
      if (one.name().equals(more.name())) {
        all.set(
            i,
            new OfTres(
                one.name(),
                one.seconds() + more.seconds(),
                one.held() + more.held(),
                one.extra() + more.extra()));
        return;
      }
    }
    all.add(more);
  }

  /** Both together; they are of the same time. */
  DecayedUsage plus(DecayedUsage other) {
    List<OfTres> next = new ArrayList<>(tres);
    for (OfTres one : other.tres) {
      hold(next, one);
    }
    return new DecayedUsage(
        at,
        bounded(raw + other.raw),
        rawRate + other.rawRate,
        bounded(wall + other.wall),
        wallRate + other.wallRate,
        next,
        jobs + other.jobs);
  }

  /** The same with nothing used so far. */
  DecayedUsage cleared(Instant now) {
    List<OfTres> next = new ArrayList<>();
    for (OfTres one : tres) {
      next.add(new OfTres(one.name(), 0, one.held(), one.extra()));
    }
    return new DecayedUsage(now, 0, rawRate, 0, wallRate, next, jobs);
  }

  /** Whether nothing was used and nothing is. */
  public boolean isNothing() {
    return raw == 0
        && rawRate == 0
        && wall == 0
        && wallRate == 0
        && tres.stream().allMatch(one -> one.seconds() == 0 && one.rate() == 0);
  }

  /**
   * Whether this is what an earlier one has come to by itself, but for rounding: nothing began or
   * ended, and nothing was forgotten.
   */
  public boolean follows(DecayedUsage earlier, UsageDecay decay) {
    DecayedUsage then = earlier.at(at, decay);
    if (rawRate != then.rawRate
        || wallRate != then.wallRate
        || !near(raw, then.raw)
        || !near(wall, then.wall)
        || tres.size() != then.tres.size()) {
      return false;
    }
    for (OfTres one : tres) {
      OfTres other = then.find(one.name());
      if (other == null
          || one.held() != other.held()
          || one.extra() != other.extra()
          || !near(one.seconds(), other.seconds())) {
        return false;
      }
    }
    return true;
  }

  private static boolean near(double one, double other) {
    return Math.abs(one - other) <= 1e-3 + 1e-9 * Math.abs(one);
  }

  private @Nullable OfTres find(String name) {
    for (OfTres one : tres) {
      if (one.name().equals(name)) {
        return one;
      }
    }
    return null;
  }

  /** The same use, growing as fast, of resources that are held elsewhere. */
  DecayedUsage unheld() {
    List<OfTres> next = new ArrayList<>(tres.size());
    for (OfTres one : tres) {
      long extra = one.extra() + Math.round(one.held() / JobCharge.UNIT);
      next.add(new OfTres(one.name(), one.seconds(), 0, extra));
    }
    return new DecayedUsage(at, raw, rawRate, wall, wallRate, next, 0);
  }

  /** A resource by seconds, faded. */
  public double seconds(String name) {
    OfTres one = find(name);
    return one == null ? 0 : one.seconds();
  }
}
