package io.dure.core.explain;

import io.dure.core.census.Sight;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.scheduler.limits.Breach;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of an explanation what whoever asks may not see (PrivateData). So one explanation,
 * worked out once, serves all who ask. Lives within one answer; one thread.
 */
public final class Veil {
  private final ClusterState state;
  private final Sight sight;

  private Veil(ClusterState state, Sight sight) {
    this.state = state;
    this.sight = sight;
  }

  /** What of it may be seen. Jobs that the state does not know any more are taken for hidden. */
  public static Explanation of(Explanation told, ClusterState state, Sight sight) {
    return sight.ofAll() ? told : new Veil(state, sight).over(told);
  }

  private Explanation over(Explanation told) {
    Subject subject = told.subject();
    String account = subject.spec().account();
    boolean known = sight.of(subject.user(), account);
    Subject shown =
        new Subject(
            subject.jobId(),
            subject.word(),
            known ? subject.user() : "",
            subject.spec(),
            subject.submitted(),
            subject.tasks(),
            subject.components());
    Story story = told.story() instanceof Story.Waits waits ? over(waits, subject) : told.story();
    return new Explanation(told.cluster(), told.now(), shown, story);
  }

  private Story over(Story.Waits waits, Subject subject) {
    Expected expected = waits.expected();
    return waits
        .of(
            waits.causes().stream().map(this::over).toList(),
            waits.findings().stream().map(this::over).toList(),
            over(waits.place(), subject))
        .with(sight.ofNodes() ? expected : expected.on(""));
  }

  private Finding over(Finding finding) {
    return new Finding(
        finding.causes().stream().map(this::over).toList(),
        finding.start(),
        finding.now(),
        finding.rough());
  }

  /** Where it stands says how much its account has used. */
  private @Nullable Place over(@Nullable Place place, Subject subject) {
    if (place == null || place.standing() == null) {
      return place;
    }
    String account = Objects.requireNonNullElse(subject.spec().account(), "");
    return sight.ofUsage(subject.user(), account)
        ? place
        : new Place(place.partition(), place.ahead(), place.priority(), null);
  }

  private Cause over(Cause cause) {
    return switch (cause) {
      case Cause.DependsOn(List<Cause.Target> targets, boolean any, boolean never) ->
          new Cause.DependsOn(targets.stream().map(this::over).toList(), any, never);
      case Cause.Throttled(int most, List<JobFact> running) ->
          new Cause.Throttled(most, jobs(running));
      case Cause.LimitReached(Breach breach, List<JobFact> jobs, int others, _) -> {
        String shared = Objects.requireNonNullElse(breach.sharingAccount(), "");
        String account = Objects.requireNonNullElse(breach.account(), shared);
        boolean named = breach.user() == null || sight.of(breach.user(), account);
        Breach shown = named ? breach : breach.withoutName();
        yield sight.ofUsage(breach.user(), account)
            ? new Cause.LimitReached(shown, jobs(jobs), others, false)
            : new Cause.LimitReached(shown.withoutNumbers(), List.of(), 0, true);
      }
      case Cause.LicensesTaken(var name, int total, int held, int kept, int asked, var jobs) ->
          new Cause.LicensesTaken(name, total, held, kept, asked, jobs(jobs));
      case Cause.ReservedFor reserved when !sight.ofReservations() ->
          new Cause.ReservedFor("", Instant.EPOCH, Instant.EPOCH, false, "");
      case Cause.ReservedFor(var name, var start, var end, boolean work, _) when !sight.ofNodes() ->
          new Cause.ReservedFor(name, start, end, work, "");
      case Cause.NodesClosed _ when !sight.ofNodes() -> new Cause.NodesClosed(List.of(), 0);
      case Cause.NoRoom room when !sight.ofNodes() ->
          new Cause.NoRoom(room.partition(), 0, 0, 0, 0, 0, 0);
      case Cause.NotAllowed(var partition, boolean qos, var name, var allowed) ->
          new Cause.NotAllowed(
              partition,
              qos,
              name,
              qos ? allowed : allowed.stream().filter(sight::ofAccount).toList());
      case Cause.Running(List<JobFact> jobs) -> new Cause.Running(jobs(jobs));
      case Cause.Ahead(List<JobFact> jobs) -> new Cause.Ahead(jobs(jobs));
      case Cause.Queue(String partition, List<Cause.Queue.Owner> owners) ->
          new Cause.Queue(partition, owners(owners));
      case Cause.Held _,
          Cause.BeginsLater _,
          Cause.MissesDeadline _,
          Cause.PartitionClosed _,
          Cause.TooMuch _,
          Cause.OwnReservation _,
          Cause.ReservedFor _,
          Cause.NodesClosed _,
          Cause.NoRoom _ ->
          cause;
    };
  }

  /** What becomes of another's job that may not be seen is not said. */
  private Cause.Target over(Cause.Target target) {
    int end = target.word().indexOf('_');
    String number = end < 0 ? target.word() : target.word().substring(0, end);
    List<Job> records = number.isEmpty() ? List.of() : state.records(Integer.parseInt(number));
    // Of what is not known any more nothing was told but that, unless it has gone since.
    boolean open =
        records.isEmpty()
            ? number.isEmpty() || target.state() == Cause.Target.Standing.GONE
            : records.stream().allMatch(sight::ofJob);
    return open
        ? target
        : new Cause.Target(target.type(), target.word(), Cause.Target.Standing.HIDDEN, null);
  }

  /** Those who may not be named are one. */
  private List<Cause.Queue.Owner> owners(List<Cause.Queue.Owner> owners) {
    List<Cause.Queue.Owner> shown = new ArrayList<>();
    long jobs = 0;
    long cpus = 0;
    for (Cause.Queue.Owner one : owners) {
      if (sight.of(one.user(), one.account())) {
        shown.add(new Cause.Queue.Owner(one.user(), seen(one.account()), one.jobs(), one.cpus()));
      } else {
        jobs += one.jobs();
        cpus += one.cpus();
      }
    }
    if (jobs > 0) {
      shown.add(new Cause.Queue.Owner("", null, jobs, cpus));
    }
    return shown;
  }

  private @Nullable String seen(@Nullable String account) {
    return account != null && sight.ofAccount(account) ? account : null;
  }

  private List<JobFact> jobs(List<JobFact> jobs) {
    return jobs.stream().map(this::over).toList();
  }

  private JobFact over(JobFact fact) {
    Job job = state.job(fact.jobId());
    if (job == null || !sight.ofJob(job)) {
      return fact.of(0, "", "", null);
    }
    String account = fact.account();
    return sight.of(fact.user(), account)
        ? fact.of(fact.jobId(), fact.word(), fact.user(), seen(account))
        : fact.of(fact.jobId(), fact.word(), "", null);
  }
}
