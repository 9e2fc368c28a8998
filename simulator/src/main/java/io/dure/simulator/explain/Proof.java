package io.dure.simulator.explain;

import io.dure.core.accounting.AccountingChange;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.Qos;
import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.Reply;
import io.dure.core.explain.Cause;
import io.dure.core.explain.Explainer;
import io.dure.core.explain.Explanation;
import io.dure.core.explain.Finding;
import io.dure.core.explain.JobFact;
import io.dure.core.explain.Line;
import io.dure.core.explain.Question;
import io.dure.core.explain.Remedy;
import io.dure.core.explain.Story;
import io.dure.core.model.DependencyList;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.command.Caller;
import io.dure.core.model.gres.License;
import io.dure.core.scheduler.limits.Breach;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is said of waiting jobs against what becomes of them: each remedy is applied, and each
 * cause taken away, by an operator's or the owner's own commands, in a cluster that goes on by the
 * controller's rules. One thread.
 */
final class Proof {
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

  /** So many jobs were explained. */
  int jobs() {
    return jobs;
  }

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
        java.util.Locale.ROOT,
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
      Course course = RandomCluster.of(next);
      List<Job> waiting = course.state().pending().values();
      for (int i = 0; i < waiting.size() && jobs < most; i += 1 + waiting.size() / 6) {
        look(course, waiting.get(i), next);
      }
    }
  }

  private void look(Course course, Job job, long seed) {
    Caller.User owner = new Caller.User(job.owner(), List.of(), false);
    Question question =
        new Question(course.state(), job, course.now(), course.reason(job.id()), owner, EFFORT);
    Explanation told = Explainer.explain(question);
    if (!(told.story() instanceof Story.Waits waits)) {
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
    for (Remedy remedy : waits.remedies()) {
      remedies++;
      Course changed = again(course);
      boolean refused = changed.decide(remedy.change(), owner).reply() instanceof Reply.Refused;
      Instant start = refused ? null : changed.start(job.id(), FAR);
      boolean kept = start != null && !start.isAfter(remedy.start().plus(TOLERANCE));
      asPromised += kept ? 1 : 0;
      if (!kept) {
        failures.add(
            who + " " + remedy.update() + ": promised " + remedy.start() + ", starts " + start);
      }
    }
    for (Finding finding : waits.findings()) {
      look(course, job, who, finding, base);
    }
  }

  private void look(Course course, Job job, String who, Finding finding, @Nullable Instant base) {
    findings++;
    Instant start = without(course, job, finding.causes());
    boolean caused = start != null && (base == null || start.isBefore(base));
    causes += caused ? 1 : 0;
    if (!caused) {
      failures.add(
          who
              + " without "
              + finding.causes()
              + ": starts "
              + start
              + " instead of "
              + base
              + ", said "
              + finding.start());
    }
    if (finding.rough()) {
      rough++;
      return;
    }
    List<List<Cause>> fewer = fewer(finding.causes());
    for (List<Cause> some : fewer.size() < 2 ? List.<List<Cause>>of() : fewer) {
      together++;
      Instant its = without(course, job, some);
      boolean isNeeded = its == null || its.isAfter(finding.start());
      needed += isNeeded ? 1 : 0;
      if (!isNeeded) {
        failures.add(who + " starts " + its + " without " + some + " alone: named too many");
      }
    }
  }

  private static @Nullable Instant without(Course course, Job job, List<Cause> causes) {
    Course without = again(course);
    causes.forEach(cause -> remove(without, job, cause));
    return without.start(job.id(), FAR);
  }

  /** The causes without one job, one user or one other cause. */
  private static List<List<Cause>> fewer(List<Cause> causes) {
    List<List<Cause>> all = new ArrayList<>();
    for (int i = 0; i < causes.size(); i++) {
      List<Cause> others = new ArrayList<>(causes);
      switch (others.remove(i)) {
        case Cause.Running(List<JobFact> jobs) ->
            each(jobs, some -> all.add(with(others, new Cause.Running(some), some.isEmpty())));
        case Cause.Ahead(List<JobFact> jobs) ->
            each(jobs, some -> all.add(with(others, new Cause.Ahead(some), some.isEmpty())));
        case Cause.Queue(String partition, List<Cause.Queue.Owner> owners) ->
            each(
                owners,
                some -> all.add(with(others, new Cause.Queue(partition, some), some.isEmpty())));
        case Cause _ -> all.add(others);
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

  private static List<Cause> with(List<Cause> others, Cause one, boolean none) {
    List<Cause> all = new ArrayList<>(others);
    if (!none) {
      all.add(one);
    }
    return all;
  }

  private static Course again(Course course) {
    return new Course(course.state(), course.now()).knowing();
  }

  private static boolean isAt(@Nullable Instant said, @Nullable Instant found) {
    if (said == null || found == null) {
      return said == null && found == null;
    }
    return Duration.between(said, found).abs().compareTo(TOLERANCE) <= 0;
  }

  private static void remove(Course course, Job job, Cause cause) {
    JobSelector own = new JobSelector(job.baseId(), null);
    switch (cause) {
      case Cause.Held _ -> course.decide(new Command.ReleaseJob(own), Course.ROOT);
      case Cause.DependsOn _ -> {
        for (Job one : components(course, job)) {
          update(course, one, one.spec().with(DependencyList.NONE));
          course.apply(new Event.DependencyChanged(one.id(), List.of(), false));
        }
      }
      case Cause.BeginsLater _ ->
          components(course, job).forEach(one -> update(course, one, one.spec().unconditional()));
      case Cause.Throttled _ -> course.apply(new Event.ArrayThrottled(job.baseId(), 0));
      case Cause.PartitionClosed(String name, _) -> {
        PartitionConfig partition = course.state().partition(name);
        if (partition != null) {
          PartitionConfig open = partition.withState(PartitionConfig.State.UP);
          course.decide(new Command.ChangePartition(open, false), Course.ROOT);
        }
      }
      case Cause.LimitReached reached -> lift(course, reached.breach());
      case Cause.LicensesTaken taken -> {
        for (Job other : course.state().active().values()) {
          JobState.Running run = other.state().underWay();
          if (run != null && License.count(run.allocation().licenses(), taken.name()) > 0) {
            course.over(other);
          }
        }
      }
      case Cause.ReservedFor reserved ->
          course.apply(new Event.ReservationDeleted(reserved.name()));
      case Cause.NodesClosed closed -> {
        for (Cause.ClosedNode node : closed.nodes()) {
          course.decide(
              new Command.UpdateNodes(List.of(node.name()), Map.of("state", "RESUME")),
              Course.ROOT);
        }
      }
      case Cause.Running(List<JobFact> jobs) -> over(course, jobs);
      case Cause.Ahead(List<JobFact> jobs) -> over(course, jobs);
      case Cause.Queue(_, List<Cause.Queue.Owner> owners) -> {
        Line line = Line.of(course.state(), job, course.now());
        for (Job other : line == null ? List.<Job>of() : line.ahead()) {
          String user = other.owner().userName();
          if (owners.stream().anyMatch(one -> one.user().equals(user))) {
            course.over(other);
          }
        }
      }
      case Cause.MissesDeadline _,
          Cause.NotAllowed _,
          Cause.TooMuch _,
          Cause.OwnReservation _,
          Cause.NoRoom _ ->
          throw new IllegalStateException("nobody takes this away: " + cause);
    }
  }

  private static void update(Course course, Job job, JobSpec spec) {
    course.apply(new Event.JobUpdated(job.id(), spec, job.priority(), null));
  }

  /** The job with all that starts together with it. */
  private static List<Job> components(Course course, Job job) {
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
  private static void over(Course course, List<JobFact> jobs) {
    jobs.stream()
        .map(JobFact::jobId)
        .sorted()
        .map(course.state()::job)
        .filter(Objects::nonNull)
        .forEach(course::over);
  }

  private static void lift(Course course, Breach breach) {
    Limit limit = breach.limit();
    Integer id = breach.association();
    Association own = id == null ? null : course.state().accounts().associations().get(id);
    Qos qos = breach.qos() == null ? null : course.state().accounts().qos(breach.qos());
    AccountingChange change = null;
    if (limit != null && own != null) {
      Limits lifted = own.limits().with(limit, breach.tres(), NO_BOUND);
      change = new AccountingChange.AssociationSet(own.withLimits(lifted));
    } else if (limit != null && qos != null) {
      Limits lifted = qos.limits().with(limit, breach.tres(), NO_BOUND);
      change = new AccountingChange.QosSet(qos.withLimits(lifted));
    }
    if (change != null) {
      course.decide(
          new Command.ChangeAccounting(course.state().accounts().version(), List.of(change)),
          Course.ROOT);
    }
  }
}
