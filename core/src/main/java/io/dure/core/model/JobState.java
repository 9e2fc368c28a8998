package io.dure.core.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a job is in its life (docs/states-and-events.md); each state holds just its own data. */
public sealed interface JobState {

  /**
   * In the queue.
   *
   * @param hold why it is kept back, NONE where it is not
   * @param notBefore earliest start after a requeue, null for none
   * @param waitingFor conditions on other jobs that do not hold yet
   * @param dependencyFailed true if they can never hold
   * @param requeued true between a requeue and the next start
   */
  record Pending(
      Hold hold,
      @Nullable Instant notBefore,
      List<Dependency> waitingFor,
      boolean dependencyFailed,
      boolean requeued)
      implements JobState {}

  /**
   * Holds resources; its batch script runs, or is on its way.
   *
   * @param allocation what it holds
   * @param start when the resources were given
   * @param end when the limit ends it, null for never
   * @param launched false until the node has said that it took the script
   * @param warned true once the signal before the limit was sent
   */
  record Running(
      Allocation allocation, Instant start, @Nullable Instant end, boolean launched, boolean warned)
      implements JobState {}

  /**
   * Its run is over; nodes are being cleaned.
   *
   * @param allocation what it held
   * @param start when it started
   * @param end when it ended
   * @param outcome why it ended
   * @param nodesLeft nodes not clean yet, at least one
   * @param afterwards what becomes of it then
   */
  record Completing(
      Allocation allocation,
      Instant start,
      Instant end,
      Outcome outcome,
      List<String> nodesLeft,
      Afterwards afterwards)
      implements JobState {}

  /**
   * Over for good; kept for MinJobAge.
   *
   * @param allocation what it held, null if it never ran
   * @param start when it started, null if it never ran
   * @param end when it ended
   * @param outcome why it ended
   */
  record Ended(
      @Nullable Allocation allocation, @Nullable Instant start, Instant end, Outcome outcome)
      implements JobState {}
}
