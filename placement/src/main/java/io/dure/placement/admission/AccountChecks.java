package io.dure.placement.admission;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountAndQos;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingEnforcement;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.config.ClusterSettings.EnforcePartLimits;
import io.dure.model.config.PartitionConfig;
import io.dure.model.request.JobSpec;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.QosPrecedence;
import io.dure.rules.limits.StartLimits;
import io.dure.rules.limits.SubmitLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The account and QOS of a request, and whether their limits let it in. */
public final class AccountChecks {
  private AccountChecks() {}

  /** A request with account and QOS settled, unless it is refused. */
  public record Settled(JobSpec spec, @Nullable ErrorCode refusal) {}

  /** The request with account and QOS settled, or why it may not have them. */
  public static Settled settle(AdmissionView view, JobSpec spec, String user) {
    AccountAndQos.Answer answer =
        AccountAndQos.of(
            view.accounts(),
            view.settings().priority().enforced(),
            user,
            spec.account(),
            spec.qos(),
            spec.partitions());
    return switch (answer) {
      case AccountAndQos.Answer.NoAccount _ -> new Settled(spec, ErrorCode.INVALID_ACCOUNT);
      case AccountAndQos.Answer.NoQos _ -> new Settled(spec, ErrorCode.INVALID_QOS);
      case AccountAndQos.Answer.Granted(AccountAndQos(String account, String qos)) -> {
        JobSpec next = spec.with().account(account).qos(qos).build();
        yield new Settled(next, lacksReservation(view, next) ? ErrorCode.INVALID_QOS : null);
      }
    };
  }

  /**
   * The request with the workload key that its job has, or why it may not have it: one that names
   * none has the default of its user behind a star.
   */
  public static Settled wckey(AdmissionView view, JobSpec spec, String user) {
    AccountingEnforcement.Wckeys keys = view.settings().priority().enforced().keys();
    if (keys == null) {
      return new Settled(spec, null);
    }
    AccountUser known = view.accounts().user(user);
    String asked = spec.wckey();
    String usual = known == null ? null : known.defaultWckey();
    String name = asked == null ? usual : asked.toLowerCase(Locale.ROOT);
    boolean enforced = keys == AccountingEnforcement.Wckeys.ENFORCED;
    if (enforced && (name == null || known == null || known.wckey(name) == null)) {
      return new Settled(spec, ErrorCode.INVALID_WCKEY);
    }
    String shown = asked == null ? "*" + (name == null ? "" : name) : name;
    return new Settled(spec.withWckey(shown), null);
  }

  private static boolean lacksReservation(AdmissionView view, JobSpec spec) {
    Qos qos = spec.qos() == null ? null : view.accounts().qos(spec.qos());
    return qos != null && qos.has(QosFlag.REQUIRES_RESERVATION) && spec.reservations().isEmpty();
  }

  /**
   * Why limits refuse more jobs like a request that is complete, null if they do not.
   *
   * @param counts the jobs that are there
   * @param more how many there are
   */
  public static @Nullable Refusal tooMany(
      AdmissionView view, OwnerJobCounts counts, JobSpec spec, String user, int more) {
    if (!view.settings().priority().enforced().limits()) {
      return null;
    }
    SubmitLimits limits = new SubmitLimits(qosOf(view), counts);
    for (JobDemand demand : demands(view, spec, user)) {
      String reason = limits.reason(demand, more);
      if (reason != null) {
        return new Refusal(ErrorCode.ACCOUNTING_POLICY, reason);
      }
    }
    return null;
  }

  /** Why limits refuse a request that they would never let start, null if they do not. */
  public static @Nullable Refusal tooLarge(
      AdmissionView view, JobSpec spec, String user, Instant now) {
    if (!view.settings().priority().enforced().limits() || !deniesOnLimit(view, spec)) {
      return null;
    }
    String last = null;
    boolean some = false;
    for (JobDemand demand : demands(view, spec, user)) {
      String reason = StartLimits.reasonAlone(qosOf(view), demand, now);
      some |= reason == null;
      last = reason == null ? last : reason;
    }
    boolean all = view.settings().jobs().enforcePartLimits() == EnforcePartLimits.ALL;
    return last == null || (some && !all) ? null : new Refusal(ErrorCode.ACCOUNTING_POLICY, last);
  }

  /**
   * Why limits refuse requests that can never start at the same time, null if they do not. Each of
   * them was checked by itself. All count as long as the first of them may run, as in Slurm.
   */
  public static @Nullable Refusal tooLargeTogether(
      AdmissionView view, List<JobSpec> components, String user, Instant now) {
    if (!view.settings().priority().enforced().limits()) {
      return null;
    }
    Map<Payer, List<JobDemand>> sums = new LinkedHashMap<>();
    for (JobSpec spec : components) {
      List<JobDemand> demands = demands(view, spec, user);
      if (!demands.isEmpty() && deniesOnLimit(view, spec)) {
        Payer payer = new Payer(spec.account(), spec.qos());
        sums.computeIfAbsent(payer, _ -> new ArrayList<>()).add(demands.getFirst());
      }
    }
    for (List<JobDemand> all : sums.values()) {
      JobDemand sum = all.getFirst().together(all.subList(1, all.size()));
      if (StartLimits.reasonAlone(qosOf(view), sum, now) != null) {
        return new Refusal(ErrorCode.ACCOUNTING_POLICY);
      }
    }
    return null;
  }

  /** Whose limits hold for a component. */
  private record Payer(@Nullable String account, @Nullable String qos) {}

  /** What a job would ask for in each of its partitions. */
  private static List<JobDemand> demands(AdmissionView view, JobSpec spec, String user) {
    List<JobDemand> demands = new ArrayList<>();
    for (String name : spec.partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition != null) {
        demands.add(JobDemand.asked(user, spec, partition));
      }
    }
    return demands;
  }

  private static boolean deniesOnLimit(AdmissionView view, JobSpec spec) {
    boolean denies = view.settings().jobs().enforcePartLimits() != EnforcePartLimits.NO;
    for (String partition : spec.partitions()) {
      for (Qos qos : qosOf(view).of(spec.qos(), partition)) {
        denies |= qos.has(QosFlag.DENY_ON_LIMIT);
      }
    }
    return denies;
  }

  private static QosPrecedence qosOf(AdmissionView view) {
    return QosPrecedence.of(view.accounts(), view.partitions());
  }
}
