package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.ExitStatus;
import io.dure.model.command.Effect;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.SiteRules;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.Workload;
import io.dure.placement.admission.JobPriorityRules;
import io.dure.rules.RunEndTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How runs end, whatever the cause: one place for the way from RUNNING to the end or the queue. */
public final class RunEndRules {
  /** Exit status of a job whose node was lost. */
  public static final ExitStatus NODE_FAILED = new ExitStatus(1, 0);

  /** Exit status of a component without a script that was cancelled. */
  private static final ExitStatus CANCELLED = new ExitStatus(0, 15);

  private RunEndRules() {}

  /**
   * True if a node failure puts the job back into the queue; what waits for a user is not there.
   */
  public static boolean mayRequeue(ClusterSettings settings, Job job) {
    return job.workload() instanceof Workload.BatchSpec
        && job.spec().requeue().allows(settings.jobs().requeue());
  }

  /** Ends a running job on all its nodes. */
  public static void end(
      DecisionBuilder draft,
      Job job,
      JobOutcome outcome,
      PostRunAction afterwards,
      Effect.TerminationReason why) {
    end(draft, job, outcome, afterwards, why, allocation(job).nodes());
  }

  /**
   * Ends a running job; {@code nodes} are to be cleaned as far as they are on, its other nodes are
   * free at once.
   */
  static void end(
      DecisionBuilder draft,
      Job job,
      JobOutcome outcome,
      PostRunAction afterwards,
      Effect.TerminationReason why,
      List<String> nodes) {
    List<String> nodesLeft = nodes.stream().filter(node -> !isOff(draft, node)).toList();
    over(draft, job, outcome, nodesLeft, afterwards);
    for (String node : nodesLeft) {
      draft.effect(new Effect.Terminate(node, job.id(), job.run(), why));
    }
    finishIfClean(draft, job.id());
  }

  /** Whether nothing of a job can be on a node because it waited for the node to come. */
  private static boolean isOff(DecisionBuilder draft, String name) {
    NodeRecord node = draft.state().node(name);
    return node != null && node.condition().isOff() && !node.responding();
  }

  /** Declares a running job's run over; telling the nodes is the caller's affair. */
  public static void over(
      DecisionBuilder draft,
      Job job,
      JobOutcome outcome,
      List<String> nodesLeft,
      PostRunAction planned) {
    boolean again = planned == PostRunAction.END && job.cron() != null;
    PostRunAction afterwards = again ? PostRunAction.RECUR : planned;
    boolean epilog = !draft.state().settings().scripts().epilogSlurmctld().isEmpty();
    draft.emit(
        new Event.JobEnding(
            job.id(), job.run(), outcome, draft.now(), nodesLeft, afterwards, epilog));
    if (epilog) {
      draft.effect(new Effect.RunEpilog(job.id(), job.run()));
    }
    if (job.het() != null && job.het().leads()) {
      endOthers(draft, job, outcome, afterwards);
    }
  }

  /** The components of a heterogeneous job end with the one that leads. */
  private static void endOthers(
      DecisionBuilder draft, Job leader, JobOutcome outcome, PostRunAction afterwards) {
    for (Job other : draft.state().records(leader.id())) {
      if (other.state().runningOrSuspended() != null) {
        end(draft, other, ofFollower(outcome), afterwards, Effect.TerminationReason.ENDED);
      }
    }
  }

  /** Where no script runs, no signal is reported: it is that of a cancel. */
  static JobOutcome ofFollower(JobOutcome outcome) {
    return outcome instanceof JobOutcome.Cancelled ? outcome.withExit(CANCELLED) : outcome;
  }

  /** What befell one component of a heterogeneous job ends all that still run. */
  public static void endLeader(
      DecisionBuilder draft,
      Job job,
      JobOutcome outcome,
      PostRunAction afterwards,
      Effect.TerminationReason why) {
    Job leader = job.isHetFollower() ? draft.state().job(job.baseId()) : null;
    if (leader != null && leader.state().runningOrSuspended() != null) {
      end(draft, leader, outcome, afterwards, why);
    }
  }

  /** A pending job ends without running, and with it the other components. */
  public static void drop(
      DecisionBuilder draft, Job job, JobOutcome outcome, @Nullable String reason) {
    draft.emit(new Event.JobDropped(job.id(), outcome, draft.now(), reason));
    for (Job other : job.het() == null ? List.<Job>of() : draft.state().records(job.baseId())) {
      if (other.state() instanceof JobState.Pending) {
        draft.emit(new Event.JobDropped(other.id(), outcome, draft.now(), reason));
      }
    }
  }

  /** A node holds nothing of the run any more. */
  public static void release(DecisionBuilder draft, Job job, String node) {
    draft.emit(new Event.NodeReleased(job.id(), job.run(), node, draft.now()));
    finishIfClean(draft, job.id());
  }

  /** A node is lost: its jobs end or go back, what was being cleaned there is given up. */
  public static void nodeLost(DecisionBuilder draft, Job job, String node) {
    switch (job.state()) {
      case JobState.Running _, JobState.Suspended _ -> {
        boolean again = mayRequeue(draft.state().settings(), job);
        PostRunAction afterwards = again ? PostRunAction.REQUEUE : PostRunAction.END;
        JobOutcome outcome = new JobOutcome.NodeFailed(NODE_FAILED, node);
        List<String> others =
            allocation(job).nodes().stream().filter(n -> !n.equals(node)).toList();
        end(draft, job, outcome, afterwards, Effect.TerminationReason.NODE_FAILURE, others);
        endLeader(draft, job, outcome, afterwards, Effect.TerminationReason.NODE_FAILURE);
      }
      case JobState.Completing completing when completing.nodesLeft().contains(node) ->
          release(draft, job, node);
      case JobState.Completing _, JobState.Pending _, JobState.Ended _ -> {}
    }
  }

  /** A run that is over, with no node left to clean, goes where it was to go. */
  public static void finishIfClean(DecisionBuilder draft, int jobId) {
    Job job = draft.state().job(jobId);
    if (job == null
        || !(job.state() instanceof JobState.Completing completing)
        || !completing.isClean()) {
      return;
    }
    switch (completing.afterwards()) {
      case END -> {
        draft.emit(new Event.JobFinished(jobId));
        returnToLeader(draft, job);
      }
      case REQUEUE, REQUEUE_HOLD, SPECIAL_EXIT -> {
        Hold hold = holdAfter(draft, job, completing);
        if (completing.outcome() instanceof JobOutcome.Cancelled) {
          requeue(draft, job, hold);
        } else {
          requeue(draft, job, hold, soon(draft), true);
        }
      }
      case RECUR -> recur(draft, job, completing);
    }
  }

  /** A job of a crontab waits for its next time, unless its entry is gone by now. */
  private static void recur(DecisionBuilder draft, Job job, JobState.Completing completing) {
    Instant next = job.nextTime(draft.now());
    if (next == null) {
      draft.emit(new Event.RequeueRevoked(job.id(), completing.outcome()));
      draft.emit(new Event.JobFinished(job.id()));
    } else {
      requeue(draft, job, completing.hold(), next, false);
    }
  }

  /** What holds a job that goes back too often, each cause by its own bound where it has one. */
  private static Hold holdAfter(DecisionBuilder draft, Job job, JobState.Completing completing) {
    SiteRules rules = draft.state().settings().rules();
    Integer own =
        switch (completing.outcome()) {
          case JobOutcome.NodeFailed _ -> rules.maxNodeFailRequeue();
          case JobOutcome.Preempted _ -> rules.maxPreemptRequeue();
          case JobOutcome.Completed _,
              JobOutcome.Failed _,
              JobOutcome.LaunchFailed _,
              JobOutcome.Cancelled _,
              JobOutcome.TimedOut _,
              JobOutcome.OutOfMemory _,
              JobOutcome.DeadlineMissed _ ->
              null;
        };
    int most = own == null ? mostRequeues(draft) : Integer.MAX_VALUE;
    Hold hold = completing.holdAfter(job.restarts(), most);
    boolean often = own != null && job.restarts() >= own;
    return often && hold == Hold.NONE ? Hold.MAX_REQUEUE : hold;
  }

  /** A component that ended by itself comes back with the others, which wait again by now. */
  private static void returnToLeader(DecisionBuilder draft, Job job) {
    Job leader = job.isHetFollower() ? draft.state().pending().get(job.baseId()) : null;
    Job ended = draft.state().ended().get(job.id());
    if (leader != null && ended != null) {
      requeue(draft, ended, leader.state().hold());
    }
  }

  private static int mostRequeues(DecisionBuilder draft) {
    return draft.state().settings().jobs().maxBatchRequeue();
  }

  /** Puts a job that is over back into the queue as was asked: one of a crontab until its time. */
  static void requeue(DecisionBuilder draft, Job job, Hold hold) {
    Instant next = job.nextTime(draft.now());
    requeue(draft, job, hold, next == null ? soon(draft) : next, true);
  }

  /** When an attempt that failed by itself is made again. */
  private static Instant soon(DecisionBuilder draft) {
    return draft.now().plus(draft.state().settings().scheduling().requeueDelay());
  }

  /**
   * Puts a job that is over back into the queue until then.
   *
   * @param counts whether it is one more attempt, and not the next run of a crontab's entry
   */
  private static void requeue(
      DecisionBuilder draft, Job job, Hold hold, Instant notBefore, boolean counts) {
    long priority = hold == Hold.NONE ? JobPriorityRules.of(draft.state(), job.spec(), job) : 0;
    draft.emit(new Event.JobRequeued(job.id(), hold, notBefore, priority, counts, draft.now()));
    DependencyRules.resumeSingleton(draft, draft.state().pending().require(job.id()));
    for (Job other : job.het() == null ? List.<Job>of() : draft.state().records(job.id())) {
      if (other.isHetFollower() && other.state() instanceof JobState.Ended) {
        requeue(draft, other, hold);
      }
    }
  }

  /** The allocation of a job that holds one. */
  public static Allocation allocation(Job job) {
    Allocation allocation = job.state().allocated();
    if (allocation == null) {
      throw new IllegalStateException("job " + job.id() + " holds nothing");
    }
    return allocation;
  }

  /** Why a run that is over was ended, for a node that has not heard it yet. */
  public static Effect.TerminationReason why(JobState.Completing completing) {
    return switch (completing.outcome()) {
      case JobOutcome.Cancelled _ ->
          completing.afterwards() == PostRunAction.END
              ? Effect.TerminationReason.CANCELLED
              : Effect.TerminationReason.REQUEUED;
      case JobOutcome.TimedOut _, JobOutcome.DeadlineMissed _ ->
          Effect.TerminationReason.TIME_LIMIT;
      case JobOutcome.Preempted _ -> Effect.TerminationReason.PREEMPTED;
      case JobOutcome.NodeFailed _ -> Effect.TerminationReason.NODE_FAILURE;
      case JobOutcome.Completed _,
          JobOutcome.Failed _,
          JobOutcome.LaunchFailed _,
          JobOutcome.OutOfMemory _ ->
          Effect.TerminationReason.ENDED;
    };
  }

  /** True if the job has used up its limit and the grace on top of it. */
  public static boolean overLimit(DecisionBuilder draft, Job job, JobState.Running running) {
    Instant end = running.end();
    if (end == null || running.configuring()) {
      return false;
    }
    Duration grace = RunEndTime.grace(draft.state(), running.allocation().partition());
    return grace != null && !draft.now().isBefore(end.plus(grace));
  }
}
