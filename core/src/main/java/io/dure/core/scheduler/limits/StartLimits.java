package io.dure.core.scheduler.limits;

import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.QosFlag;
import io.dure.core.accounting.usage.FairShares;
import io.dure.core.accounting.usage.Shares;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.SchedulerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether limits let jobs start, within one plan: what the plan starts counts for those behind. A
 * limit of a QOS stands before the same limit of an association; group limits hold at every account
 * above. For one thread.
 */
public final class StartLimits {
  /** The limits of what a job is by itself. */
  private static final Set<Limit> SIZES =
      Collections.unmodifiableSet(
          EnumSet.of(
              Limit.GRP_TRES,
              Limit.GRP_TRES_RUN_MINS,
              Limit.MAX_TRES_PER_JOB,
              Limit.MAX_TRES_PER_NODE,
              Limit.MAX_TRES_MINS_PER_JOB,
              Limit.MAX_TRES_RUN_MINS,
              Limit.MAX_WALL,
              Limit.MAX_TRES_PER_USER,
              Limit.MAX_TRES_RUN_MINS_PER_USER,
              Limit.MAX_TRES_PER_ACCOUNT,
              Limit.MAX_TRES_RUN_MINS_PER_ACCOUNT,
              Limit.MIN_TRES_PER_JOB));

  private final QosOrder order;
  private final PrioritySettings settings;
  private final UsageBook book;
  private final Instant now;
  private final HeldLedger ledger;
  private final EnumSet<Limit> regarded;
  private @Nullable Shares shares;

  /**
   * The limits of a cluster in which this has been used by now.
   *
   * @param settings what is enforced, and how usage fades
   * @param ends when a running job ends at the latest, null for never
   */
  public StartLimits(
      QosOrder order,
      PrioritySettings settings,
      UsageBook book,
      Instant now,
      IntFunction<@Nullable Instant> ends) {
    this(order, settings, book, now, ends, EnumSet.allOf(Limit.class));
  }

  private StartLimits(
      QosOrder order,
      PrioritySettings settings,
      UsageBook book,
      Instant now,
      IntFunction<@Nullable Instant> ends,
      EnumSet<Limit> regarded) {
    this.order = order;
    this.settings = settings;
    this.book = book;
    this.now = now;
    this.regarded = regarded;
    ledger = new HeldLedger(order, settings, book, now, ends);
  }

  /** The limits of a cluster as it is, null where none are enforced. */
  public static @Nullable StartLimits of(SchedulerView view, Instant now) {
    PrioritySettings settings = view.settings().priority();
    return settings.enforced().limits()
        ? new StartLimits(
            QosOrder.of(view.accounts(), view.partitions()),
            settings,
            view.usage(),
            now,
            id -> end(view.active().get(id)))
        : null;
  }

  private static @Nullable Instant end(@Nullable Job job) {
    return job != null && job.state() instanceof JobState.Running running ? running.end() : null;
  }

  /** Slurm's word for the limit that the job breaks even where nothing else runs, null if none. */
  public static @Nullable String reasonAlone(QosOrder order, Demand job, Instant now) {
    PrioritySettings usual = PrioritySettings.USUAL;
    StartLimits alone =
        new StartLimits(order, usual, UsageBook.EMPTY, now, _ -> null, EnumSet.copyOf(SIZES));
    Breach breach =
        alone.size(job, alone.ledger.association(job), order.of(job.qos(), job.partition()));
    return breach == null ? null : breach.reason();
  }

  /** Slurm's word for the limit that keeps the job waiting, null if none does. */
  public @Nullable String reason(Demand job) {
    Breach breach = breach(job);
    return breach == null ? null : breach.reason();
  }

  /** The limit that keeps the job waiting, null if none does. */
  public @Nullable Breach breach(Demand job) {
    Association own = ledger.association(job);
    List<Qos> both = order.of(job.qos(), job.partition());
    for (Qos one : both) {
      if (own != null && isBelowThreshold(one, own)) {
        return Breach.ofThreshold(one);
      }
    }
    return size(job, own, both);
  }

  private boolean isBelowThreshold(Qos one, Association own) {
    Double least = one.usageThreshold();
    if (least == null || !one.has(QosFlag.ENFORCE_USAGE_THRESHOLD)) {
      return false;
    }
    if (shares == null) {
      shares = FairShares.of(settings, order.tree(), book, now);
    }
    return shares.factor(own) < least;
  }

  private @Nullable Breach size(Demand job, @Nullable Association own, List<Qos> both) {
    List<Limits> before = new ArrayList<>();
    for (Qos one : both) {
      for (Limits.Bound bound : one.limits().bounds()) {
        if (!bound.isAmong(before)) {
          Held held = ledger.held(one, bound.limit(), job);
          Breach breach = breach(check(bound, (double) bound.most(), job, held), LimitReason::qos);
          if (breach != null) {
            LimitScope scope = LimitScope.of(bound.limit());
            return breach.of(
                one,
                scope == LimitScope.USER ? job.user() : null,
                scope == LimitScope.ACCOUNT ? job.account() : null);
          }
        }
      }
      before.add(one.limits());
    }
    return own == null ? null : breach(job, ledger.own(own), before, limitFactor(both));
  }

  private @Nullable Breach breach(
      Demand job, HeldLedger.Own own, List<Limits> before, double limitFactor) {
    Breach breach = breach(job, own.one(), own.bounds(), false, before, limitFactor);
    for (Association at : own.path()) {
      if (breach == null) {
        breach = breach(job, at, at.limits().bounds(), true, before, limitFactor);
      }
    }
    return breach;
  }

  private @Nullable Breach breach(
      Demand job,
      Association one,
      List<Limits.Bound> bounds,
      boolean group,
      List<Limits> before,
      double limitFactor) {
    for (Limits.Bound bound : bounds) {
      if (bound.limit().isGroup() == group && !bound.isAmong(before)) {
        Breach breach =
            breach(
                check(bound, most(bound, limitFactor), job, ledger.held(one)), LimitReason::assoc);
        if (breach != null) {
          return breach.of(one);
        }
      }
    }
    return null;
  }

  private LimitCheck check(Limits.Bound bound, double most, Demand job, Held held) {
    return new LimitCheck(bound, most, job, held, ledger);
  }

  /**
   * The breach of a limit with what is used of it and what the job wants, null if there is none.
   */
  private @Nullable Breach breach(
      LimitCheck check, BiFunction<Limit, @Nullable String, String> reason) {
    Limits.Bound bound = check.bound();
    LimitKind kind = regarded.contains(bound.limit()) ? LimitKind.of(bound.limit()) : null;
    if (kind == null || !kind.isOver(check)) {
      return null;
    }
    return Breach.of(reason.apply(bound.limit(), bound.tres()), bound, check.most())
        .with(kind.used(check), kind.wanted(check));
  }

  private static double limitFactor(List<Qos> both) {
    for (Qos one : both) {
      if (one.limitFactor() != null) {
        return one.limitFactor();
      }
    }
    return 1;
  }

  /** A QOS with a limit factor widens what its jobs may have of the amounts of associations. */
  private static double most(Limits.Bound bound, double limitFactor) {
    return switch (bound.limit()) {
      case GRP_TRES, MAX_TRES_PER_JOB, MAX_TRES_PER_NODE -> bound.most() * limitFactor;
      default -> bound.most();
    };
  }

  /** The plan starts the job. */
  public void started(Demand job) {
    ledger.count(job, 1);
  }

  /** The plan does not start the job after all. */
  public void takenBack(Demand job) {
    ledger.count(job, -1);
  }
}
