package io.dure.rules.limits;

import io.dure.model.accounting.AccountingEnforcement;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.accounting.usage.FairShareCalculation;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.LimitBreach;
import io.dure.rules.SchedulerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether limits let jobs start, within one plan: what the plan starts counts for those behind. A
 * limit of a QOS stands before the same limit of an association; group limits hold at every account
 * above. For one thread.
 */
public final class StartLimits {
  /** Of a job by itself all that it may use counts, as where limits are safe. */
  private static final PrioritySettings SAFE =
      PrioritySettings.USUAL.withEnforced(new AccountingEnforcement(true, true, true, true));

  private final QosPrecedence order;
  private final PrioritySettings settings;
  private final UsageLedger book;
  private final Instant now;
  private final LimitUsageLedger ledger;
  private final boolean alone;
  private @Nullable FairShareTable shares;

  /**
   * The limits of a cluster in which this has been used by now.
   *
   * @param settings what is enforced, and how usage fades
   * @param ends when a running job ends at the latest, null for never
   */
  public StartLimits(
      QosPrecedence order,
      PrioritySettings settings,
      UsageLedger book,
      Instant now,
      IntFunction<@Nullable Instant> ends) {
    this(order, settings, book, now, ends, false);
  }

  private StartLimits(
      QosPrecedence order,
      PrioritySettings settings,
      UsageLedger book,
      Instant now,
      IntFunction<@Nullable Instant> ends,
      boolean alone) {
    this.order = order;
    this.settings = settings;
    this.book = book;
    this.now = now;
    this.alone = alone;
    ledger = new LimitUsageLedger(order, settings, book, now, ends);
  }

  /** The limits of a cluster as it is, null where none are enforced. */
  public static @Nullable StartLimits of(SchedulerView view, Instant now) {
    PrioritySettings settings = view.settings().priority();
    return settings.enforced().limits()
        ? new StartLimits(
            QosPrecedence.of(view.accounts(), view.partitions()),
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
  public static @Nullable String reasonAlone(QosPrecedence order, JobDemand job, Instant now) {
    StartLimits alone = new StartLimits(order, SAFE, UsageLedger.EMPTY, now, _ -> null, true);
    LimitBreach breach =
        alone.size(job, alone.ledger.association(job), order.of(job.qos(), job.partition()));
    return breach == null ? null : breach.reason();
  }

  /** Slurm's word for the limit that keeps the job waiting, null if none does. */
  public @Nullable String reason(JobDemand job) {
    LimitBreach breach = breach(job);
    return breach == null ? null : breach.reason();
  }

  /** The limit that keeps the job waiting, null if none does. */
  public @Nullable LimitBreach breach(JobDemand job) {
    Association own = ledger.association(job);
    List<Qos> both = order.of(job.qos(), job.partition());
    for (Qos one : both) {
      if (own != null && isBelowThreshold(one, own)) {
        return LimitBreach.ofThreshold(one);
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
      shares = FairShareCalculation.of(settings, order.tree(), book, now);
    }
    return shares.factor(own) < least;
  }

  private @Nullable LimitBreach size(JobDemand job, @Nullable Association own, List<Qos> both) {
    List<AccountingLimits> before = new ArrayList<>();
    for (Qos one : both) {
      for (AccountingLimits.Bound bound : one.limits().bounds()) {
        if (!bound.isAmong(before)) {
          LimitUsage held = ledger.held(one, bound.limit(), job);
          LimitBreach breach =
              breach(check(bound, (double) bound.most(), job, held), LimitReason::qos);
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

  private @Nullable LimitBreach breach(
      JobDemand job, LimitUsageLedger.Own own, List<AccountingLimits> before, double limitFactor) {
    LimitBreach breach = breach(job, own.one(), own.bounds(), false, before, limitFactor);
    for (Association at : own.path()) {
      if (breach == null) {
        breach = breach(job, at, at.limits().bounds(), true, before, limitFactor);
      }
    }
    return breach;
  }

  private @Nullable LimitBreach breach(
      JobDemand job,
      Association one,
      List<AccountingLimits.Bound> bounds,
      boolean group,
      List<AccountingLimits> before,
      double limitFactor) {
    for (AccountingLimits.Bound bound : bounds) {
      if (bound.limit().isGroup() == group && !bound.isAmong(before)) {
        LimitBreach breach =
            breach(
                check(bound, most(bound, limitFactor), job, ledger.held(one)), LimitReason::assoc);
        if (breach != null) {
          return breach.of(one);
        }
      }
    }
    return null;
  }

  private LimitCheck check(
      AccountingLimits.Bound bound, double most, JobDemand job, LimitUsage held) {
    return new LimitCheck(bound, most, job, held, ledger);
  }

  /**
   * The breach of a limit with what is used of it and what the job wants, null if there is none.
   */
  private @Nullable LimitBreach breach(
      LimitCheck check, BiFunction<LimitKind, @Nullable String, String> reason) {
    AccountingLimits.Bound bound = check.bound();
    StartLimitKind kind = StartLimitKind.of(bound.limit());
    if (kind == null || alone && !kind.isOfSize() || !kind.isOver(check)) {
      return null;
    }
    return LimitBreach.of(reason.apply(bound.limit(), bound.tres()), bound, check.most())
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
  private static double most(AccountingLimits.Bound bound, double limitFactor) {
    return switch (bound.limit()) {
      case GRP_TRES, MAX_TRES_PER_JOB, MAX_TRES_PER_NODE -> bound.most() * limitFactor;
      default -> bound.most();
    };
  }

  /** The plan starts the job. */
  public void started(JobDemand job) {
    ledger.count(job, 1);
  }

  /** The plan does not start the job after all. */
  public void takenBack(JobDemand job) {
    ledger.count(job, -1);
  }
}
