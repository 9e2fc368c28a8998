package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.placement.admission.JobPriorityRules;
import java.util.ArrayList;
import java.util.List;

/** Holding, releasing, and moving to the front of one's own jobs. */
public final class HoldAndReleaseRules {
  private HoldAndReleaseRules() {}

  public static Reply hold(DecisionBuilder draft, Command.HoldJob command, Caller.User caller) {
    JobSelection.Found found =
        JobSelection.find(draft, command.job(), caller, ErrorCode.USER_ID_MISSING);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    Hold hold = caller.operator() && !command.asUser() ? Hold.ADMIN : Hold.USER;
    return each(draft, found.jobs(), (job, _) -> hold(draft, job, hold, caller));
  }

  /** Holds a job, but only an operator weakens the hold of an operator. */
  static void hold(DecisionBuilder draft, Job job, Hold hold, Caller.User caller) {
    Hold now = job.state().hold();
    if (now != hold && (now != Hold.ADMIN || caller.operator())) {
      draft.emit(new Event.JobHeld(job.id(), hold));
    }
  }

  public static Reply release(
      DecisionBuilder draft, Command.ReleaseJob command, Caller.User caller) {
    JobSelection.Found found =
        JobSelection.find(draft, command.job(), caller, ErrorCode.USER_ID_MISSING);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    for (Job job : found.jobs()) {
      if (job.state().hold() == Hold.ADMIN && !caller.operator()) {
        return draft.refuse(ErrorCode.ACCESS_DENIED);
      }
    }
    return each(
        draft,
        found.jobs(),
        (job, now) -> {
          if (now != Hold.NONE) {
            draft.emit(
                new Event.JobReleased(
                    job.id(), JobPriorityRules.of(draft.state(), job.spec(), job)));
            EligibilityRules.eligibility(draft, job.id());
          }
        });
  }

  /** Swaps the caller's priorities so that the named jobs come first; others keep theirs. */
  public static Reply top(DecisionBuilder draft, Command.TopJobs command, Caller.User caller) {
    if (!caller.operator()) {
      // Slurm allows it to users only with enable_user_top.
      return draft.refuse(ErrorCode.ACCESS_DENIED);
    }
    List<Job> named = new ArrayList<>();
    for (int id : command.jobs()) {
      Job job = draft.state().job(id);
      if (job == null) {
        return draft.refuse(ErrorCode.INVALID_JOB_ID);
      }
      if (!(job.state() instanceof JobState.Pending pending)) {
        return draft.refuse(ErrorCode.JOB_NOT_PENDING);
      }
      if (pending.hold() != Hold.NONE) {
        return draft.refuse(ErrorCode.DISABLED, "job " + id + " is held");
      }
      named.add(job);
    }
    long top = JobPriorityRules.most(draft.state(), draft.now());
    for (int i = 0; i < named.size(); i++) {
      Job job = named.get(i);
      long priority = Math.min(top + named.size() - i, 0xFFFF_FFFEL);
      draft.emit(new Event.JobUpdated(job.id(), job.spec().withPriority(priority), priority, null));
    }
    return draft.done();
  }

  private interface Action {
    void on(Job job, Hold now);
  }

  /** Running jobs take part: a hold keeps them back should they return to the queue. */
  private static Reply each(DecisionBuilder draft, List<Job> jobs, Action action) {
    boolean some = false;
    for (Job job : jobs) {
      boolean over =
          switch (job.state()) {
            case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> false;
            case JobState.Completing completing -> completing.afterwards() == PostRunAction.END;
            case JobState.Ended _ -> true;
          };
      if (!over) {
        action.on(job, job.state().hold());
        some = true;
      }
    }
    return some ? draft.done() : draft.refuse(ErrorCode.JOB_FINISHED);
  }
}
