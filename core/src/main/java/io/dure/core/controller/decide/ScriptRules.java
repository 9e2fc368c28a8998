package io.dure.core.controller.decide;

import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.scheduler.RunEnd;
import org.jspecify.annotations.Nullable;

/** The controller's own programs around a run: PrologSlurmctld and EpilogSlurmctld. */
final class ScriptRules {
  /** Exit status of a job that could not be started, as Slurm reports it. */
  private static final ExitStatus NOT_STARTED = new ExitStatus(0, 53);

  private ScriptRules() {}

  static Reply prologEnded(Draft draft, Command.PrologEnded news) {
    Job job = draft.state().active().get(news.jobId());
    if (job == null
        || job.run() != news.run()
        || !(job.state() instanceof JobState.Running running)
        || !running.configuring()) {
      return draft.done();
    }
    if (news.failure() == null) {
      draft.emit(
          new Event.JobConfigured(
              job.id(),
              job.run(),
              draft.now(),
              RunEnd.of(draft.state(), job.spec(), running.allocation(), draft.now())));
      launch(draft, draft.state().job(job.follows() ? job.baseId() : job.id()));
    } else {
      boolean again = Endings.mayRequeue(draft.state().settings(), job);
      Afterwards afterwards = again ? Afterwards.REQUEUE : Afterwards.END;
      Outcome outcome = new Outcome.LaunchFailed(NOT_STARTED, news.failure());
      Endings.end(draft, job, outcome, afterwards, Effect.Why.ENDED);
      Endings.endLeader(draft, job, outcome, afterwards, Effect.Why.ENDED);
    }
    return draft.done();
  }

  /** The script starts once no component of a heterogeneous job waits for its prolog. */
  private static void launch(Draft draft, @Nullable Job job) {
    if (job != null
        && job.state() instanceof JobState.Running running
        && !draft.state().waitsForProlog(job)) {
      draft.effect(new Effect.Launch(running.allocation().batchHost(), job.id(), job.run()));
    }
  }

  static Reply epilogEnded(Draft draft, Command.EpilogEnded news) {
    Job job = draft.state().active().get(news.jobId());
    if (job != null
        && job.run() == news.run()
        && job.state() instanceof JobState.Completing completing
        && completing.epilog()) {
      draft.emit(new Event.JobEpilogEnded(job.id(), job.run()));
      Endings.finishIfClean(draft, job.id());
    }
    return draft.done();
  }

  /** The controller has started: what it was about to run, or had begun to, is run. */
  static void resume(Draft draft) {
    for (Job job : draft.state().active().values()) {
      switch (job.state()) {
        case JobState.Running running when running.configuring() ->
            draft.effect(new Effect.RunProlog(job.id(), job.run()));
        case JobState.Completing completing when completing.epilog() ->
            draft.effect(new Effect.RunEpilog(job.id(), job.run()));
        case JobState.Running _,
            JobState.Suspended _,
            JobState.Completing _,
            JobState.Pending _,
            JobState.Ended _ -> {}
      }
    }
  }
}
