package io.dure.core.scheduler.limits;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.QosFlag;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.accounting.usage.Decay;
import io.dure.core.accounting.usage.FairShares;
import io.dure.core.accounting.usage.Shares;
import io.dure.core.accounting.usage.Usage;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.SchedulerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether limits let jobs start, within one plan: what the plan starts counts for those behind. A
 * limit of a QOS stands before the same limit of an association; group limits hold at every account
 * above. For one thread.
 */
public final class StartLimits {
  private static final double MINUTE = 60;

  /** A year, in seconds: the rest of a job without a limit. */
  private static final long FOREVER = 365L * 24 * 3600;

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

  private final AccountingTree tree;
  private final QosOrder order;
  private final PrioritySettings settings;
  private final UsageBook book;
  private final Instant now;
  private final Decay decay;
  private final TreeMap<Integer, Held> associations = new TreeMap<>();
  private final TreeMap<Integer, Held> qos = new TreeMap<>();
  private final TreeMap<Sharer, Held> shared = new TreeMap<>();

  /** The numbers of the QOS that have limits of single users or accounts. */
  private final BitSet sharing = new BitSet();

  private final TreeMap<Integer, Own> owns = new TreeMap<>();
  private final EnumSet<Limit> regarded;
  private final IntFunction<@Nullable Instant> ends;
  private boolean minutesCounted;
  private @Nullable Shares shares;

  /**
   * A limit that is asked about.
   *
   * @param bound the limit
   * @param most what is allowed, which need not be what the limit says
   * @param usageFactor by how much the job's use counts
   */
  private record Asked(Limits.Bound bound, double most, double usageFactor) {}

  /** A user or an account among the jobs of a QOS. */
  private record Sharer(int qos, boolean user, String name) implements Comparable<Sharer> {
    @Override
    public int compareTo(Sharer other) {
      int order = Integer.compare(qos, other.qos);
      order = order == 0 ? Boolean.compare(user, other.user) : order;
      return order == 0 ? name.compareTo(other.name) : order;
    }
  }

  /**
   * An association with what holds for its jobs: the same for all that a plan asks about.
   *
   * @param bounds what it says itself or was handed down
   * @param path it and all above
   */
  private record Own(Association one, List<Limits.Bound> bounds, List<Association> path) {}

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
    tree = order.tree();
    this.order = order;
    this.settings = settings;
    this.book = book;
    this.now = now;
    decay = Decay.of(settings.halfLife());
    this.ends = ends;
    this.regarded = regarded;
    for (Qos one : tree.qosByNumber()) {
      if (one.limits().bounds().stream().anyMatch(bound -> isShared(bound.limit()))) {
        sharing.set(one.id());
      }
    }
    if (!sharing.isEmpty()) {
      book.charges().forEach((_, charge) -> share(charge));
    }
  }

  /** Whether the limit of a QOS is of each user, or of each account, alone. */
  private static boolean isShared(Limit limit) {
    return ofUser(limit) || ofAccount(limit);
  }

  private static boolean ofUser(Limit limit) {
    return limit == Limit.MAX_JOBS_PER_USER
        || limit == Limit.MAX_TRES_PER_USER
        || limit == Limit.MAX_TRES_RUN_MINS_PER_USER;
  }

  private static boolean ofAccount(Limit limit) {
    return limit == Limit.MAX_JOBS_PER_ACCOUNT
        || limit == Limit.MAX_TRES_PER_ACCOUNT
        || limit == Limit.MAX_TRES_RUN_MINS_PER_ACCOUNT;
  }

  private Own own(Association one) {
    return owns.computeIfAbsent(
        one.id(), _ -> new Own(one, tree.effective(one).limits().bounds(), tree.path(one)));
  }

  private void share(Charge charge) {
    Association one = association(charge);
    if (one == null) {
      return;
    }
    for (Qos its : UsageBook.qos(tree, charge)) {
      if (sharing.get(its.id())) {
        shared(its, true, String.valueOf(one.user())).add(charge.tres(), 1);
        shared(its, false, one.account()).add(charge.tres(), 1);
      }
    }
  }

  private @Nullable Association association(Charge charge) {
    return charge.association() == null ? null : tree.associations().get(charge.association());
  }

  private Held shared(Qos one, boolean user, String name) {
    return shared.computeIfAbsent(new Sharer(one.id(), user, name), _ -> new Held(Usage.none(now)));
  }

  private Held held(Association one) {
    return associations.computeIfAbsent(one.id(), _ -> new Held(book.of(one, now, decay)));
  }

  private Held held(Qos one) {
    return qos.computeIfAbsent(one.id(), _ -> new Held(book.of(one, now, decay)));
  }

  private @Nullable Association association(Demand job) {
    return job.account() == null ? null : tree.charged(job.account(), job.user(), job.partition());
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
    Breach breach = alone.size(job, alone.association(job), order.of(job.qos(), job.partition()));
    return breach == null ? null : breach.reason();
  }

  /** What running jobs may still use; looked at once some limit is of it. */
  private void countMinutes() {
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
          for (Qos one : UsageBook.qos(tree, charge)) {
            addLeft(held(one), charge, seconds);
            if (own != null && sharing.get(one.id())) {
              addLeft(shared(one, true, String.valueOf(own.user())), charge, seconds);
              addLeft(shared(one, false, own.account()), charge, seconds);
            }
          }
        });
  }

  private static void addLeft(Held held, Charge charge, long seconds) {
    held.addLeft(charge.tres(), seconds, charge.factor());
  }

  private long left(@Nullable Instant end) {
    return end == null ? FOREVER : Math.max(0, end.getEpochSecond() - now.getEpochSecond());
  }

  /** Slurm's word for the limit that keeps the job waiting, null if none does. */
  public @Nullable String reason(Demand job) {
    Breach breach = breach(job);
    return breach == null ? null : breach.reason();
  }

  /** The limit that keeps the job waiting, null if none does. */
  public @Nullable Breach breach(Demand job) {
    Association own = association(job);
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
      shares = FairShares.of(settings, tree, book, now);
    }
    return shares.factor(own) < least;
  }

  private @Nullable Breach size(Demand job, @Nullable Association own, List<Qos> both) {
    double usageFactor = usageFactor(job);
    List<Limits> before = new ArrayList<>();
    for (Qos one : both) {
      for (Limits.Bound bound : one.limits().bounds()) {
        Asked asked = new Asked(bound, bound.most(), usageFactor);
        if (!bound.isAmong(before) && isOver(asked, job, one)) {
          String reason = LimitReason.qos(bound.limit(), bound.tres());
          Breach breach = Breach.of(reason, asked.bound(), asked.most());
          return used(breach, job, sharers(bound.limit(), job, one))
              .of(one, job.user(), job.account());
        }
      }
      before.add(one.limits());
    }
    return own == null ? null : breach(job, own(own), before, limitFactor(both));
  }

  private @Nullable Breach breach(Demand job, Own own, List<Limits> before, double limitFactor) {
    double usageFactor = usageFactor(job);
    Association one = own.one();
    for (Limits.Bound bound : own.bounds()) {
      Asked asked = new Asked(bound, most(bound, limitFactor), usageFactor);
      if (!bound.limit().isGroup() && !bound.isAmong(before) && isOver(asked, job, held(one))) {
        String reason = LimitReason.assoc(bound.limit(), bound.tres());
        return used(Breach.of(reason, bound, asked.most()), job, held(one)).of(one);
      }
    }
    for (Association at : own.path()) {
      for (Limits.Bound bound : at.limits().bounds()) {
        Asked asked = new Asked(bound, most(bound, limitFactor), usageFactor);
        if (bound.limit().isGroup() && !bound.isAmong(before) && isOver(asked, job, held(at))) {
          String reason = LimitReason.assoc(bound.limit(), bound.tres());
          return used(Breach.of(reason, bound, asked.most()), job, held(at)).of(at);
        }
      }
    }
    return null;
  }

  /** The breach with what is used of the limit, and what the job wants of it. */
  private Breach used(Breach breach, Demand job, Held held) {
    Limit limit = Objects.requireNonNull(breach.limit());
    String tres = breach.tres() == null ? "" : breach.tres();
    double wanted = (double) job.tres().of(tres);
    return switch (limit) {
      case GRP_JOBS, MAX_JOBS, MAX_JOBS_PER_USER, MAX_JOBS_PER_ACCOUNT ->
          breach.with((double) held.jobs(), 1);
      case GRP_TRES, MAX_TRES_PER_USER, MAX_TRES_PER_ACCOUNT ->
          breach.with((double) held.of(tres), wanted);
      case GRP_TRES_MINS -> breach.with(held.minutesUsed(tres), wanted * minutes(job));
      case GRP_WALL -> breach.with(held.wallMinutes(), minutes(job));
      case GRP_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS_PER_USER,
          MAX_TRES_RUN_MINS_PER_ACCOUNT ->
          breach.with(held.minutesLeft(tres), wanted * minutes(job) * usageFactor(job));
      case MAX_TRES_MINS_PER_JOB -> breach.with(0, wanted * minutes(job));
      case MAX_WALL -> breach.with(0, minutes(job));
      case MAX_TRES_PER_NODE -> breach.with(0, (double) job.onOneNode().of(tres));
      default -> breach.with(0, wanted);
    };
  }

  /** By how much a job's use counts: the usage factor of its own QOS. */
  private double usageFactor(Demand job) {
    Qos own = job.qos() == null ? null : tree.qos(job.qos());
    return own == null ? 1 : own.usageFactor();
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

  private boolean isOver(Asked asked, Demand job, Qos one) {
    return isOver(asked, job, sharers(asked.bound().limit(), job, one));
  }

  /** Whose use a limit of a QOS counts. */
  private Held sharers(Limit limit, Demand job, Qos one) {
    if (ofUser(limit)) {
      return shared(one, true, job.user());
    }
    return ofAccount(limit) ? shared(one, false, String.valueOf(job.account())) : held(one);
  }

  private boolean isOver(Asked asked, Demand job, Held held) {
    Limits.Bound bound = asked.bound();
    if (!regarded.contains(bound.limit())) {
      return false;
    }
    String tres = bound.tres() == null ? "" : bound.tres();
    long wanted = job.tres().of(tres);
    double most = asked.most();
    return switch (bound.limit()) {
      case GRP_JOBS, MAX_JOBS, MAX_JOBS_PER_USER, MAX_JOBS_PER_ACCOUNT -> held.jobs() >= most;
      case GRP_TRES, MAX_TRES_PER_USER, MAX_TRES_PER_ACCOUNT ->
          wanted > 0 && held.of(tres) + wanted > most;
      case GRP_TRES_MINS -> wanted > 0 && isUsedUp(asked, job, held, wanted);
      case GRP_WALL ->
          held.wallMinutes() >= most
              || settings.enforced().safe() && held.wallMinutes() + minutes(job) > most;
      case MAX_TRES_PER_JOB -> wanted > most;
      case MAX_TRES_MINS_PER_JOB ->
          wanted > 0 && (job.minutes() == null || (double) wanted * job.minutes() > most);
      case MAX_WALL -> job.minutes() == null || job.minutes() > most;
      case MIN_TRES_PER_JOB -> wanted < most;
      case MAX_TRES_PER_NODE -> job.onOneNode().of(tres) > most;
      case GRP_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS_PER_USER,
          MAX_TRES_RUN_MINS_PER_ACCOUNT -> {
        countMinutes();
        double more = wanted * minutes(job) * asked.usageFactor();
        yield wanted > 0 && held.minutesLeft(tres) + more > most;
      }
      case GRP_JOBS_ACCRUE,
          GRP_SUBMIT_JOBS,
          MAX_JOBS_ACCRUE,
          MAX_SUBMIT_JOBS,
          MIN_PRIO_THRESHOLD,
          MAX_JOBS_ACCRUE_PER_USER,
          MAX_SUBMIT_JOBS_PER_USER,
          MAX_JOBS_ACCRUE_PER_ACCOUNT,
          MAX_SUBMIT_JOBS_PER_ACCOUNT ->
          false;
    };
  }

  /**
   * Whether the minutes are used up; where limits are safe, also whether the job could use them.
   */
  private boolean isUsedUp(Asked asked, Demand job, Held held, long wanted) {
    String tres = String.valueOf(asked.bound().tres());
    double used = held.minutesUsed(tres);
    if (used >= asked.most() || !settings.enforced().safe()) {
      return used >= asked.most();
    }
    countMinutes();
    Qos own = job.qos() == null ? null : tree.qos(job.qos());
    boolean counts = own != null && own.has(QosFlag.USAGE_FACTOR_SAFE);
    double more = wanted * minutes(job) * (counts ? asked.usageFactor() : 1);
    return used + held.minutesLeft(tres) + more > asked.most();
  }

  private static double minutes(Demand job) {
    return job.minutes() == null ? FOREVER / MINUTE : job.minutes();
  }

  /** The plan starts the job. */
  public void started(Demand job) {
    count(job, 1);
  }

  /** The plan does not start the job after all. */
  public void takenBack(Demand job) {
    count(job, -1);
  }

  private void count(Demand job, int sign) {
    double factor = usageFactor(job);
    Association own = association(job);
    if (own != null) {
      own(own).path().forEach(at -> count(held(at), job, factor, sign));
    }
    for (Qos one : order.of(job.qos(), job.partition())) {
      count(held(one), job, factor, sign);
      if (sharing.get(one.id())) {
        count(shared(one, true, job.user()), job, factor, sign);
        count(shared(one, false, String.valueOf(job.account())), job, factor, sign);
      }
    }
  }

  private static void count(Held held, Demand job, double factor, int sign) {
    held.add(job.tres(), sign);
    held.addLeft(job.tres(), sign * (long) (minutes(job) * MINUTE), factor);
  }
}
