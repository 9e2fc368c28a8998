package io.dure.core.controller.decide;

import io.dure.core.accounting.AccountingRights;
import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.InvalidAccountingException;
import io.dure.core.accounting.Membership;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.QosFlag;
import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings.EnforcePartLimits;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.JobSpec;
import io.dure.core.scheduler.limits.Demand;
import io.dure.core.scheduler.limits.QosOrder;
import io.dure.core.scheduler.limits.StartLimits;
import io.dure.core.scheduler.limits.SubmitLimits;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changing the accounts, and what jobs are charged to. */
final class AccountingRules {
  private static final int MOST_CHANGES = 200_000;

  private AccountingRules() {}

  static Decision change(Draft draft, Command.ChangeAccounting command, Caller.User who) {
    AccountingTree tree = draft.state().accounts();
    String user = who.identity().userName();
    if (!AccountingRights.mayChange(tree, user, who.operator(), command.changes())) {
      return Decision.refuse(ErrorCode.ACCESS_DENIED);
    }
    if (command.basis() != tree.version()) {
      return Decision.refuse(ErrorCode.ACCOUNTS_CHANGED);
    }
    if (command.changes().isEmpty()) {
      return draft.done();
    }
    if (command.changes().size() > MOST_CHANGES) {
      return Decision.refuse(ErrorCode.BAD_INPUT, "more than " + MOST_CHANGES + " changes at once");
    }
    try {
      tree.with(command.changes());
    } catch (InvalidAccountingException invalid) {
      return Decision.refuse(ErrorCode.BAD_INPUT, invalid.text());
    }
    draft.emit(new Event.AccountingChanged(command.changes(), draft.now()));
    return draft.done();
  }

  /** The request with account and QOS settled, or why it may not have them. */
  static SubmitRules.Settled settle(ClusterState state, JobSpec spec, String user) {
    Membership.Answer answer =
        Membership.of(
            state.accounts(),
            state.settings().priority().enforced(),
            user,
            spec.account(),
            spec.qos(),
            spec.partitions());
    return switch (answer) {
      case Membership.Answer.NoAccount _ ->
          new SubmitRules.Settled(spec, ErrorCode.INVALID_ACCOUNT);
      case Membership.Answer.NoQos _ -> new SubmitRules.Settled(spec, ErrorCode.INVALID_QOS);
      case Membership.Answer.Granted(Membership(String account, String qos)) -> {
        JobSpec next = Specs.edit(spec).account(account).qos(qos).build();
        yield new SubmitRules.Settled(
            next, lacksReservation(state, next) ? ErrorCode.INVALID_QOS : null);
      }
    };
  }

  private static boolean lacksReservation(ClusterState state, JobSpec spec) {
    Qos qos = spec.qos() == null ? null : state.accounts().qos(spec.qos());
    return qos != null && qos.has(QosFlag.REQUIRES_RESERVATION) && spec.reservations().isEmpty();
  }

  /**
   * Why limits refuse more jobs like a request that is complete, null if they do not.
   *
   * @param counts the jobs that are there
   * @param more how many there are
   */
  static SubmitRules.Checked.@Nullable Unfit tooMany(
      ClusterState state, QueueCounts counts, JobSpec spec, String user, int more) {
    if (!state.settings().priority().enforced().limits()) {
      return null;
    }
    SubmitLimits limits = new SubmitLimits(qosOf(state), counts);
    for (Demand demand : demands(state, spec, user)) {
      String reason = limits.reason(demand, more);
      if (reason != null) {
        return SubmitRules.no(ErrorCode.ACCOUNTING_POLICY, reason);
      }
    }
    return null;
  }

  /** Why limits refuse a request that they would never let start, null if they do not. */
  static SubmitRules.Checked.@Nullable Unfit tooLarge(
      ClusterState state, JobSpec spec, String user, Instant now) {
    if (!state.settings().priority().enforced().limits() || !deniesOnLimit(state, spec)) {
      return null;
    }
    String last = null;
    boolean some = false;
    for (Demand demand : demands(state, spec, user)) {
      String reason = StartLimits.reasonAlone(qosOf(state), demand, now);
      some |= reason == null;
      last = reason == null ? last : reason;
    }
    boolean all = state.settings().jobs().enforcePartLimits() == EnforcePartLimits.ALL;
    return last == null || (some && !all)
        ? null
        : SubmitRules.no(ErrorCode.ACCOUNTING_POLICY, last);
  }

  /** What a job would ask for in each of its partitions. */
  private static List<Demand> demands(ClusterState state, JobSpec spec, String user) {
    List<Demand> demands = new ArrayList<>();
    for (String name : spec.partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        demands.add(Demand.asked(user, spec, partition));
      }
    }
    return demands;
  }

  private static boolean deniesOnLimit(ClusterState state, JobSpec spec) {
    boolean denies = state.settings().jobs().enforcePartLimits() != EnforcePartLimits.NO;
    for (String partition : spec.partitions()) {
      for (Qos qos : qosOf(state).of(spec.qos(), partition)) {
        denies |= qos.has(QosFlag.DENY_ON_LIMIT);
      }
    }
    return denies;
  }

  private static QosOrder qosOf(ClusterState state) {
    return QosOrder.of(state.accounts(), state.partitions());
  }

  /** Forgets all usage if the configuration says so of each start. */
  static void resetAtStart(Draft draft) {
    if (draft.state().settings().priority().reset() == PrioritySettings.Reset.NOW) {
      draft.emit(new Event.UsageReset(draft.now()));
    }
  }

  /** Forgets all usage once the day, week, month, quarter or year is another one, by UTC. */
  static void resetIfDue(Draft draft) {
    Instant since = draft.state().usage().resetSince();
    if (since == null) {
      return;
    }
    LocalDate today = LocalDate.ofInstant(draft.now(), ZoneOffset.UTC);
    LocalDate begin =
        switch (draft.state().settings().priority().reset()) {
          case NONE, NOW -> LocalDate.EPOCH;
          case DAILY -> today;
          case WEEKLY -> today.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
          case MONTHLY -> today.withDayOfMonth(1);
          case QUARTERLY ->
              today.withDayOfMonth(1).withMonth(today.getMonth().firstMonthOfQuarter().getValue());
          case YEARLY -> today.withDayOfYear(1);
        };
    if (begin.atStartOfDay(ZoneOffset.UTC).toInstant().isAfter(since)) {
      draft.emit(new Event.UsageReset(draft.now()));
    }
  }
}
