package io.dure.core.scheduler.limits;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.accounting.usage.Decay;
import io.dure.core.accounting.usage.Usage;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.scheduler.SchedulerView;
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
  private final UsageBook book;
  private final Instant now;
  private final TreeMap<Integer, List<Limits.Bound>> spentByAssociations = new TreeMap<>();
  private final TreeMap<Integer, List<Limits.Bound>> spentByQos = new TreeMap<>();
  private boolean boundsJobs;

  private RunLimits(SchedulerView view, Instant now) {
    tree = view.accounts();
    book = view.usage();
    this.now = now;
    Decay decay = Decay.of(view.settings().priority().halfLife());
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
    for (List<Limits.Bound> spent : spentByAssociations.values()) {
      some |= !spent.isEmpty();
    }
    for (List<Limits.Bound> spent : spentByQos.values()) {
      some |= !spent.isEmpty();
    }
    return some;
  }

  private boolean endsRuns(Limits limits) {
    boolean groups = false;
    for (Limits.Bound bound : limits.bounds()) {
      boundsJobs |= bound.limit() == Limit.MAX_TRES_MINS_PER_JOB;
      groups |= bound.limit() == Limit.GRP_TRES_MINS || bound.limit() == Limit.GRP_WALL;
    }
    return groups;
  }

  private static List<Limits.Bound> spent(Limits limits, Usage usage) {
    List<Limits.Bound> spent = new ArrayList<>();
    for (Limits.Bound bound : limits.bounds()) {
      boolean over =
          bound.limit() == Limit.GRP_WALL && usage.wall() / MINUTE >= bound.most()
              || bound.limit() == Limit.GRP_TRES_MINS
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
    Charge charge = book.charges().get(jobId);
    if (charge == null) {
      return false;
    }
    double minutes = Math.max(0, Duration.between(start, now).toSeconds()) / MINUTE;
    Qos own = charge.qos() == null ? null : tree.qosOf(charge.qos());
    Qos theirs = charge.partitionQos() == null ? null : tree.qosOf(charge.partitionQos());
    List<Limits> before = new ArrayList<>();
    for (Qos one : QosOrder.of(own, theirs)) {
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

  private static boolean isSpent(Charge charge, List<Limits.Bound> spent, List<Limits> before) {
    for (Limits.Bound bound : spent) {
      String tres = bound.tres();
      if ((tres == null || charge.tres().of(tres) > 0) && !bound.isAmong(before)) {
        return true;
      }
    }
    return false;
  }

  /** What one job may use of each resource. */
  private static boolean isTooMuch(
      Charge charge, Limits limits, List<Limits> before, double minutes) {
    for (Limits.Bound bound : limits.bounds()) {
      if (bound.limit() == Limit.MAX_TRES_MINS_PER_JOB && !bound.isAmong(before)) {
        double used = charge.tres().of(String.valueOf(bound.tres())) * minutes * charge.factor();
        if (used > 0 && used >= bound.most()) {
          return true;
        }
      }
    }
    return false;
  }
}
