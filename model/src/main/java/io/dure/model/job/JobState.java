package io.dure.model.job;

import io.dure.model.request.Dependency;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a job is in its life (docs/states-and-events.md); each state holds just its own data. */
public sealed interface JobState {

  /** How the age of a waiting job counts that a limit of such jobs kept from counting at first. */
  sealed interface Accrual {
    /** It does not count yet. */
    record Waits() implements Accrual {
      static final String TAG = "Waits";
    }

    /** It counts from then on. */
    record Since(Instant at) implements Accrual {
      static final String TAG = "Since";
    }
  }

  /**
   * In the queue.
   *
   * @param hold why it is kept back, NONE where it is not
   * @param notBefore earliest start after a requeue, null for none
   * @param waitingFor conditions on other jobs that do not hold yet
   * @param dependencyFailed true if they can never hold
   * @param requeued true between a requeue and the next start
   * @param accrual since when its age counts; null for since it could first have started
   */
  @RecordBuilder
  record Pending(
      Hold hold,
      @Nullable Instant notBefore,
      List<Dependency> waitingFor,
      boolean dependencyFailed,
      boolean requeued,
      @Nullable Accrual accrual)
      implements JobState, JobStatePendingBuilder.With {
    static final String TAG = "Pending";

    /** A job whose age counts since it could first have started. */
    public Pending(
        Hold hold,
        @Nullable Instant notBefore,
        List<Dependency> waitingFor,
        boolean dependencyFailed,
        boolean requeued) {
      this(hold, notBefore, waitingFor, dependencyFailed, requeued, null);
    }

    /** The reason of a job whose conditions can never hold. */
    public static final String NEVER_SATISFIED = "DependencyNeverSatisfied";

    /** What keeps it back, null if nothing does but time, resources and order. */
    public @Nullable String reason() {
      if (hold != Hold.NONE) {
        return hold.reason();
      }
      if (dependencyFailed) {
        return NEVER_SATISFIED;
      }
      return waitingFor.isEmpty() ? null : "Dependency";
    }

    /** The same with its conditions as they now stand. */
    public Pending waiting(List<Dependency> nextWaitingFor, boolean nextFailed) {
      return with().waitingFor(nextWaitingFor).dependencyFailed(nextFailed).build();
    }
  }

  /**
   * Holds resources; its batch script runs, or is on its way.
   *
   * @param allocation what it holds
   * @param start when the resources were given
   * @param end when the limit ends it, null for never
   * @param launched false until the node has said that it took the script
   * @param warned true once the signal before the limit was sent
   * @param hold why it is kept back should it go back into the queue, NONE where it is not
   * @param configuring true while PrologSlurmctld runs: the script is not on its way yet
   * @param pauses how long it was suspended, null if it never was
   * @param notice that it was told to make room for another job, null if it was not
   * @param contained whether it has a step {@code extern} on all of its nodes
   */
  @RecordBuilder
  record Running(
      Allocation allocation,
      Instant start,
      @Nullable Instant end,
      boolean launched,
      boolean warned,
      Hold hold,
      boolean configuring,
      @Nullable SuspensionTotals pauses,
      @Nullable PreemptionNotice notice,
      boolean contained)
      implements JobState, JobStateRunningBuilder.With {
    static final String TAG = "Running";

    /** A run that begins. */
    public static Running begun(
        Allocation allocation,
        Instant start,
        @Nullable Instant end,
        Hold hold,
        boolean configuring,
        boolean contained) {
      return new Running(
          allocation, start, end, false, false, hold, configuring, null, null, contained);
    }

    /** The same run, ready to be launched. */
    public Running configured(@Nullable Instant nextEnd) {
      return with().end(nextEnd).configuring(false).build();
    }

    /** The same run, going on after a pause. */
    public Running afterPause(SuspensionTotals next, @Nullable Instant nextEnd) {
      return with().pauses(next).end(nextEnd).build();
    }

    /** Since when it has run without a pause. */
    public Instant runsSince() {
      return pauses == null ? start : pauses.last();
    }

    /** When nothing of it is left at the latest: its limit, or the end of its grace. */
    public @Nullable Instant latestEnd() {
      Instant grace = notice == null ? null : notice.killAt();
      return grace == null || end != null && end.isBefore(grace) ? end : grace;
    }

    /** How long it had run by then, pauses left out. */
    public Duration elapsed(Instant now) {
      Duration since = Duration.between(start, now);
      Duration ran = pauses == null ? since : since.minus(pauses.total());
      return ran.isNegative() ? Duration.ZERO : ran;
    }
  }

  /**
   * Its run is over; nodes are being cleaned.
   *
   * @param allocation what it held
   * @param start when it started
   * @param end when it ended
   * @param outcome why it ended
   * @param nodesLeft nodes not clean yet; at least one unless the epilog runs
   * @param afterwards what becomes of it then
   * @param hold why it is kept back should it go back into the queue, NONE where it is not
   * @param epilog true while EpilogSlurmctld runs, or is about to
   * @param pauses how long it was suspended, null if it never was
   * @param scriptOver whether it is known how its script ended
   */
  @RecordBuilder
  record Completing(
      Allocation allocation,
      Instant start,
      Instant end,
      JobOutcome outcome,
      List<String> nodesLeft,
      PostRunAction afterwards,
      Hold hold,
      boolean epilog,
      @Nullable SuspensionTotals pauses,
      boolean scriptOver)
      implements JobState, JobStateCompletingBuilder.With {
    static final String TAG = "Completing";

    /**
     * What holds a job that returns to the queue.
     *
     * @param restarts how often it did before
     * @param most how often it may by itself
     */
    public Hold holdAfter(int restarts, int most) {
      if (afterwards == PostRunAction.SPECIAL_EXIT) {
        return Hold.SPECIAL_EXIT;
      }
      if (hold != Hold.NONE) {
        return hold;
      }
      if (afterwards == PostRunAction.REQUEUE_HOLD) {
        return outcome instanceof JobOutcome.LaunchFailed ? Hold.LAUNCH_FAILURE : Hold.USER;
      }
      return outcome.holdAfter(restarts, most);
    }

    /** Whether nothing is left to be done. */
    public boolean isClean() {
      return nodesLeft.isEmpty() && !epilog;
    }

    /** The same, over for another reason and with other plans. */
    public Completing with(JobOutcome nextOutcome, PostRunAction nextAfterwards) {
      return with().outcome(nextOutcome).afterwards(nextAfterwards).build();
    }

    /** The same with a node clean. */
    public Completing without(String node) {
      return withNodesLeft(nodesLeft.stream().filter(n -> !n.equals(node)).toList());
    }
  }

  /**
   * Over for good; kept for MinJobAge.
   *
   * @param allocation what it held, null if it never ran
   * @param start when it started, null if it never ran
   * @param end when it ended
   * @param outcome why it ended
   * @param reason what it last waited for, null if it ran or that is not known
   * @param pauses how long it was suspended, null if it never was
   */
  record Ended(
      @Nullable Allocation allocation,
      @Nullable Instant start,
      Instant end,
      JobOutcome outcome,
      @Nullable String reason,
      @Nullable SuspensionTotals pauses)
      implements JobState {
    static final String TAG = "Ended";

    /** The end of a job that was never suspended. */
    public Ended(
        @Nullable Allocation allocation,
        @Nullable Instant start,
        Instant end,
        JobOutcome outcome,
        @Nullable String reason) {
      this(allocation, start, end, outcome, reason, null);
    }
  }

  /**
   * Its processes stand still, and its cores are free for others but where it takes turns. Time
   * does not count.
   *
   * @param run the run as it was, and as it goes on
   * @param since when it was suspended
   * @param cause what suspended it
   * @param forJob the preempting job, null for none
   */
  record Suspended(Running run, Instant since, Cause cause, @Nullable Integer forJob)
      implements JobState {
    static final String TAG = "Suspended";

    /** What suspended a job. */
    public enum Cause {
      /** An operator, which resumes it. */
      OPERATOR,
      /** The scheduler, for another job: it goes on once its cores are free again. */
      PREEMPTION,
      /**
       * The scheduler: it waits for its turn on cores that it shares, and keeps its place there.
       */
      TIME_SLICE
    }

    /** What it holds meanwhile. */
    public List<NodeShare> retainedShares() {
      List<NodeShare> all = run.allocation().shares();
      return cause == Cause.TIME_SLICE ? all : all.stream().map(NodeShare::withoutCores).toList();
    }

    /** The same with something of its run changed. */
    public Suspended with(Running next) {
      return new Suspended(next, since, cause, forJob);
    }

    /** Its pauses, if this one ends then. */
    public SuspensionTotals pausesUntil(Instant now) {
      Duration before = run.pauses() == null ? Duration.ZERO : run.pauses().total();
      Duration more = Duration.between(since, now);
      return new SuspensionTotals(
          before.plus(more.isNegative() ? Duration.ZERO : more), run.elapsed(since), now, null);
    }
  }

  /**
   * What suspensions took of a run.
   *
   * @param total how long they were together
   * @param ran how long it had run before the last one
   * @param last when it was last resumed, or ended while suspended
   * @param inVain the job that preempted it last and did not start, null for none
   */
  record SuspensionTotals(Duration total, Duration ran, Instant last, @Nullable Integer inVain) {
    /** The same, the last of them for a job that did not come, or null. */
    public SuspensionTotals inVain(@Nullable Integer forJob) {
      return new SuspensionTotals(total, ran, last, forJob);
    }
  }

  /**
   * A running job was told to make room for another.
   *
   * @param at when
   * @param killAt when it is ended, whether or not it has obeyed
   * @param afterwards what becomes of it then
   */
  record PreemptionNotice(Instant at, Instant killAt, PostRunAction afterwards) {}

  /** The run of a job that runs or is suspended, else null. */
  default @Nullable Running runningOrSuspended() {
    return switch (this) {
      case Running running -> running;
      case Suspended suspended -> suspended.run();
      case Pending _, Completing _, Ended _ -> null;
    };
  }

  /** What the job holds, null for nothing. */
  default @Nullable Allocation allocated() {
    return switch (this) {
      case Running running -> running.allocation();
      case Suspended suspended -> suspended.run().allocation();
      case Completing completing -> completing.allocation();
      case Pending _, Ended _ -> null;
    };
  }

  /** What keeps the job back, now or once it returns to the queue. */
  default Hold hold() {
    return switch (this) {
      case Pending pending -> pending.hold();
      case Running running -> running.hold();
      case Suspended suspended -> suspended.run().hold();
      case Completing completing -> completing.hold();
      case Ended _ -> Hold.NONE;
    };
  }
}
