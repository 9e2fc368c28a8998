package io.dure.rules.limits;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many waiting jobs may grow older at a time. A limit of a QOS stands before the same limit of
 * an association; group limits hold at every account above.
 *
 * @param order the accounts, and which QOS bind a job
 * @param counts the jobs that are there
 */
public record AccrueLimits(QosPrecedence order, OwnerJobCounts counts) {

  /** The limits of a cluster. */
  public static AccrueLimits of(SchedulerView view, OwnerJobCounts counts) {
    return new AccrueLimits(QosPrecedence.of(view.accounts(), view.partitions()), counts);
  }

  /** Whether one more job of its kind may. */
  public boolean allow(Job job) {
    String account = job.spec().account();
    String user = job.owner().userName();
    String partition = job.spec().partitions().isEmpty() ? "" : job.spec().partitions().getFirst();
    List<AccountingLimits> before = new ArrayList<>();
    for (Qos one : order.of(job.spec().qos(), partition)) {
      String name = one.name();
      if (isFull(one, LimitKind.GRP_JOBS_ACCRUE, counts.ageingOfQos(name))
          || isFull(one, LimitKind.MAX_JOBS_ACCRUE_PER_USER, counts.ageingOfQosAndUser(name, user))
          || account != null
              && isFull(
                  one,
                  LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT,
                  counts.ageingOfQosAndAccount(name, account))) {
        return false;
      }
      before.add(one.limits());
    }
    Association own = account == null ? null : order.tree().charged(account, user, partition);
    return own == null || allow(own, before);
  }

  private static boolean isFull(Qos one, LimitKind limit, long there) {
    Long most = one.limits().of(limit);
    return most != null && there >= most;
  }

  private boolean allow(Association own, List<AccountingLimits> before) {
    AccountingTree tree = order.tree();
    Long most = tree.effective(own).limits().of(LimitKind.MAX_JOBS_ACCRUE);
    if (most != null
        && !isSet(before, LimitKind.MAX_JOBS_ACCRUE_PER_USER)
        && below(own, tree) >= most) {
      return false;
    }
    if (isSet(before, LimitKind.GRP_JOBS_ACCRUE)) {
      return true;
    }
    for (Association at : tree.path(own)) {
      Long group = at.limits().of(LimitKind.GRP_JOBS_ACCRUE);
      if (group != null && below(at, tree) >= group) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSet(List<AccountingLimits> before, LimitKind limit) {
    return before.stream().anyMatch(limits -> limits.of(limit) != null);
  }

  private long below(Association one, AccountingTree tree) {
    @Nullable String user = one.user();
    if (user != null) {
      return counts.ageingOfUser(one.account(), user);
    }
    long sum = 0;
    for (Association below : tree.walk(one.account())) {
      sum += below.user() == null ? counts.ageingOfAccount(below.account()) : 0;
    }
    return sum;
  }
}
