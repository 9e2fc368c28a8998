package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.cluster.UnreadableTextException;
import io.dure.controller.hook.HookVerdict;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.controller.view.ListingFilters;
import io.dure.controller.view.PendingVerdicts;
import io.dure.insight.testonly.TestOnlyScheduling;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.SiteRules;
import io.dure.model.cron.Crontab;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.privacy.CallerSight;
import io.dure.placement.admission.AdmissionView;
import io.dure.placement.admission.Refusal;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.scheduler.StartEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Jobs: listings and what changed in them, scripts, waiting for their end, test submissions. */
public final class JobService {
  private static final Duration LONGEST_WAIT = WireCodecs.LONGEST_WAIT;

  private final ServiceContext context;
  private final StateWaiters waiters;
  private final JobChangeCounter changes;
  private final PriorityCache priorities;
  private final TestOnlyScheduling trials = new TestOnlyScheduling();
  private final TestOnlyForecast testOnly = new TestOnlyForecast();
  private final ReentrantLock trying = new ReentrantLock();

  JobService(
      ServiceContext context,
      StateWaiters waiters,
      JobChangeCounter changes,
      PriorityCache priorities) {
    this.context = context;
    this.waiters = waiters;
    this.changes = changes;
    this.priorities = priorities;
  }

  /** Begins a listing on the connection of that feed. */
  public Response list(Request.ListJobs list, Caller.User caller, JobChangeFeed feed) {
    Response refusal = ListingFilters.refusal(list.criteria());
    return refusal != null ? refusal : feed.list(listing(list, caller), list.most());
  }

  /** The next part of the listing that was begun last. */
  public Response.Jobs more(Request.MoreJobs asked, JobChangeFeed feed) {
    return feed.more(asked.most(), context.now());
  }

  private JobListing listing(Request.ListJobs list, Caller.User caller) {
    ClusterState state = context.state();
    PendingVerdicts verdicts = context.verdicts();
    List<Job> records = new ArrayList<>();
    if (list.jobIds().isEmpty()) {
      records.addAll(state.pending().values());
      records.addAll(state.active().values());
      if (list.includeEnded()) {
        records.addAll(state.ended().values());
      }
    } else {
      for (int id : list.jobIds()) {
        records.addAll(state.records(id));
      }
    }
    CallerSight sight = sight(state, caller);
    List<String> unlisted = ClusterView.unlisted(state, caller);
    DisplayedPriorities shown = priorities.of(state, records, context.now());
    String user = list.userName();
    if (user != null || sight.hides("jobs")) {
      records.removeIf(
          job -> (user != null && !job.owner().userName().equals(user)) || !sight.ofJob(job));
    }
    ListingFilters.keep(list.criteria(), records);
    return new JobListing(
        new JobListing.RowSources(state, verdicts, shown, unlisted, context.now()), records);
  }

  /** What changed since the feed's last answer; for operators. */
  public Response changed(Request.ChangedJobs asked, Caller.User caller, JobChangeFeed feed) {
    return caller.operator()
        ? feed.next(asked, context.state(), context.verdicts(), priorities, caller, context.now())
        : new Response.Failed(ErrorCode.ACCESS_DENIED, "");
  }

  /** Waits until the listed jobs differ from those of a version. */
  public Response.JobsVersion awaitChange(Request.AwaitJobs asked) throws InterruptedException {
    long longest = Math.clamp(asked.longestMillis(), 0, LONGEST_WAIT.toMillis());
    return new Response.JobsVersion(changes.await(asked.seen(), Duration.ofMillis(longest)));
  }

  /** Which jobs and partitions the caller may see. */
  public Response.Visible visibility(Caller.User caller) {
    ClusterState state = context.state();
    CallerSight sight = sight(state, caller);
    boolean onlyOwn = sight.hides("jobs");
    return new Response.Visible(
        onlyOwn, ClusterView.unlisted(state, caller), onlyOwn ? sight.coordinated() : List.of());
  }

  /** A job's batch script, for its owner and operators. */
  public Response script(int jobId, Caller.User caller) {
    ClusterState state = context.state();
    List<Job> records = state.records(jobId);
    Job job = records.isEmpty() ? null : records.getFirst();
    ErrorCode refusal = sight(state, caller).ownersRefusal(job, ErrorCode.ACCESS_DENIED);
    if (job == null || refusal != null) {
      return new Response.Failed(refusal == null ? ErrorCode.INVALID_JOB_ID : refusal, "");
    }
    try {
      return new Response.Text(List.of(state.texts().content(job.workload().script())));
    } catch (UnreadableTextException e) {
      return new Response.Failed(ErrorCode.CANNOT_STORE, e.reason());
    }
  }

  /** The crontab of a user, for the user itself and operators; no text where there is none. */
  public Response crontab(@Nullable String user, Caller.User caller) {
    if (context.state().settings().rules().scrontab() == SiteRules.Scrontab.OFF) {
      return new Response.Failed(ErrorCode.DISABLED, "scrontab is disabled on this cluster");
    }
    return switch (RunAs.of(user, caller, context.callers())) {
      case RunAs.User(Caller.User owner) -> {
        Crontab crontab = context.state().crontabs().of(owner.identity().uid());
        yield new Response.Text(crontab == null ? List.of() : List.of(crontab.text()));
      }
      case RunAs.Denied(Response response) -> response;
    };
  }

  /** Waits for a job's end, for a bounded time, so that lost callers do not hold connections. */
  public Response awaitEnd(int jobId, Caller.User caller) throws InterruptedException {
    ClusterState state = context.state();
    List<Job> records = state.records(jobId);
    if (records.isEmpty() || !sight(state, caller).ofJob(records.getFirst())) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    ExitStatus exit = waiters.await(now -> exitOf(now, jobId), context::state, LONGEST_WAIT);
    return exit == null ? new Response.StillWaiting(null) : new Response.Ended(exit);
  }

  /**
   * How a job, or all tasks of an array, ended; null if it is not over, well if it is forgotten.
   */
  private static @Nullable ExitStatus exitOf(ClusterState state, int jobId) {
    List<Job> records = state.records(jobId);
    int code = 0;
    int signal = 0;
    for (Job job : records) {
      if (!(job.state() instanceof JobState.Ended ended)) {
        return null;
      }
      code = Math.max(code, ended.outcome().exit().code());
      signal = Math.max(signal, ended.outcome().exit().signal());
    }
    return new ExitStatus(code, signal);
  }

  /** When a job would start, without submitting it. */
  public Response test(Request.TestSubmit test, Caller.User caller) throws InterruptedException {
    Reply.Refused unbounded = RequestBounds.refusal(test, context.state().settings());
    return unbounded != null
        ? new Response.Decided(unbounded)
        : test(
            new Command.SubmitJob(test.spec(), test.workload(), JobTexts.NONE),
            test.runAs(),
            caller);
  }

  /** The same for a heterogeneous job. */
  public Response test(Request.TestHetSubmit test, Caller.User caller) throws InterruptedException {
    Reply.Refused unbounded = RequestBounds.refusal(test, context.state().settings());
    return unbounded != null
        ? new Response.Decided(unbounded)
        : test(test.job(), test.runAs(), caller);
  }

  private Response test(Command.UserCommand submission, @Nullable String runAs, Caller.User caller)
      throws InterruptedException {
    return switch (RunAs.of(runAs, caller, context.callers())) {
      case RunAs.User(Caller.User user) -> judged(submission, user);
      case RunAs.Denied(Response response) -> response;
    };
  }

  private Response judged(Command.UserCommand submission, Caller.User user)
      throws InterruptedException {
    HookVerdict verdict = context.judge(submission, user);
    Reply.Refused refused = verdict.refusal();
    return verdict.advised(
        refused == null ? testAs(verdict.command(), user) : new Response.Decided(refused));
  }

  private Response testAs(Command.UserCommand submission, Caller.User user) {
    return switch (trial(submission, user)) {
      case TestOnlyScheduling.Refused(Refusal(ErrorCode code, String detail)) ->
          new Response.Decided(new Reply.Refused(code, detail));
      case TestOnlyScheduling.Accepted(int jobId, StartEstimate estimate, AdmissionView after)
          when estimate != null -> {
        Instant now = context.now();
        TestOnlyForecast.Word known =
            new TestOnlyForecast.Word(
                estimate.start(),
                now,
                context.state().forecasts().book(),
                context.verdicts().forecasts());
        yield new Response.WouldStart(
            testOnly.start(after, jobId, known),
            estimate.cpus(),
            estimate.nodes(),
            estimate.partition(),
            jobId);
      }
      case TestOnlyScheduling.Accepted _ ->
          new Response.Failed(ErrorCode.NODE_CONFIG_UNAVAILABLE, "");
    };
  }

  private TestOnlyScheduling.Answer trial(Command.UserCommand submission, Caller.User user) {
    trying.lock();
    try {
      return trials.ask(context.state(), submission, user, context.now());
    } finally {
      trying.unlock();
    }
  }

  private static CallerSight sight(ClusterState state, Caller.User caller) {
    return CallerSight.of(state.accounts(), state.settings(), caller);
  }
}
