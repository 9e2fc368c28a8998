package io.dure.rules.limits;

import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import org.jspecify.annotations.Nullable;

/**
 * What kind of limit it is that jobs are held against before they start: one class each, without
 * state. What a limit is called, and whose it is, is told elsewhere.
 */
sealed interface StartLimitKind {
  /** Whether the job would break the limit. */
  boolean isOver(LimitCheck check);

  /** Whether a job can break it by what it asks for, where nothing else runs. */
  default boolean isOfSize() {
    return switch (this) {
      case RunningJobs _ -> false;
      case TresHeld _, TresMinutesLeft _, TresPerJob _, LeastTresPerJob _ -> true;
      case TresPerNode _, TresMinutesPerJob _, WallPerJob _ -> true;
      case TresMinutesUsed _, WallUsed _ -> true;
    };
  }

  /** What is used of the limit; 0 for one of each job by itself. */
  default double used(LimitCheck check) {
    return 0;
  }

  /** What the job would use of it. */
  default double wanted(LimitCheck check) {
    return (double) check.wanted();
  }

  /** The kind of a limit, null for one that keeps no job from starting. */
  static @Nullable StartLimitKind of(LimitKind limit) {
    return switch (limit) {
      case GRP_JOBS, MAX_JOBS, MAX_JOBS_PER_USER, MAX_JOBS_PER_ACCOUNT -> new RunningJobs();
      case GRP_TRES, MAX_TRES_PER_USER, MAX_TRES_PER_ACCOUNT -> new TresHeld();
      case GRP_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS_PER_USER,
          MAX_TRES_RUN_MINS_PER_ACCOUNT ->
          new TresMinutesLeft();
      case GRP_TRES_MINS -> new TresMinutesUsed();
      case GRP_WALL -> new WallUsed();
      case MAX_TRES_PER_JOB -> new TresPerJob();
      case MIN_TRES_PER_JOB -> new LeastTresPerJob();
      case MAX_TRES_PER_NODE -> new TresPerNode();
      case MAX_TRES_MINS_PER_JOB -> new TresMinutesPerJob();
      case MAX_WALL -> new WallPerJob();
      case GRP_JOBS_ACCRUE,
          MAX_JOBS_ACCRUE,
          MAX_JOBS_ACCRUE_PER_USER,
          MAX_JOBS_ACCRUE_PER_ACCOUNT,
          GRP_SUBMIT_JOBS,
          MAX_SUBMIT_JOBS,
          MAX_SUBMIT_JOBS_PER_USER,
          MAX_SUBMIT_JOBS_PER_ACCOUNT,
          MIN_PRIO_THRESHOLD ->
          null;
    };
  }

  /** How many jobs run. */
  final class RunningJobs implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      return check.held().jobs() >= check.most();
    }

    @Override
    public double used(LimitCheck check) {
      return (double) check.held().jobs();
    }

    @Override
    public double wanted(LimitCheck check) {
      return 1;
    }
  }

  /** How much of a resource running jobs hold. */
  final class TresHeld implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      long wanted = check.wanted();
      return wanted > 0 && check.held().of(check.tres()) + wanted > check.most();
    }

    @Override
    public double used(LimitCheck check) {
      return (double) check.held().of(check.tres());
    }
  }

  /**
   * How many minutes of a resource were used; where limits are safe, also those that running jobs
   * and this one could still use.
   */
  final class TresMinutesUsed implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      // What a job would be billed is worked out when it starts; every job is billed something.
      boolean counts = check.wanted() > 0 || TresAmounts.BILLING.equals(check.tres());
      return counts && isUsedUp(check);
    }

    private static boolean isUsedUp(LimitCheck check) {
      double used = check.held().minutesUsed(check.tres());
      if (used >= check.most() || !check.ledger().isSafe()) {
        return used >= check.most();
      }
      double factor =
          check.ledger().countsSafely(check.job()) ? check.ledger().usageFactor(check.job()) : 1;
      double more = check.wanted() * check.minutes() * factor;
      return used + check.minutesLeft() + more > check.most();
    }

    @Override
    public double used(LimitCheck check) {
      return check.held().minutesUsed(check.tres());
    }

    @Override
    public double wanted(LimitCheck check) {
      return check.wanted() * check.minutes();
    }
  }

  /** How many minutes of a resource running jobs may still use. */
  final class TresMinutesLeft implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      return check.wanted() > 0 && check.minutesLeft() + check.runMinutes() > check.most();
    }

    @Override
    public double used(LimitCheck check) {
      return check.minutesLeft();
    }

    @Override
    public double wanted(LimitCheck check) {
      return check.runMinutes();
    }
  }

  /** How many minutes jobs ran; where limits are safe, also those that this one could run. */
  final class WallUsed implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      double used = check.held().wallMinutes();
      return used >= check.most()
          || check.ledger().isSafe() && used + check.minutes() > check.most();
    }

    @Override
    public double used(LimitCheck check) {
      return check.held().wallMinutes();
    }

    @Override
    public double wanted(LimitCheck check) {
      return check.minutes();
    }
  }

  /** How much of a resource a job takes at most. */
  final class TresPerJob implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      return check.wanted() > check.most();
    }
  }

  /** How much of a resource a job takes at least. */
  final class LeastTresPerJob implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      return check.wanted() < check.most();
    }
  }

  /** How much of a resource a job takes on one node. */
  final class TresPerNode implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      return check.job().onOneNode().of(check.tres()) > check.most();
    }

    @Override
    public double wanted(LimitCheck check) {
      return (double) check.job().onOneNode().of(check.tres());
    }
  }

  /** How many minutes of a resource a job may use. */
  final class TresMinutesPerJob implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      long wanted = check.wanted();
      Long minutes = check.job().minutes();
      return wanted > 0 && (minutes == null || (double) wanted * minutes > check.most());
    }

    @Override
    public double wanted(LimitCheck check) {
      return check.wanted() * check.minutes();
    }
  }

  /** How long a job may run. */
  final class WallPerJob implements StartLimitKind {
    @Override
    public boolean isOver(LimitCheck check) {
      Long minutes = check.job().minutes();
      return minutes == null || minutes > check.most();
    }

    @Override
    public double wanted(LimitCheck check) {
      return check.minutes();
    }
  }
}
