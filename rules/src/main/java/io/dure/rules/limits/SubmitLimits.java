package io.dure.rules.limits;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.OwnerJobCounts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether limits let a user submit more jobs. A limit of a QOS stands before the same limit of an
 * association; group limits hold at every account above.
 *
 * @param order the accounts, and which QOS bind a job
 * @param counts the jobs that are there
 */
public record SubmitLimits(QosPrecedence order, OwnerJobCounts counts) {

  /**
   * Slurm's word for the limit that more jobs would break, null if none.
   *
   * @param job one of them
   * @param more how many there are
   */
  public @Nullable String reason(JobDemand job, long more) {
    String account = job.account();
    List<AccountingLimits> before = new ArrayList<>();
    for (Qos one : order.of(job.qos(), job.partition())) {
      List<String> partitions = order.partitions(one);
      for (AccountingLimits.Bound bound : one.limits().bounds()) {
        String reason =
            switch (bound.limit()) {
              case GRP_SUBMIT_JOBS -> "QOSGrpSubmitJobsLimit";
              case MAX_SUBMIT_JOBS_PER_USER -> "QOSMaxSubmitJobPerUserLimit";
              case MAX_SUBMIT_JOBS_PER_ACCOUNT ->
                  account == null ? null : "MaxSubmitJobsPerAccount";
              default -> null;
            };
        if (reason != null
            && !bound.isAmong(before)
            && there(bound.limit(), one, partitions, job) + more > bound.most()) {
          return reason;
        }
      }
      before.add(one.limits());
    }
    Association own = account == null ? null : tree().charged(account, job.user(), job.partition());
    return own == null ? null : reason(own, before, more);
  }

  private AccountingTree tree() {
    return order.tree();
  }

  private long there(LimitKind limit, Qos one, List<String> partitions, JobDemand job) {
    return switch (limit) {
      case MAX_SUBMIT_JOBS_PER_USER -> counts.ofQosAndUser(one.name(), partitions, job.user());
      case MAX_SUBMIT_JOBS_PER_ACCOUNT ->
          counts.ofQosAndAccount(one.name(), partitions, String.valueOf(job.account()));
      default -> counts.ofQos(one.name(), partitions);
    };
  }

  private @Nullable String reason(Association own, List<AccountingLimits> before, long more) {
    AccountingLimits handed = tree().effective(own).limits();
    if (!isSet(before, LimitKind.MAX_SUBMIT_JOBS_PER_USER)
        && handed.of(LimitKind.MAX_SUBMIT_JOBS) != null
        && isOver(handed, LimitKind.MAX_SUBMIT_JOBS, below(own), more)) {
      return "AssocMaxSubmitJobLimit";
    }
    if (isSet(before, LimitKind.GRP_SUBMIT_JOBS)) {
      return null;
    }
    for (Association at : tree().path(own)) {
      if (at.limits().of(LimitKind.GRP_SUBMIT_JOBS) != null
          && isOver(at.limits(), LimitKind.GRP_SUBMIT_JOBS, below(at), more)) {
        return "AssocGrpSubmitJobsLimit";
      }
    }
    return null;
  }

  private static boolean isSet(List<AccountingLimits> before, LimitKind limit) {
    return before.stream().anyMatch(limits -> limits.of(limit) != null);
  }

  private static boolean isOver(AccountingLimits limits, LimitKind limit, long there, long more) {
    Long most = limits.of(limit);
    return most != null && there + more > most;
  }

  /** The jobs charged to an association and all below it. */
  private long below(Association one) {
    String user = one.user();
    if (user == null) {
      long sum = 0;
      for (Association below : tree().walk(one.account())) {
        sum += below.user() == null ? counts.ofAccount(below.account()) : 0;
      }
      return sum;
    }
    if (one.partition() != null) {
      return counts.ofUser(one.account(), user, one.partition());
    }
    long sum = counts.ofUser(one.account(), user);
    for (Association other : tree().of(user)) {
      if (other.partition() != null && other.account().equals(one.account())) {
        sum -= counts.ofUser(one.account(), user, other.partition());
      }
    }
    return sum;
  }
}
