package io.dure.rules.limits;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which running jobs have used up what limits give them: minutes of resources, and of time, of
 * their associations and QOS, and what one job may use. For one thread.
 */
public final class RunLimits {
  private static final double MINUTE = 60;

  private final AccountingTree tree;
  private final UsageLedger book;
  private final Instant now;
  private final TreeMap<Integer, List<AccountingLimits.Bound>> spentByAssociations =
      new TreeMap<>();
  private final TreeMap<Integer, List<AccountingLimits.Bound>> spentByQos = new TreeMap<>();
  private boolean boundsJobs;

  private RunLimits(SchedulerView view, Instant now) {
    tree = view.accounts();
    book = view.usage();
    this.now = now;
    UsageDecay decay = UsageDecay.of(view.settings().priority().halfLife());
    tree.associations()
        .forEach((id, one) -> {
          if (endsRuns(one.limits())) {
            spentByAssociations.put(id, spent(one.limits(), book.of(one, now, decay)));
          }
        });
    for (Qos one : tree.qosByNumber()) {
      if (endsRuns(one.limits())) {
        spentByQos.put(one.id(), spent(one.limits(), book.of(one, now, decay)));
      }
    }
  }

  /**
   * The limits of a cluster that end runs now; null where none does: no such limit is enforced, or
   * jobs start only if they can end within them.
   */
  public static @Nullable RunLimits of(SchedulerView view, Instant now) {
    PrioritySettings settings = view.settings().priority();
    if (!settings.enforced().limits() || settings.enforced().safe()) {
      return null;
    }
    RunLimits limits = new RunLimits(view, now);
    return limits.endsAny() ? limits : null;
  }

  private boolean endsAny() {
    boolean some = boundsJobs;
    for (List<AccountingLimits.Bound> spent : spentByAssociations.values()) {
      some |= !spent.isEmpty();
    }
    for (List<AccountingLimits.Bound> spent : spentByQos.values()) {
      some |= !spent.isEmpty();
    }
    return some;
  }

  private boolean endsRuns(AccountingLimits limits) {
    boolean groups = false;
    for (AccountingLimits.Bound bound : limits.bounds()) {
      boundsJobs |= bound.limit() == LimitKind.MAX_TRES_MINS_PER_JOB;
      groups |= bound.limit() == LimitKind.GRP_TRES_MINS || bound.limit() == LimitKind.GRP_WALL;
    }
    return groups;
  }

  private static List<AccountingLimits.Bound> spent(AccountingLimits limits, DecayedUsage usage) {
    List<AccountingLimits.Bound> spent = new ArrayList<>();
    for (AccountingLimits.Bound bound : limits.bounds()) {
      boolean over =
          bound.limit() == LimitKind.GRP_WALL && usage.wall() / MINUTE >= bound.most()
              || bound.limit() == LimitKind.GRP_TRES_MINS
                  && usage.seconds(String.valueOf(bound.tres())) / MINUTE >= bound.most();
      if (over) {
        spent.add(bound);
      }
    }
    return spent;
  }

  /**
   * Whether a running job has used up what it may.
   *
   * @param start when it started
   */
  public boolean isSpent(int jobId, Instant start) {
    JobCharge charge = book.charges().get(jobId);
    if (charge == null) {
      return false;
    }
    double minutes = Math.max(0, Duration.between(start, now).toSeconds()) / MINUTE;
    Qos own = charge.qos() == null ? null : tree.qosOf(charge.qos());
    Qos theirs = charge.partitionQos() == null ? null : tree.qosOf(charge.partitionQos());
    List<AccountingLimits> before = new ArrayList<>();
    for (Qos one : QosPrecedence.of(own, theirs)) {
      if (isSpent(charge, spentByQos.getOrDefault(one.id(), List.of()), before)
          || isTooMuch(charge, one.limits(), before, minutes)) {
        return true;
      }
      before.add(one.limits());
    }
    Association at =
        charge.association() == null ? null : tree.associations().get(charge.association());
    if (at != null
        && boundsJobs
        && isTooMuch(charge, tree.effective(at).limits(), before, minutes)) {
      return true;
    }
    for (; at != null; at = tree.parent(at)) {
      if (isSpent(charge, spentByAssociations.getOrDefault(at.id(), List.of()), before)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSpent(
      JobCharge charge, List<AccountingLimits.Bound> spent, List<AccountingLimits> before) {
    for (AccountingLimits.Bound bound : spent) {
      String tres = bound.tres();
      if ((tres == null || charge.tres().of(tres) > 0) && !bound.isAmong(before)) {
        return true;
      }
    }
    return false;
  }

  /** What one job may use of each resource. */
  private static boolean isTooMuch(
      JobCharge charge, AccountingLimits limits, List<AccountingLimits> before, double minutes) {
    for (AccountingLimits.Bound bound : limits.bounds()) {
      if (bound.limit() == LimitKind.MAX_TRES_MINS_PER_JOB && !bound.isAmong(before)) {
        double used = charge.tres().of(String.valueOf(bound.tres())) * minutes * charge.factor();
        if (used > 0 && used >= bound.most()) {
          return true;
        }
      }
    }
    return false;
  }
}
