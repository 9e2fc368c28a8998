package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.Reply;
import io.dure.model.config.SiteRules;
import io.dure.model.cron.CronJob;
import io.dure.model.cron.CronSchedule;
import io.dure.model.cron.CronSyntaxException;
import io.dure.model.cron.Crontab;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Crontabs: each entry is a job that goes back into the queue after each run, until the next time
 * of the entry. It is submitted as any other.
 */
public final class CrontabRules {
  private CrontabRules() {}

  /**
   * Puts a crontab in place of the caller's: all of its entries become jobs, or nothing changes.
   */
  public static Reply change(DecisionBuilder draft, CrontabChange change, Caller.User caller) {
    if (draft.state().settings().rules().scrontab() == SiteRules.Scrontab.OFF) {
      return draft.refuse(ErrorCode.DISABLED, "scrontab is disabled on this cluster");
    }
    String problem = change.problem();
    if (problem != null) {
      return draft.refuse(ErrorCode.BAD_INPUT, problem);
    }
    Crontab before = draft.state().crontabs().of(caller.identity().uid());
    if (before == null && change.text().isEmpty()) {
      return draft.done();
    }
    if (before != null) {
      retire(draft, before);
    }
    List<CronJob> jobs = new ArrayList<>();
    for (CrontabChange.Entry one : change.entries()) {
      Reply reply = submit(draft, one, caller);
      if (!(reply instanceof Reply.Submitted(int id))) {
        return reply instanceof Reply.Refused refused ? refused.of(jobs.size()) : reply;
      }
      jobs.add(new CronJob(id, one.entry()));
    }
    draft.emit(new Event.CrontabStored(new Crontab(caller.identity(), change.text(), jobs)));
    return draft.done();
  }

  private static Reply submit(DecisionBuilder draft, CrontabChange.Entry one, Caller.User caller) {
    String problem = problem(one.entry().schedule());
    if (problem != null) {
      return draft.refuse(ErrorCode.BAD_INPUT, problem);
    }
    if (one.spec().arrayTasks() != null || !(one.workload() instanceof Workload.BatchSpec)) {
      return draft.refuse(ErrorCode.BAD_INPUT, "an entry is a batch job, and no array");
    }
    Instant next = one.entry().next(draft.now());
    if (next == null) {
      return draft.refuse(ErrorCode.INVALID_TIME_VALUE, "this time never comes");
    }
    return SubmitRules.submit(
        draft,
        new Command.SubmitJob(one.spec().withBeginTime(next), one.workload(), one.texts()),
        caller);
  }

  /** What is wrong with a schedule, whose text is believed and nothing else; null for nothing. */
  private static @Nullable String problem(CronSchedule schedule) {
    try {
      return CronSchedule.parse(schedule.text()).equals(schedule) ? null : "a time unlike its text";
    } catch (CronSyntaxException e) {
      return e.getMessage();
    }
  }

  /**
   * Those of its jobs that wait are cancelled, those that are on their way back into the queue end
   * as they ended; those that run end, and do not come again.
   */
  private static void retire(DecisionBuilder draft, Crontab before) {
    JobOutcome outcome = new JobOutcome.Cancelled(ExitStatus.OK, before.owner().uid());
    for (CronJob one : before.jobs()) {
      Job job = draft.state().job(one.jobId());
      if (job == null || job.owner().uid() != before.owner().uid() || job.cron() == null) {
        continue;
      }
      switch (job.state()) {
        case JobState.Pending _ ->
            draft.emit(new Event.JobDropped(job.id(), outcome, draft.now(), null));
        case JobState.Completing run when run.afterwards() != PostRunAction.END ->
            draft.emit(new Event.RequeueRevoked(job.id(), run.outcome()));
        case JobState.Running _, JobState.Suspended _, JobState.Completing _, JobState.Ended _ -> {}
      }
    }
  }

  /** Whether a user has to confirm that a job of a crontab is to be cancelled, and has not. */
  static boolean isUnconfirmed(DecisionBuilder draft, Job job, Command.KillJob command) {
    return job.cron() != null
        && !command.cron()
        && draft.state().settings().rules().scrontab() == SiteRules.Scrontab.EXPLICIT_CANCEL;
  }

  /**
   * A job of a crontab is cancelled, or ends without running: its entry becomes a comment, and it
   * does not come again.
   */
  public static void disable(DecisionBuilder draft, Job job) {
    if (job.cron() != null) {
      // With the id alone: with the text, that of many jobs would not fit into one decision.
      draft.emit(new Event.CronJobDisabled(job.id()));
    }
  }
}
