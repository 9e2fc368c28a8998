package io.dure.bench.explanations;

import io.dure.cluster.Event;
import io.dure.controller.loop.InMemoryController;
import io.dure.insight.explain.ExplanationQuery;
import io.dure.insight.explain.JobExplainer;
import io.dure.insight.explain.JobsAhead;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.RelatedJob;
import io.dure.model.report.StartBlocker;
import io.dure.model.report.StartRemedy;
import io.dure.model.report.WaitCause;
import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is said of waiting jobs against what becomes of them: each remedy is applied, and each
 * cause taken away, by an operator's or the owner's own commands, in a cluster that goes on by the
 * controller's rules. One thread.
 */
final class ExplanationCheck {
  private static final Instant FAR = Instant.parse("2036-01-01T00:00:00Z");
  private static final Duration TOLERANCE = Duration.ofMinutes(1);
  private static final long EFFORT = 20_000_000;
  private static final long NO_BOUND = 1L << 40;

  private final List<String> failures = new ArrayList<>();
  private int jobs;
  private int expected;
  private int asExpected;
  private int remedies;
  private int asPromised;
  private int findings;
  private int causes;
  private int together;
  private int needed;
  private int rough;

  /** What was said that did not come true. */
  List<String> failures() {
    return failures;
  }

  /** Per cent of remedies with which the job started as promised. */
  double promised() {
    return remedies == 0 ? 100 : 100.0 * asPromised / remedies;
  }

  /** Per cent of those named together without each of whom it did not start so soon. */
  double needed() {
    return together == 0 ? 100 : 100.0 * needed / together;
  }

  /** Per cent of causes without which the job started sooner. */
  double caused() {
    return findings == 0 ? 100 : 100.0 * causes / findings;
  }

  /** Per cent of jobs that started when it was said if nothing was done. */
  double asSaid() {
    return expected == 0 ? 100 : 100.0 * asExpected / expected;
  }

  /** All of it in a few lines. */
  String text() {
    return String.format(
        Locale.ROOT,
        "%d waiting jobs explained%n"
            + "remedies applied: %d, started as promised: %.1f %%%n"
            + "causes taken away: %d, started sooner: %.1f %%%n"
            + "named together: %d, each of them needed: %.1f %%; groups not made small: %d%n"
            + "nothing done: %d, started as said: %.1f %%%n",
        jobs,
        remedies,
        promised(),
        findings,
        caused(),
        together,
        needed(),
        rough,
        expected,
        asSaid());
  }

  /** Looks at jobs of random clusters until there are so many. */
  void look(long seed, int most) {
    for (long next = seed; jobs < most; next++) {
      ReferenceCluster course = RandomCluster.of(next);
      List<Job> waiting = course.state().pending().values();
      for (int i = 0; i < waiting.size() && jobs < most; i += 1 + waiting.size() / 6) {
        look(course, waiting.get(i), next);
      }
    }
  }

  private void look(ReferenceCluster course, Job job, long seed) {
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    ExplanationQuery question =
        new ExplanationQuery(
            course.state(),
            job,
            course.now(),
            course.reason(job.id()),
            owner,
            EFFORT,
            InMemoryController.RULES);
    JobExplanation told = JobExplainer.explain(question);
    if (!(told.story() instanceof JobSituation.Waits waits)) {
      return;
    }
    jobs++;
    Instant base = again(course).start(job.id(), FAR);
    Instant said = waits.expected().latest();
    String who = "seed " + seed + " job " + job.id() + " (" + waits.reason() + ")";
    expected++;
    if (isAt(said, base)) {
      asExpected++;
    } else {
      failures.add(who + " was said to start " + said + " and starts " + base);
    }
    for (StartRemedy remedy : waits.remedies()) {
      remedies++;
      ReferenceCluster changed = again(course);
      boolean refused = changed.decide(remedy.change(), owner) instanceof Reply.Refused;
      Instant start = refused ? null : changed.start(job.id(), FAR);
      boolean kept = start != null && !start.isAfter(remedy.start().plus(TOLERANCE));
      asPromised += kept ? 1 : 0;
      if (!kept) {
        failures.add(
            who + " " + remedy.update() + ": promised " + remedy.start() + ", starts " + start);
      }
    }
    for (StartBlocker finding : waits.findings()) {
      look(course, job, who, finding, base);
    }
  }

  private void look(
      ReferenceCluster course, Job job, String who, StartBlocker finding, @Nullable Instant base) {
    findings++;
    Instant start = without(course, job, finding.causes());
    boolean caused = start != null && (base == null || start.isBefore(base));
    causes += caused ? 1 : 0;
    if (!caused) {
      failures.add(
          "%s without %s: starts %s instead of %s, said %s"
              .formatted(who, finding.causes(), start, base, finding.start()));
    }
    if (finding.rough()) {
      rough++;
      return;
    }
    List<List<WaitCause>> fewer = fewer(finding.causes());
    for (List<WaitCause> some : fewer.size() < 2 ? List.<List<WaitCause>>of() : fewer) {
      together++;
      Instant its = without(course, job, some);
      boolean isNeeded = its == null || its.isAfter(finding.start());
      needed += isNeeded ? 1 : 0;
      if (!isNeeded) {
        failures.add(who + " starts " + its + " without " + some + " alone: named too many");
      }
    }
  }

  private static @Nullable Instant without(
      ReferenceCluster course, Job job, List<WaitCause> causes) {
    ReferenceCluster without = again(course);
    causes.forEach(cause -> remove(without, job, cause));
    return without.start(job.id(), FAR);
  }

  /** The causes without one job, one user or one other cause. */
  private static List<List<WaitCause>> fewer(List<WaitCause> causes) {
    List<List<WaitCause>> all = new ArrayList<>();
    for (int i = 0; i < causes.size(); i++) {
      List<WaitCause> others = new ArrayList<>(causes);
      switch (others.remove(i)) {
        case WaitCause.Running(List<RelatedJob> jobs) ->
            each(jobs, some -> all.add(with(others, new WaitCause.Running(some), some.isEmpty())));
        case WaitCause.Ahead(List<RelatedJob> jobs) ->
            each(jobs, some -> all.add(with(others, new WaitCause.Ahead(some), some.isEmpty())));
        case WaitCause.Queue(String partition, List<WaitCause.Queue.Owner> owners) ->
            each(
                owners,
                some ->
                    all.add(with(others, new WaitCause.Queue(partition, some), some.isEmpty())));
        case WaitCause _ -> all.add(others);
      }
    }
    return all;
  }

  private static <T> void each(List<T> all, Consumer<List<T>> found) {
    for (int i = 0; i < all.size(); i++) {
      List<T> some = new ArrayList<>(all);
      some.remove(i);
      found.accept(some);
    }
  }

  private static List<WaitCause> with(List<WaitCause> others, WaitCause one, boolean none) {
    List<WaitCause> all = new ArrayList<>(others);
    if (!none) {
      all.add(one);
    }
    return all;
  }

  private static ReferenceCluster again(ReferenceCluster course) {
    return new ReferenceCluster(course.state(), course.now()).knowing();
  }

  private static boolean isAt(@Nullable Instant said, @Nullable Instant found) {
    if (said == null || found == null) {
      return said == null && found == null;
    }
    return Duration.between(said, found).abs().compareTo(TOLERANCE) <= 0;
  }

  private static void remove(ReferenceCluster course, Job job, WaitCause cause) {
    JobSelector own = new JobSelector(job.baseId(), null);
    switch (cause) {
      case WaitCause.Held _ -> course.decide(new Command.ReleaseJob(own), ReferenceCluster.ROOT);
      case WaitCause.DependsOn _ -> {
        for (Job one : components(course, job)) {
          update(course, one, one.spec().withDependency(DependencyList.NONE));
          course.apply(new Event.DependencyChanged(one.id(), List.of(), false));
        }
      }
      case WaitCause.BeginsLater _ ->
          components(course, job).forEach(one -> update(course, one, one.spec().unconditional()));
      case WaitCause.Throttled _ -> course.apply(new Event.ArrayThrottled(job.baseId(), 0));
      case WaitCause.PartitionClosed(String name, _) -> {
        PartitionConfig partition = course.state().partition(name);
        if (partition != null) {
          PartitionConfig open = partition.withState(PartitionConfig.State.UP);
          course.decide(new Command.ChangePartition(open, false), ReferenceCluster.ROOT);
        }
      }
      case WaitCause.LimitReached reached -> lift(course, reached.breach());
      case WaitCause.LicensesTaken taken -> {
        for (Job other : course.state().active().values()) {
          JobState.Running run = other.state().runningOrSuspended();
          if (run != null && License.count(run.allocation().licenses(), taken.name()) > 0) {
            course.over(other);
          }
        }
      }
      case WaitCause.ReservedFor reserved ->
          course.apply(new Event.ReservationDeleted(reserved.name(), null));
      case WaitCause.NodesClosed closed -> {
        for (WaitCause.ClosedNode node : closed.nodes()) {
          course.decide(
              new Command.UpdateNodes(List.of(node.name()), Map.of("state", "RESUME")),
              ReferenceCluster.ROOT);
        }
      }
      case WaitCause.Running(List<RelatedJob> jobs) -> over(course, jobs);
      case WaitCause.Ahead(List<RelatedJob> jobs) -> over(course, jobs);
      case WaitCause.Queue(_, List<WaitCause.Queue.Owner> owners) -> {
        JobsAhead line = JobsAhead.of(course.state(), job, course.now());
        for (Job other : line == null ? List.<Job>of() : line.ahead()) {
          String user = other.owner().userName();
          if (owners.stream().anyMatch(one -> one.user().equals(user))) {
            course.over(other);
          }
        }
      }
      case WaitCause.MissesDeadline _,
          WaitCause.NotAllowed _,
          WaitCause.TooMuch _,
          WaitCause.OwnReservation _,
          WaitCause.NoRoom _ ->
          throw new IllegalStateException("nobody takes this away: " + cause);
    }
  }

  private static void update(ReferenceCluster course, Job job, JobSpec spec) {
    course.apply(new Event.JobUpdated(job.id(), spec, job.priority(), null));
  }

  /** The job with all that starts together with it. */
  private static List<Job> components(ReferenceCluster course, Job job) {
    List<Job> all = new ArrayList<>();
    int first = job.het() == null ? job.id() : job.het().leader();
    int last = job.het() == null ? job.id() : job.het().last();
    for (int id = first; id <= last; id++) {
      Job one = course.state().pending().get(id);
      if (one != null) {
        all.add(one);
      }
    }
    return all;
  }

  /** All are over at one instant, in the order in which the controller's clock finds them. */
  private static void over(ReferenceCluster course, List<RelatedJob> jobs) {
    jobs.stream()
        .map(RelatedJob::jobId)
        .sorted()
        .map(course.state()::job)
        .filter(Objects::nonNull)
        .forEach(course::over);
  }

  private static void lift(ReferenceCluster course, LimitBreach breach) {
    LimitKind limit = breach.limit();
    Integer id = breach.association();
    Association own = id == null ? null : course.state().accounts().associations().get(id);
    Qos qos = breach.qos() == null ? null : course.state().accounts().qos(breach.qos());
    AccountingChange change = null;
    if (limit != null && own != null) {
      AccountingLimits lifted = own.limits().with(limit, breach.tres(), NO_BOUND);
      change = new AccountingChange.AssociationSet(own.withLimits(lifted));
    } else if (limit != null && qos != null) {
      AccountingLimits lifted = qos.limits().with(limit, breach.tres(), NO_BOUND);
      change = new AccountingChange.QosSet(qos.withLimits(lifted));
    }
    if (change != null) {
      course.decide(
          new Command.ChangeAccounting(course.state().accounts().version(), List.of(change)),
          ReferenceCluster.ROOT);
    }
  }
}
