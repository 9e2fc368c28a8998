package io.dure.rules.limits;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.DecayedUsage;
import java.util.TreeMap;

/** What the jobs of a limit's owner hold and have used, and what those add that a plan starts. */
final class LimitUsage {
  private static final double MINUTE = 60;

  private final TreeMap<String, Long> tres = new TreeMap<>();
  private final TreeMap<String, Double> secondsLeft = new TreeMap<>();
  private final DecayedUsage usage;
  private long jobs;

  LimitUsage(DecayedUsage usage) {
    this.usage = usage;
    jobs = usage.jobs();
    usage.tres().forEach(one -> tres.put(one.name(), one.held()));
  }

  /** One job more, or one less where the sign is -1. */
  void add(TresAmounts more, int sign) {
    jobs += sign;
    more.amounts().forEach(one -> tres.merge(one.name(), sign * one.amount(), Long::sum));
  }

  /** What is held now will be held so much longer, each second counting by a factor. */
  void addLeft(TresAmounts more, long seconds, double factor) {
    for (TresAmounts.Amount one : more.amounts()) {
      secondsLeft.merge(one.name(), one.amount() * seconds * factor, Double::sum);
    }
  }

  long jobs() {
    return jobs;
  }

  /** How much of a resource is held. */
  long of(String name) {
    return tres.getOrDefault(name, 0L);
  }

  /** How many minutes of a resource the running jobs may still use. */
  double minutesLeft(String name) {
    return secondsLeft.getOrDefault(name, 0.0) / MINUTE;
  }

  /** How many minutes of a resource were used. */
  double minutesUsed(String name) {
    return usage.seconds(name) / MINUTE;
  }

  /** How many minutes jobs ran. */
  double wallMinutes() {
    return usage.wall() / MINUTE;
  }
}
