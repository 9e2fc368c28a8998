package io.dure.rules.limits;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageLedger;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What associations and QOS hold and have used, within one plan: what the plan starts is added. For
 * one thread.
 */
final class LimitUsageLedger {
  static final double MINUTE = 60;

  /** A year, in seconds: the rest of a job without a limit. */
  static final long FOREVER = 365L * 24 * 3600;

  private final AccountingTree tree;
  private final QosPrecedence order;
  private final PrioritySettings settings;
  private final UsageLedger book;
  private final Instant now;
  private final UsageDecay decay;
  private final TreeMap<Integer, LimitUsage> associations = new TreeMap<>();
  private final TreeMap<Integer, LimitUsage> qos = new TreeMap<>();
  private final TreeMap<Sharer, LimitUsage> shared = new TreeMap<>();

  /** The numbers of the QOS that have limits of single users or accounts. */
  private final BitSet sharing = new BitSet();

  private final TreeMap<Integer, Own> owns = new TreeMap<>();
  private final IntFunction<@Nullable Instant> ends;
  private boolean minutesCounted;

  /** A user or an account among the jobs of a QOS. */
  private record Sharer(int qos, LimitScope scope, String name) implements Comparable<Sharer> {
    @Override
    public int compareTo(Sharer other) {
      int order = Integer.compare(qos, other.qos);
      order = order == 0 ? scope.compareTo(other.scope) : order;
      return order == 0 ? name.compareTo(other.name) : order;
    }
  }

  /**
   * An association with what holds for its jobs: the same for all that a plan asks about.
   *
   * @param bounds what it says itself or was handed down
   * @param path it and all above
   */
  record Own(Association one, List<AccountingLimits.Bound> bounds, List<Association> path) {}

  /**
   * What is held in a cluster.
   *
   * @param settings what is enforced, and how usage fades
   * @param ends when a running job ends at the latest, null for never
   */
  LimitUsageLedger(
      QosPrecedence order,
      PrioritySettings settings,
      UsageLedger book,
      Instant now,
      IntFunction<@Nullable Instant> ends) {
    tree = order.tree();
    this.order = order;
    this.settings = settings;
    this.book = book;
    this.now = now;
    decay = UsageDecay.of(settings.halfLife());
    this.ends = ends;
    for (Qos one : tree.qosByNumber()) {
      if (one.limits().bounds().stream()
          .anyMatch(bound -> LimitScope.of(bound.limit()) != LimitScope.ALL)) {
        sharing.set(one.id());
      }
    }
    if (!sharing.isEmpty()) {
      book.charges().forEach((_, charge) -> share(charge));
    }
  }

  /** Whether limits are safe: a job only starts if it cannot break them while it runs. */
  boolean isSafe() {
    return settings.enforced().safe();
  }

  /** By how much a job's use counts: the usage factor of its own QOS. */
  double usageFactor(JobDemand job) {
    Qos own = job.qos() == null ? null : tree.qos(job.qos());
    return own == null ? 1 : own.usageFactor();
  }

  /** Whether that factor also counts for what a job could still use. */
  boolean countsSafely(JobDemand job) {
    Qos own = job.qos() == null ? null : tree.qos(job.qos());
    return own != null && own.has(QosFlag.USAGE_FACTOR_SAFE);
  }

  /** The association that the job is charged to, null for none. */
  @Nullable Association association(JobDemand job) {
    return job.account() == null ? null : tree.charged(job.account(), job.user(), job.partition());
  }

  private @Nullable Association association(JobCharge charge) {
    return charge.association() == null ? null : tree.associations().get(charge.association());
  }

  Own own(Association one) {
    return owns.computeIfAbsent(
        one.id(), _ -> new Own(one, tree.effective(one).limits().bounds(), tree.path(one)));
  }

  /** What the jobs of an association hold. */
  LimitUsage held(Association one) {
    return associations.computeIfAbsent(one.id(), _ -> new LimitUsage(book.of(one, now, decay)));
  }

  /** What the jobs of a QOS hold. */
  private LimitUsage held(Qos one) {
    return qos.computeIfAbsent(one.id(), _ -> new LimitUsage(book.of(one, now, decay)));
  }

  /** What those hold whose use a limit of a QOS counts. */
  LimitUsage held(Qos one, LimitKind limit, JobDemand job) {
    LimitScope scope = LimitScope.of(limit);
    return switch (scope) {
      case ALL -> held(one);
      case USER -> shared(one, scope, job.user());
      case ACCOUNT -> shared(one, scope, String.valueOf(job.account()));
    };
  }

  private LimitUsage shared(Qos one, LimitScope scope, String name) {
    return shared.computeIfAbsent(
        new Sharer(one.id(), scope, name), _ -> new LimitUsage(DecayedUsage.none(now)));
  }

  private void share(JobCharge charge) {
    Association one = association(charge);
    if (one == null) {
      return;
    }
    for (Qos its : UsageLedger.qos(tree, charge)) {
      if (sharing.get(its.id())) {
        shared(its, LimitScope.USER, String.valueOf(one.user())).add(charge.tres(), 1);
        shared(its, LimitScope.ACCOUNT, one.account()).add(charge.tres(), 1);
      }
    }
  }

  /** What running jobs may still use; looked at once some limit is of it. */
  void countMinutes() {
    if (minutesCounted) {
      return;
    }
    minutesCounted = true;
    book.charges()
        .forEach((id, charge) -> {
          long seconds = left(ends.apply(id));
          Association own = association(charge);
          if (own != null) {
            own(own).path().forEach(at -> addLeft(held(at), charge, seconds));
          }
          for (Qos one : UsageLedger.qos(tree, charge)) {
            addLeft(held(one), charge, seconds);
            if (own != null && sharing.get(one.id())) {
              String user = String.valueOf(own.user());
              addLeft(shared(one, LimitScope.USER, user), charge, seconds);
              addLeft(shared(one, LimitScope.ACCOUNT, own.account()), charge, seconds);
            }
          }
        });
  }

  private static void addLeft(LimitUsage held, JobCharge charge, long seconds) {
    held.addLeft(charge.tres(), seconds, charge.factor());
  }

  private long left(@Nullable Instant end) {
    return end == null ? FOREVER : Math.max(0, end.getEpochSecond() - now.getEpochSecond());
  }

  /** A job more, or one less where the sign is -1. */
  void count(JobDemand job, int sign) {
    double factor = usageFactor(job);
    Association own = association(job);
    if (own != null) {
      own(own).path().forEach(at -> count(held(at), job, factor, sign));
    }
    for (Qos one : order.of(job.qos(), job.partition())) {
      count(held(one), job, factor, sign);
      if (sharing.get(one.id())) {
        count(shared(one, LimitScope.USER, job.user()), job, factor, sign);
        String account = String.valueOf(job.account());
        count(shared(one, LimitScope.ACCOUNT, account), job, factor, sign);
      }
    }
  }

  private static void count(LimitUsage held, JobDemand job, double factor, int sign) {
    double minutes = job.minutes() == null ? FOREVER / MINUTE : job.minutes();
    held.add(job.tres(), sign);
    held.addLeft(job.tres(), sign * (long) (minutes * MINUTE), factor);
  }
}
