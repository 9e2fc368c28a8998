package io.dure.core.scheduler.limits;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.accounting.Qos;
import io.dure.core.accounting.TresAmounts;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.accounting.usage.Decay;
import io.dure.core.accounting.usage.Usage;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.SchedulerView;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether limits let jobs start, within one plan: what the plan starts counts for those behind. A
 * limit of the QOS stands before the same limit of an association; group limits hold at every
 * account above. For one thread.
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
  private final UsageBook book;
  private final Instant now;
  private final Decay decay;
  private final TreeMap<Integer, Held> associations = new TreeMap<>();
  private final TreeMap<Integer, Held> qos = new TreeMap<>();
  private final TreeMap<String, Held> shared = new TreeMap<>();
  private final EnumSet<Limit> regarded;
  private final IntFunction<@Nullable Instant> ends;
  private boolean minutesCounted;

  /** What runs, and what was used. */
  private static final class Held {
    private final TreeMap<String, Long> tres = new TreeMap<>();
    private final TreeMap<String, Long> secondsLeft = new TreeMap<>();
    private final Usage usage;
    private long jobs;

    Held(Usage usage) {
      this.usage = usage;
      jobs = usage.jobs();
      usage.tres().forEach(one -> tres.put(one.name(), one.held()));
    }

    void add(TresAmounts more, int sign) {
      jobs += sign;
      more.amounts().forEach(one -> tres.merge(one.name(), sign * one.amount(), Long::sum));
    }

    void addLeft(TresAmounts more, long seconds) {
      for (TresAmounts.Amount one : more.amounts()) {
        secondsLeft.merge(one.name(), one.amount() * seconds, Long::sum);
      }
    }

    long of(String name) {
      return tres.getOrDefault(name, 0L);
    }

    long minutesLeft(String name) {
      return secondsLeft.getOrDefault(name, 0L) / (long) MINUTE;
    }
  }

  /**
   * The limits of a cluster in which this has been used by now.
   *
   * @param ends when a running job ends at the latest, null for never
   */
  public StartLimits(
      AccountingTree tree,
      UsageBook book,
      Instant now,
      Decay decay,
      IntFunction<@Nullable Instant> ends) {
    this(tree, book, now, decay, ends, EnumSet.allOf(Limit.class));
  }

  private StartLimits(
      AccountingTree tree,
      UsageBook book,
      Instant now,
      Decay decay,
      IntFunction<@Nullable Instant> ends,
      EnumSet<Limit> regarded) {
    this.tree = tree;
    this.book = book;
    this.now = now;
    this.decay = decay;
    this.ends = ends;
    this.regarded = regarded;
    book.charges().forEach((_, charge) -> share(charge));
  }

  private void share(Charge charge) {
    Association one =
        charge.association() == null ? null : tree.associations().get(charge.association());
    if (one == null || charge.qos() == null) {
      return;
    }
    shared(charge.qos(), "user", String.valueOf(one.user())).add(charge.tres(), 1);
    shared(charge.qos(), "account", one.account()).add(charge.tres(), 1);
  }

  private Held shared(int qosId, String kind, String name) {
    return shared.computeIfAbsent(
        qosId + "\n" + kind + "\n" + name, _ -> new Held(Usage.none(now)));
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

  private @Nullable Qos qos(Demand job) {
    return job.qos() == null ? null : tree.qos(job.qos());
  }

  /** The limits of a cluster as it is, null where none are enforced. */
  public static @Nullable StartLimits of(SchedulerView view, Instant now) {
    PrioritySettings settings = view.settings().priority();
    return settings.enforced().limits()
        ? new StartLimits(
            view.accounts(),
            view.usage(),
            now,
            Decay.of(settings.halfLife()),
            id -> end(view.active().get(id)))
        : null;
  }

  private static @Nullable Instant end(@Nullable Job job) {
    return job != null && job.state() instanceof JobState.Running running ? running.end() : null;
  }

  /** Slurm's word for the limit that the job breaks even where nothing else runs, null if none. */
  public static @Nullable String reasonAlone(AccountingTree tree, Demand job, Instant now) {
    return new StartLimits(tree, UsageBook.EMPTY, now, Decay.NONE, _ -> null, EnumSet.copyOf(SIZES))
        .reason(job);
  }

  /** What running jobs may still use; looked at once some limit is of it. */
  private void countMinutes() {
    if (minutesCounted) {
      return;
    }
    minutesCounted = true;
    book.charges()
        .forEach((id, charge) -> {
          Association own =
              charge.association() == null ? null : tree.associations().get(charge.association());
          Qos one = charge.qos() == null ? null : tree.qosOf(charge.qos());
          long seconds = left(ends.apply(id));
          if (own != null) {
            tree.path(own).forEach(at -> held(at).addLeft(charge.tres(), seconds));
          }
          if (one != null) {
            held(one).addLeft(charge.tres(), seconds);
          }
          if (own != null && one != null) {
            shared(one.id(), "user", String.valueOf(own.user())).addLeft(charge.tres(), seconds);
            shared(one.id(), "account", own.account()).addLeft(charge.tres(), seconds);
          }
        });
  }

  private long left(@Nullable Instant end) {
    return end == null ? FOREVER : Math.max(0, end.getEpochSecond() - now.getEpochSecond());
  }

  /** Slurm's word for the limit that keeps the job waiting, null if none does. */
  public @Nullable String reason(Demand job) {
    Qos one = qos(job);
    Limits first = one == null ? Limits.NONE : one.limits();
    if (one != null) {
      for (Limits.Bound bound : first.bounds()) {
        if (isOver(bound, job, one)) {
          return LimitReason.qos(bound.limit(), bound.tres());
        }
      }
    }
    Association own = association(job);
    if (own == null) {
      return null;
    }
    for (Limits.Bound bound : tree.effective(own).limits().bounds()) {
      if (!bound.limit().isGroup() && !isSet(first, bound) && isOver(bound, job, held(own))) {
        return LimitReason.assoc(bound.limit(), bound.tres());
      }
    }
    for (Association at : tree.path(own)) {
      for (Limits.Bound bound : at.limits().bounds()) {
        if (bound.limit().isGroup() && !isSet(first, bound) && isOver(bound, job, held(at))) {
          return LimitReason.assoc(bound.limit(), bound.tres());
        }
      }
    }
    return null;
  }

  private static boolean isSet(Limits limits, Limits.Bound bound) {
    for (Limits.Bound other : limits.bounds()) {
      if (other.limit() == bound.limit() && java.util.Objects.equals(other.tres(), bound.tres())) {
        return true;
      }
    }
    return false;
  }

  private boolean isOver(Limits.Bound bound, Demand job, Qos one) {
    String account = String.valueOf(job.account());
    return switch (bound.limit()) {
      case MAX_JOBS_PER_USER, MAX_TRES_PER_USER, MAX_TRES_RUN_MINS_PER_USER ->
          isOver(bound, job, shared(one.id(), "user", job.user()));
      case MAX_JOBS_PER_ACCOUNT, MAX_TRES_PER_ACCOUNT, MAX_TRES_RUN_MINS_PER_ACCOUNT ->
          isOver(bound, job, shared(one.id(), "account", account));
      default -> isOver(bound, job, held(one));
    };
  }

  private boolean isOver(Limits.Bound bound, Demand job, Held held) {
    if (!regarded.contains(bound.limit())) {
      return false;
    }
    String tres = bound.tres() == null ? "" : bound.tres();
    long wanted = job.tres().of(tres);
    long most = bound.most();
    return switch (bound.limit()) {
      case GRP_JOBS, MAX_JOBS, MAX_JOBS_PER_USER, MAX_JOBS_PER_ACCOUNT -> held.jobs >= most;
      case GRP_TRES, MAX_TRES_PER_USER, MAX_TRES_PER_ACCOUNT ->
          wanted > 0 && held.of(tres) + wanted > most;
      case GRP_TRES_MINS -> wanted > 0 && held.usage.seconds(tres) / MINUTE >= most;
      case GRP_WALL -> held.usage.wall() / MINUTE >= most;
      case MAX_TRES_PER_JOB -> wanted > most;
      case MAX_TRES_MINS_PER_JOB ->
          wanted > 0 && (job.minutes() == null || wanted > most / Math.max(1, job.minutes()));
      case MAX_WALL -> job.minutes() == null || job.minutes() > most;
      case MIN_TRES_PER_JOB -> wanted < most;
      case MAX_TRES_PER_NODE -> job.onOneNode().of(tres) > most;
      case GRP_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS,
          MAX_TRES_RUN_MINS_PER_USER,
          MAX_TRES_RUN_MINS_PER_ACCOUNT -> {
        countMinutes();
        long more = wanted * seconds(job) / (long) MINUTE;
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

  private static long seconds(Demand job) {
    return job.minutes() == null ? FOREVER : job.minutes() * (long) MINUTE;
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
    Association own = association(job);
    if (own != null) {
      tree.path(own).forEach(at -> count(held(at), job, sign));
    }
    Qos one = qos(job);
    if (one != null) {
      count(held(one), job, sign);
      count(shared(one.id(), "user", job.user()), job, sign);
      count(shared(one.id(), "account", String.valueOf(job.account())), job, sign);
    }
  }

  private static void count(Held held, Demand job, int sign) {
    held.add(job.tres(), sign);
    held.addLeft(job.tres(), sign * seconds(job));
  }
}
