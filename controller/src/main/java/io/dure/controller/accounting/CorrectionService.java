package io.dure.controller.accounting;

import io.dure.accounting.JobHistory;
import io.dure.cluster.ClusterState;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.privacy.CallerSight;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Puts records of jobs right, by an event: so that it is durable at once, and gets into the books
 * behind all that happened before. Any thread.
 */
public final class CorrectionService {
  private static final int MOST_JOBS = 5_000;

  /** Of all its jobs together: the books and the log of changes get the text with each. */
  private static final long MOST_BYTES = 4 << 20;

  private final Supplier<ClusterState> states;
  private final AccountsFollower.Decider decider;
  private final InstantSource clock;
  private final @Nullable ClusterAccounting accounting;
  private final Bounds bounds;
  private final Logger log;

  /** Says what is too long. */
  public interface Bounds {
    /** Why it may not be asked for so, null if it may. */
    Reply.@Nullable Refused refusal(Request.CorrectJobs asked);
  }

  /**
   * The service of a leadership.
   *
   * @param states supplies the newest durable state
   * @param accounting null where the cluster has no accounting database
   */
  public CorrectionService(
      Supplier<ClusterState> states,
      AccountsFollower.Decider decider,
      InstantSource clock,
      @Nullable ClusterAccounting accounting,
      Bounds bounds,
      Logger log) {
    this.states = states;
    this.decider = decider;
    this.clock = clock;
    this.accounting = accounting;
    this.bounds = bounds;
    this.log = log;
  }

  /**
   * Makes a correction to attempts of this cluster's jobs, to all of them or to none. Of a job that
   * the caller does not see it does not learn that there is one.
   */
  public Response correct(Request.CorrectJobs asked, Caller.User caller)
      throws InterruptedException {
    List<AttemptId> attempts = List.copyOf(new LinkedHashSet<>(asked.attempts()));
    JobCorrection correction = asked.correction();
    if (accounting == null) {
      return new Response.Failed(ErrorCode.NOT_SUPPORTED, "Slurm accounting storage is disabled");
    }
    Reply.Refused refused = bounds.refusal(asked);
    if (refused == null) {
      refused = tooMuch(attempts.size(), correction);
    }
    if (refused == null) {
      refused = misnamed(correction);
    }
    if (refused != null) {
      return new Response.Decided(refused);
    }
    ClusterState state = states.get();
    Map<AttemptId, Job> jobs = new LinkedHashMap<>();
    try {
      jobs.putAll(find(accounting, attempts, state));
    } catch (IOException e) {
      log.error("the accounting database did not answer a question: {}", e.getMessage());
      return new Response.Failed(
          ErrorCode.CANNOT_STORE,
          "the accounting database does not answer, see the log of slurmctld");
    }
    CallerSight sight = HistoryService.sight(state, accounting, caller);
    for (AttemptId attempt : attempts) {
      refused = refusal(attempt, jobs.get(attempt), correction, sight);
      if (refused != null) {
        return new Response.Decided(refused);
      }
    }
    return decided(new Command.CorrectJobs(attempts, correction, caller.identity().userName()));
  }

  private static Reply.@Nullable Refused tooMuch(int jobs, JobCorrection correction) {
    long bytes = correction.text().getBytes(StandardCharsets.UTF_8).length;
    return jobs > MOST_JOBS || bytes * jobs > MOST_BYTES
        ? new Reply.Refused(
            ErrorCode.BAD_INPUT,
            "at most %s jobs can be changed at once, to texts of %s bytes in all"
                .formatted(MOST_JOBS, MOST_BYTES))
        : null;
  }

  private static Reply.@Nullable Refused misnamed(JobCorrection correction) {
    String key = correction.wckey();
    if (key == null || key.isEmpty()) {
      return null;
    }
    try {
      AccountingNames.wckey(key);
      return null;
    } catch (InvalidAccountingException e) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, e.text());
    }
  }

  /** Why that one may not be put right so, null if it may. */
  private static Reply.@Nullable Refused refusal(
      AttemptId attempt, @Nullable Job job, JobCorrection correction, CallerSight sight) {
    if (job == null || !sight.ofJob(job)) {
      return new Reply.Refused(
          ErrorCode.INVALID_JOB_ID, "job " + attempt.jobId() + " is not in the books");
    }
    if (!(correction.isOfOperators() ? sight.operator() : sight.mayChange(job))) {
      return new Reply.Refused(ErrorCode.ACCESS_DENIED, "");
    }
    return correction.isOfPast() && !isOver(job)
        ? new Reply.Refused(ErrorCode.BAD_INPUT, "job " + attempt.jobId() + " is not over")
        : null;
  }

  private Response decided(Command.CorrectJobs command) throws InterruptedException {
    try {
      Reply reply = decider.decide(command);
      return reply instanceof Reply.Refused refused && refused.code() == ErrorCode.IN_STANDBY
          ? new Response.Failed(refused.code(), refused.detail(), true)
          : new Response.Decided(reply);
    } catch (ExecutionException e) {
      return new Response.Failed(ErrorCode.CANNOT_STORE, String.valueOf(e.getCause()));
    }
  }

  private static boolean isOver(Job job) {
    return job.state() instanceof JobState.Ended || job.state() instanceof JobState.Completing;
  }

  /** The attempts as the cluster has them, or as the books do. */
  private Map<AttemptId, Job> find(
      ClusterAccounting books, List<AttemptId> attempts, ClusterState state) throws IOException {
    Map<AttemptId, Job> found = new LinkedHashMap<>();
    List<JobSelector> gone = new ArrayList<>();
    for (AttemptId attempt : attempts) {
      Job job = state.job(attempt.jobId());
      if (job != null && AttemptId.of(job).equals(attempt)) {
        found.put(attempt, job);
      } else {
        gone.add(new JobSelector(attempt.jobId(), null));
      }
    }
    AttemptId after = null;
    while (!gone.isEmpty()) {
      JobHistory.Page page =
          books.find(
              JobHistoryQuery.OPEN.with().jobs(gone).open(null).after(after).build(),
              null,
              state,
              clock.instant());
      for (RecordedJob one : page.jobs()) {
        if (attempts.contains(one.attempt())) {
          found.put(one.attempt(), one.job());
        }
      }
      after = page.last();
      if (after == null) {
        break;
      }
    }
    return found;
  }
}
