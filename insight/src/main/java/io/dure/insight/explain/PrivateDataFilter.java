package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.insight.holdings.HoldingsVisibility;
import io.dure.model.job.Job;
import io.dure.model.report.ExpectedStart;
import io.dure.model.report.ExplainedJob;
import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.QueuePosition;
import io.dure.model.report.RelatedJob;
import io.dure.model.report.StartBlocker;
import io.dure.model.report.WaitCause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of an explanation what whoever asks may not see (PrivateData). So one explanation,
 * worked out once, serves all who ask. Lives within one answer; one thread.
 */
public final class PrivateDataFilter {
  private final ClusterState state;
  private final HoldingsVisibility sight;

  private PrivateDataFilter(ClusterState state, HoldingsVisibility sight) {
    this.state = state;
    this.sight = sight;
  }

  /** What of it may be seen. Jobs that the state does not know any more are taken for hidden. */
  public static JobExplanation of(
      JobExplanation told, ClusterState state, HoldingsVisibility sight) {
    return sight.ofAll() ? told : new PrivateDataFilter(state, sight).over(told);
  }

  private JobExplanation over(JobExplanation told) {
    ExplainedJob subject = told.subject();
    String account = subject.spec().account();
    boolean known = sight.of(subject.user(), account);
    ExplainedJob shown = subject.withUser(known ? subject.user() : "");
    JobSituation story =
        told.story() instanceof JobSituation.Waits waits ? over(waits, subject) : told.story();
    return new JobExplanation(told.cluster(), told.now(), shown, story);
  }

  private JobSituation over(JobSituation.Waits waits, ExplainedJob subject) {
    ExpectedStart expected = waits.expected();
    return waits
        .with()
        .causes(waits.causes().stream().map(this::over).toList())
        .findings(waits.findings().stream().map(this::over).toList())
        .place(over(waits.place(), subject))
        .expected(sight.ofNodes() ? expected : expected.withNodes(""))
        .build();
  }

  private StartBlocker over(StartBlocker finding) {
    return new StartBlocker(
        finding.causes().stream().map(this::over).toList(),
        finding.start(),
        finding.now(),
        finding.rough());
  }

  /** Where it stands says how much its account has used. */
  private @Nullable QueuePosition over(@Nullable QueuePosition place, ExplainedJob subject) {
    if (place == null || place.standing() == null) {
      return place;
    }
    String account = Objects.requireNonNullElse(subject.spec().account(), "");
    return sight.ofUsage(subject.user(), account)
        ? place
        : new QueuePosition(place.partition(), place.ahead(), place.priority(), null);
  }

  private WaitCause over(WaitCause cause) {
    return switch (cause) {
      case WaitCause.DependsOn(List<WaitCause.Target> targets, boolean any, boolean never) ->
          new WaitCause.DependsOn(targets.stream().map(this::over).toList(), any, never);
      case WaitCause.Throttled(int most, List<RelatedJob> running) ->
          new WaitCause.Throttled(most, jobs(running));
      case WaitCause.LimitReached(LimitBreach breach, List<RelatedJob> jobs, int others, _) -> {
        String shared = Objects.requireNonNullElse(breach.sharingAccount(), "");
        String account = Objects.requireNonNullElse(breach.account(), shared);
        boolean named = breach.user() == null || sight.of(breach.user(), account);
        LimitBreach shown = named ? breach : breach.withoutName();
        yield sight.ofUsage(breach.user(), account)
            ? new WaitCause.LimitReached(shown, jobs(jobs), others, false)
            : new WaitCause.LimitReached(shown.withoutNumbers(), List.of(), 0, true);
      }
      case WaitCause.LicensesTaken(var name, int total, int held, int kept, int asked, var jobs) ->
          new WaitCause.LicensesTaken(name, total, held, kept, asked, jobs(jobs));
      case WaitCause.ReservedFor reserved when !sight.ofReservations() ->
          new WaitCause.ReservedFor("", Instant.EPOCH, Instant.EPOCH, false, "");
      case WaitCause.ReservedFor(var name, var start, var end, boolean work, _)
          when !sight.ofNodes() ->
          new WaitCause.ReservedFor(name, start, end, work, "");
      case WaitCause.NodesClosed _ when !sight.ofNodes() -> new WaitCause.NodesClosed(List.of(), 0);
      case WaitCause.NoRoom room when !sight.ofNodes() ->
          new WaitCause.NoRoom(room.partition(), 0, 0, 0, 0, 0, 0);
      case WaitCause.NotAllowed(var partition, boolean qos, var name, var allowed) ->
          new WaitCause.NotAllowed(
              partition,
              qos,
              name,
              qos ? allowed : allowed.stream().filter(sight::ofAccount).toList());
      case WaitCause.Running(List<RelatedJob> jobs) -> new WaitCause.Running(jobs(jobs));
      case WaitCause.Ahead(List<RelatedJob> jobs) -> new WaitCause.Ahead(jobs(jobs));
      case WaitCause.Queue(String partition, List<WaitCause.Queue.Owner> owners) ->
          new WaitCause.Queue(partition, owners(owners));
      case WaitCause.Held _,
          WaitCause.BeginsLater _,
          WaitCause.MissesDeadline _,
          WaitCause.PartitionClosed _,
          WaitCause.TooMuch _,
          WaitCause.OwnReservation _,
          WaitCause.ReservedFor _,
          WaitCause.NodesClosed _,
          WaitCause.NoRoom _ ->
          cause;
    };
  }

  /** What becomes of another's job that may not be seen is not said. */
  private WaitCause.Target over(WaitCause.Target target) {
    int end = target.word().indexOf('_');
    String number = end < 0 ? target.word() : target.word().substring(0, end);
    List<Job> records = number.isEmpty() ? List.of() : state.records(Integer.parseInt(number));
    // Of what is not known any more nothing was told but that, unless it has gone since.
    boolean open =
        records.isEmpty()
            ? number.isEmpty() || target.state() == WaitCause.Target.Standing.GONE
            : records.stream().allMatch(sight::ofJob);
    return open
        ? target
        : new WaitCause.Target(
            target.type(), target.word(), WaitCause.Target.Standing.HIDDEN, null);
  }

  /** Those who may not be named are one. */
  private List<WaitCause.Queue.Owner> owners(List<WaitCause.Queue.Owner> owners) {
    List<WaitCause.Queue.Owner> shown = new ArrayList<>();
    long jobs = 0;
    long cpus = 0;
    for (WaitCause.Queue.Owner one : owners) {
      if (sight.of(one.user(), one.account())) {
        shown.add(
            new WaitCause.Queue.Owner(one.user(), seen(one.account()), one.jobs(), one.cpus()));
      } else {
        jobs += one.jobs();
        cpus += one.cpus();
      }
    }
    if (jobs > 0) {
      shown.add(new WaitCause.Queue.Owner("", null, jobs, cpus));
    }
    return shown;
  }

  private @Nullable String seen(@Nullable String account) {
    return account != null && sight.ofAccount(account) ? account : null;
  }

  private List<RelatedJob> jobs(List<RelatedJob> jobs) {
    return jobs.stream().map(this::over).toList();
  }

  private RelatedJob over(RelatedJob fact) {
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
