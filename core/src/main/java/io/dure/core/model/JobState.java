package io.dure.core.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a job is in its life (docs/states-and-events.md); each state holds just its own data. */
public sealed interface JobState {

  /** How the age of a waiting job counts that a limit of such jobs kept from counting at first. */
  sealed interface Accrual {
    /** It does not count yet. */
    record Waits() implements Accrual {}

    /** It counts from then on. */
    record Since(Instant at) implements Accrual {}
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
  record Pending(
      Hold hold,
      @Nullable Instant notBefore,
      List<Dependency> waitingFor,
      boolean dependencyFailed,
      boolean requeued,
      @Nullable Accrual accrual)
      implements JobState {
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

    /** The same, kept back for another reason. */
    public Pending held(Hold nextHold) {
      return new Pending(nextHold, notBefore, waitingFor, dependencyFailed, requeued, accrual);
    }

    /** The same with its conditions as they now stand. */
    public Pending waiting(List<Dependency> nextWaitingFor, boolean nextFailed) {
      return new Pending(hold, notBefore, nextWaitingFor, nextFailed, requeued, accrual);
    }

    /** The same whose age counts otherwise. */
    public Pending accruing(@Nullable Accrual next) {
      return new Pending(hold, notBefore, waitingFor, dependencyFailed, requeued, next);
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
   */
  record Running(
      Allocation allocation,
      Instant start,
      @Nullable Instant end,
      boolean launched,
      boolean warned,
      Hold hold,
      boolean configuring)
      implements JobState {
    /** A run that nothing has to be done for before its launch. */
    public Running(
        Allocation allocation,
        Instant start,
        @Nullable Instant end,
        boolean launched,
        boolean warned,
        Hold hold) {
      this(allocation, start, end, launched, warned, hold, false);
    }

    /** The same run, ready to be launched. */
    public Running configured(@Nullable Instant nextEnd) {
      return new Running(allocation, start, nextEnd, launched, warned, hold, false);
    }

    /** The same run ending at another time. */
    public Running endingAt(@Nullable Instant nextEnd) {
      return new Running(allocation, start, nextEnd, launched, warned, hold, configuring);
    }

    /** The same run, taken by its batch host. */
    public Running onItsWay() {
      return new Running(allocation, start, end, true, warned, hold, configuring);
    }

    /** The same run, its signal before the limit sent. */
    public Running afterWarning() {
      return new Running(allocation, start, end, launched, true, hold, configuring);
    }

    /** The same run, to be kept back afterwards. */
    public Running held(Hold nextHold) {
      return new Running(allocation, start, end, launched, warned, nextHold, configuring);
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
   */
  record Completing(
      Allocation allocation,
      Instant start,
      Instant end,
      Outcome outcome,
      List<String> nodesLeft,
      Afterwards afterwards,
      Hold hold,
      boolean epilog)
      implements JobState {
    /** Whether nothing is left to be done. */
    public boolean isClean() {
      return nodesLeft.isEmpty() && !epilog;
    }

    /** The same, its epilog over. */
    public Completing withoutEpilog() {
      return new Completing(allocation, start, end, outcome, nodesLeft, afterwards, hold, false);
    }

    /** The same, over for another reason and with other plans. */
    public Completing with(Outcome nextOutcome, Afterwards nextAfterwards) {
      return new Completing(
          allocation, start, end, nextOutcome, nodesLeft, nextAfterwards, hold, epilog);
    }

    /** The same with a node clean. */
    public Completing without(String node) {
      List<String> left = nodesLeft.stream().filter(n -> !n.equals(node)).toList();
      return new Completing(allocation, start, end, outcome, left, afterwards, hold, epilog);
    }

    /** The same, to be kept back afterwards. */
    public Completing held(Hold nextHold) {
      return new Completing(
          allocation, start, end, outcome, nodesLeft, afterwards, nextHold, epilog);
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
   */
  record Ended(
      @Nullable Allocation allocation,
      @Nullable Instant start,
      Instant end,
      Outcome outcome,
      @Nullable String reason)
      implements JobState {}
}
