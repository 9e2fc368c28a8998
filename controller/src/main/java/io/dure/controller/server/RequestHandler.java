package io.dure.controller.server;

import io.dure.controller.loop.StateLoop;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.replica.NotKeptException;
import io.dure.controller.statistics.RequestCounts;
import io.dure.controller.statistics.Statistics;
import io.dure.controller.view.AccountsView;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.ForecastView;
import io.dure.controller.view.ReservationView;
import io.dure.controller.view.ShownPriorities;
import io.dure.controller.view.Verdicts;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.Reply;
import io.dure.core.controller.trial.Trials;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.command.Caller;
import io.dure.core.model.text.JobTexts;
import io.dure.core.scheduler.Ledger;
import io.dure.core.scheduler.Verdict;
import io.dure.core.scheduler.gpus.GpuReport;
import io.dure.core.scheduler.plan.Estimate;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.Version;
import io.dure.protocol.Wire;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers requests: changes go through the loop, questions are answered from the newest state. */
public final class RequestHandler {
  private static final Duration LONGEST_WAIT = Wire.LONGEST_WAIT;

  private static final String UNKNOWN = "the controller is stopping: this may be done or not";

  private final StateLoop loop;
  private final Supplier<Verdicts> verdicts;
  private final NodeLinks nodes;
  private final CallerDirectory callers;
  private final JobEndWaiters waiters;
  private final JobChangeCounter news;
  private final Administration administration;
  private final Statistics statistics;
  private final InstantSource clock;
  private final HeapGuard heap = new HeapGuard();
  private final PriorityCache board = new PriorityCache();
  private final Trials trials = new Trials();
  private final HoldingsCache holders = new HoldingsCache();
  private final TestOnlyForecast trialForecast = new TestOnlyForecast();

  private final ExplanationCache why;
  private volatile @Nullable Fragmented fragmented;
  private final ReentrantLock trying = new ReentrantLock();

  /** What is free of a state's GPUs. */
  private record Fragmented(ClusterState state, GpuReport report) {}

  /** What answers are made from. */
  public record Sources(
      StateLoop loop,
      Supplier<Verdicts> verdicts,
      NodeLinks nodes,
      CallerDirectory callers,
      JobEndWaiters waiters,
      JobChangeCounter news,
      Administration administration,
      Statistics statistics,
      InstantSource clock) {}

  /** A handler; any number of threads may use it. */
  public RequestHandler(Sources sources) {
    loop = sources.loop();
    verdicts = sources.verdicts();
    nodes = sources.nodes();
    callers = sources.callers();
    waiters = sources.waiters();
    news = sources.news();
    administration = sources.administration();
    statistics = sources.statistics();
    clock = sources.clock();
    why = new ExplanationCache(callers, clock);
  }

  /**
   * The answer to a request; waits for the journal where something changes.
   *
   * @param feed what the connection has been told of the jobs
   */
  Response answer(Request request, Caller.User caller, JobFeed feed) throws InterruptedException {
    try (RequestCounts.Call _ = statistics.requests().begin(request, caller.identity().uid())) {
      return answered(request, caller, feed);
    }
  }

  private Response answered(Request request, Caller.User caller, JobFeed feed)
      throws InterruptedException {
    return switch (request) {
      case Request.Greeting _ -> pong();
      case Request.Change change -> change(change, caller);
      case Request.TestSubmit test -> test(submission(test), test.runAs(), caller);
      case Request.TestHetSubmit test -> test(test.job(), test.runAs(), caller);
      case Request.ListJobs list -> feed.list(jobs(list, caller), list.most());
      case Request.MoreJobs(int most) -> feed.more(most, clock.instant());
      case Request.ChangedJobs changed -> changedJobs(changed, feed, caller);
      case Request.AwaitJobs(long seen, int longestMillis) -> {
        long longest = Math.clamp(longestMillis, 0, LONGEST_WAIT.toMillis());
        yield new Response.JobsVersion(news.await(seen, Duration.ofMillis(longest)));
      }
      case Request.Visibility _ -> {
        ClusterState state = loop.published();
        yield new Response.Visible(onlyOwn(state, caller), ClusterView.unlisted(state, caller));
      }
      case Request.ShowAccounts _ -> AccountsView.accounts(loop.published(), caller);
      case Request.ShowShares _ -> AccountsView.shares(loop.published(), caller, clock.instant());
      case Request.ShowPriorities _ -> priorities(caller);
      case Request.ShowReservations _ -> ReservationView.of(loop.published(), clock.instant());
      case Request.ShowStatistics _ -> statistics();
      case Request.ResetStatistics _ -> resetStatistics(caller);
      case Request.ShowTopology _ -> new Response.NodeTopology(loop.published().topology());
      case Request.ShowFragments _ -> fragments(loop.published());
      case Request.ShowHolders asked ->
          holders.answer(asked, loop.published(), caller, clock.instant());
      case Request.ShowForecastAccuracy _ ->
          ForecastView.accuracy(loop.published(), clock.instant());
      case Request.ExplainJob(JobSelector job, boolean facts) ->
          why.answer(loop.published(), verdicts.get(), job, caller, facts);
      case Request.ShowCluster _ ->
          ClusterView.of(
              loop.published(),
              verdicts.get(),
              nodes::load,
              callers::userName,
              caller,
              clock.instant());
      case Request.ShowConfig _ -> new Response.Text(administration.configuration());
      case Request.Ping _ -> pong();
      case Request.BatchScript(int jobId) -> script(jobId, caller);
      case Request.WaitJob(int jobId) -> await(jobId, caller);
      case Request.Reconfigure _ -> reconfigure(caller);
      case Request.ShowReplicas _ -> administration.replicas();
      case Request.TakeOver(int index) -> takeOver(index, caller);
      case Request.Shutdown(boolean controllerOnly) -> {
        if (!caller.operator()) {
          yield new Response.Failed(ErrorCode.USER_ID_MISSING, "");
        }
        administration.shutdown(!controllerOnly);
        yield new Response.Decided(new Reply.Done());
      }
    };
  }

  private Response takeOver(int index, Caller.User caller) throws InterruptedException {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    String obstacle = administration.takeOver(index);
    return obstacle == null
        ? new Response.Decided(new Reply.Done())
        : new Response.Failed(ErrorCode.NOT_SUPPORTED, obstacle);
  }

  /** Worked out once for a state, as often as it is asked. */
  private Response fragments(ClusterState state) {
    Fragmented known = fragmented;
    if (known == null || known.state() != state) {
      known = new Fragmented(state, Ledger.gpus(state));
      fragmented = known;
    }
    String cluster = state.settings().controller().clusterName();
    return new Response.Fragments(cluster, known.report(), clock.instant());
  }

  private Response statistics() {
    ClusterState state = loop.published();
    NodeLinks.Backlog backlog = nodes.backlog();
    int daemons = callers.uid(state.settings().daemon().user());
    return new Response.Statistics(
        statistics.told(state, backlog.messages(), backlog.nodes(), callers::userName, daemons));
  }

  private Response resetStatistics(Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, "");
    }
    statistics.reset();
    return new Response.Decided(new Reply.Done());
  }

  private Response pong() {
    return new Response.Pong(administration.hostName(), Version.SLURM);
  }

  private static Command.SubmitJob submission(Request.TestSubmit test) {
    return new Command.SubmitJob(test.spec(), test.batch(), JobTexts.NONE);
  }

  /** Whom a request is of. */
  private sealed interface Acting {
    record As(Caller.User who) implements Acting {}

    record Refused(Response answer) implements Acting {}
  }

  private Acting acting(@Nullable String runAs, Caller.User caller) {
    if (runAs == null) {
      return new Acting.As(caller);
    }
    if (!caller.operator()) {
      return new Acting.Refused(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    }
    Caller.User other = callers.byNameOrNumber(runAs);
    return other == null
        ? new Acting.Refused(new Response.Failed(ErrorCode.USER_ID_MISSING, "no user " + runAs))
        : new Acting.As(other);
  }

  private Response change(Request.Change change, Caller.User caller) throws InterruptedException {
    return switch (acting(change.runAs(), caller)) {
      case Acting.As(Caller.User who) -> changed(change, who);
      case Acting.Refused(Response answer) -> answer;
    };
  }

  private Response changed(Request.Change change, Caller.User acting) throws InterruptedException {
    if (callers.namesNobody(change.command())) {
      return new Response.Decided(new Reply.Refused(ErrorCode.USER_ID_MISSING, ""));
    }
    boolean submits =
        change.command() instanceof Command.SubmitJob
            || change.command() instanceof Command.SubmitHetJob;
    if (submits && heap.full()) {
      return new Response.Decided(
          new Reply.Refused(ErrorCode.MAX_JOB_COUNT, "the controller's memory is full of jobs"));
    }
    Command.FromUser command =
        change.command() instanceof Command.KillJob kill
            ? kill.waitingFor(waitReason(kill.job().jobId()))
            : change.command();
    Command asked =
        change.requestId() == null ? command : new Command.Named(change.requestId(), command);
    try {
      Reply reply = loop.submit(asked, acting).get();
      // The loop says so of what it had no time to decide, or to see stored.
      return reply instanceof Reply.Refused refused && refused.code() == ErrorCode.IN_STANDBY
          ? new Response.Failed(refused.code(), UNKNOWN, true)
          : new Response.Decided(reply);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NotKeptException) {
        // Another leads, or nobody does yet; who asks again there is told what came of it.
        return new Response.Failed(ErrorCode.IN_STANDBY, UNKNOWN, true);
      }
      return new Response.Failed(ErrorCode.CANNOT_STORE, String.valueOf(e.getCause()));
    }
  }

  /** What the scheduler last said of a job or of an array's waiting tasks, null for nothing. */
  private @Nullable String waitReason(int jobId) {
    Verdict verdict = verdicts.get().byJob().get(jobId);
    return verdict == null ? null : verdict.reason();
  }

  private Response test(Command.FromUser submission, @Nullable String runAs, Caller.User caller) {
    return switch (acting(runAs, caller)) {
      case Acting.As(Caller.User who) -> tested(submission, who);
      case Acting.Refused(Response answer) -> answer;
    };
  }

  private Response tested(Command.FromUser submission, Caller.User caller) {
    return switch (trial(submission, caller)) {
      case Trials.Refused(Decision decision) -> new Response.Decided(decision.reply());
      case Trials.Accepted(int jobId, Estimate estimate, ClusterState after)
          when estimate != null ->
          new Response.WouldStart(
              trialForecast.start(
                  after,
                  jobId,
                  new TestOnlyForecast.Word(
                      estimate.start(), clock.instant(), verdicts.get().forecasts())),
              estimate.cpus(),
              estimate.nodes(),
              estimate.partition(),
              jobId);
      case Trials.Accepted _ -> new Response.Failed(ErrorCode.NODE_CONFIG_UNAVAILABLE, "");
    };
  }

  private Trials.Answer trial(Command.FromUser submission, Caller.User caller) {
    trying.lock();
    try {
      return trials.ask(loop.published(), submission, caller, clock.instant());
    } finally {
      trying.unlock();
    }
  }

  private JobListing jobs(Request.ListJobs list, Caller.User caller) {
    ClusterState state = loop.published();
    Verdicts found = verdicts.get();
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
    boolean onlyOwn = onlyOwn(state, caller);
    List<String> unlisted = ClusterView.unlisted(state, caller);
    ShownPriorities priorities = board.of(state, records, clock.instant());
    String user = list.userName();
    if (user != null || onlyOwn) {
      records.removeIf(job ->
          (user != null && !job.owner().userName().equals(user))
              || (onlyOwn && !isOwn(job, caller)));
    }
    return new JobListing(
        new JobListing.Moment(state, found, priorities, unlisted, clock.instant()), records);
  }

  private Response priorities(Caller.User caller) {
    ClusterState state = loop.published();
    Instant now = clock.instant();
    ShownPriorities shown = board.of(state, state.pending().values(), now);
    return AccountsView.priorities(state, shown, caller, now);
  }

  private Response changedJobs(Request.ChangedJobs asked, JobFeed feed, Caller.User caller) {
    return caller.operator()
        ? feed.next(asked, loop.published(), verdicts.get(), board, caller, clock.instant())
        : new Response.Failed(ErrorCode.ACCESS_DENIED, "");
  }

  private Response script(int jobId, Caller.User caller) {
    ClusterState state = loop.published();
    List<Job> records = state.records(jobId);
    if (records.isEmpty()) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    Job job = records.getFirst();
    if (!caller.operator() && job.owner().uid() != caller.identity().uid()) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, "");
    }
    return new Response.Text(List.of(state.texts().content(job.batch().script())));
  }

  /** Waits for a bounded time, so that a caller that is gone does not keep its place for days. */
  private Response await(int jobId, Caller.User caller) throws InterruptedException {
    ClusterState state = loop.published();
    List<Job> records = state.records(jobId);
    boolean hidden = onlyOwn(state, caller);
    if (records.isEmpty() || (hidden && !isOwn(records.getFirst(), caller))) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    ExitStatus exit = waiters.await(jobId, loop::published, LONGEST_WAIT);
    return exit == null ? new Response.StillWaiting() : new Response.Ended(exit);
  }

  private static boolean onlyOwn(ClusterState state, Caller.User caller) {
    return !caller.operator() && state.settings().controller().privateData().contains("jobs");
  }

  private static boolean isOwn(Job job, Caller.User caller) {
    return job.owner().uid() == caller.identity().uid();
  }

  private Response reconfigure(Caller.User caller) throws InterruptedException {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    List<String> problems = administration.reconfigure();
    return problems.isEmpty()
        ? new Response.Decided(new Reply.Done())
        : new Response.Failed(ErrorCode.BAD_INPUT, String.join("\n", problems));
  }
}
