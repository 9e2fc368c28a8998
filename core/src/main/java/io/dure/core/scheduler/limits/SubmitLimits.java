package io.dure.core.scheduler.limits;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.usage.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * Whether limits let somebody submit more jobs. A limit of the QOS stands before the same limit of
 * an association; group limits hold at every account above.
 *
 * @param tree the accounts
 * @param counts the jobs that are there
 */
public record SubmitLimits(AccountingTree tree, QueueCounts counts) {

  /**
   * Slurm's word for the limit that more jobs would break, null if none.
   *
   * @param job one of them
   * @param more how many there are
   */
  public @Nullable String reason(Demand job, long more) {
    Qos one = job.qos() == null ? null : tree.qos(job.qos());
    String account = job.account();
    Limits first = one == null ? Limits.NONE : one.limits();
    if (one != null) {
      String name = one.name();
      if (isOver(first, Limit.GRP_SUBMIT_JOBS, counts.ofQos(name), more)) {
        return "QOSGrpSubmitJobsLimit";
      }
      if (isOver(
          first, Limit.MAX_SUBMIT_JOBS_PER_USER, counts.ofQosAndUser(name, job.user()), more)) {
        return "QOSMaxSubmitJobPerUserLimit";
      }
      if (account != null
          && isOver(
              first,
              Limit.MAX_SUBMIT_JOBS_PER_ACCOUNT,
              counts.ofQosAndAccount(name, account),
              more)) {
        return "MaxSubmitJobsPerAccount";
      }
    }
    Association own = account == null ? null : tree.charged(account, job.user(), job.partition());
    return own == null ? null : reason(own, first, more);
  }

  private @Nullable String reason(Association own, Limits first, long more) {
    Limits handed = tree.effective(own).limits();
    if (first.of(Limit.MAX_SUBMIT_JOBS_PER_USER) == null
        && handed.of(Limit.MAX_SUBMIT_JOBS) != null
        && isOver(handed, Limit.MAX_SUBMIT_JOBS, below(own), more)) {
      return "AssocMaxSubmitJobLimit";
    }
    if (first.of(Limit.GRP_SUBMIT_JOBS) != null) {
      return null;
    }
    for (Association at : tree.path(own)) {
      if (at.limits().of(Limit.GRP_SUBMIT_JOBS) != null
          && isOver(at.limits(), Limit.GRP_SUBMIT_JOBS, below(at), more)) {
        return "AssocGrpSubmitJobsLimit";
      }
    }
    return null;
  }

  private static boolean isOver(Limits limits, Limit limit, long there, long more) {
    Long most = limits.of(limit);
    return most != null && there + more > most;
  }

  /** The jobs charged to an association and all below it. */
  private long below(Association one) {
    String user = one.user();
    if (user == null) {
      long sum = 0;
      for (Association below : tree.walk(one.account())) {
        sum += below.user() == null ? counts.ofAccount(below.account()) : 0;
      }
      return sum;
    }
    if (one.partition() != null) {
      return counts.ofUser(one.account(), user, one.partition());
    }
    long sum = counts.ofUser(one.account(), user);
    for (Association other : tree.of(user)) {
      if (other.partition() != null && other.account().equals(one.account())) {
        sum -= counts.ofUser(one.account(), user, other.partition());
      }
    }
    return sum;
  }
}
