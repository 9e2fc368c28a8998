package io.dure.core.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One job record: a job, an array task, or the tasks of an array that have not started.
 *
 * @param id job id, at least 1
 * @param array place in an array, null for none
 * @param owner whom it runs as
 * @param spec what was asked for
 * @param batch what it runs
 * @param submitTime when it was accepted
 * @param eligibleTime when it could first have started, null if it could not yet
 * @param priority its place in the queue, larger first; 0 when held
 * @param restarts how often it was put back into the queue
 * @param run number of its runs so far; a message of an earlier run changes nothing
 * @param state where it is in its life
 */
public record Job(
    int id,
    @Nullable ArrayPart array,
    Identity owner,
    JobSpec spec,
    Batch batch,
    Instant submitTime,
    @Nullable Instant eligibleTime,
    long priority,
    int restarts,
    int run,
    JobState state) {

  /** The same job in another state. */
  public Job withState(JobState next) {
    return new Job(
        id, array, owner, spec, batch, submitTime, eligibleTime, priority, restarts, run, next);
  }

  /** The same job asking for something else. */
  public Job withSpec(JobSpec next, long nextPriority) {
    return new Job(
        id,
        array,
        owner,
        next,
        batch,
        submitTime,
        eligibleTime,
        nextPriority,
        restarts,
        run,
        state);
  }

  /** The same job with another place in its array. */
  public Job withArray(int nextId, @Nullable ArrayPart nextArray) {
    return new Job(
        nextId,
        nextArray,
        owner,
        spec,
        batch,
        submitTime,
        eligibleTime,
        priority,
        restarts,
        run,
        state);
  }

  /** The same job with other output paths. */
  public Job withBatch(Batch next) {
    return new Job(
        id, array, owner, spec, next, submitTime, eligibleTime, priority, restarts, run, state);
  }

  /** The same job in another run. */
  public Job withRun(int nextRun) {
    return new Job(
        id,
        array,
        owner,
        spec,
        batch,
        submitTime,
        eligibleTime,
        priority,
        restarts,
        nextRun,
        state);
  }

  /** Whether the passing of time has to look at it; most of a long queue it has not. */
  public boolean isUnsettled() {
    return state instanceof JobState.Pending pending
        && (!pending.waitingFor().isEmpty()
            || pending.dependencyFailed()
            || spec.deadline() != null
            || eligibleTime == null && pending.hold() == Hold.NONE
            || spec.dependency().eachTaskDepends());
  }

  /** Id of the array it belongs to, or its own id. */
  public int baseId() {
    return array == null ? id : array.arrayJobId();
  }

  /** {@code 12}, {@code 12_3} or {@code 12_[4-9%2]}. */
  public String displayId() {
    return switch (array) {
      case null -> Integer.toString(id);
      case ArrayPart.Task task -> task.arrayJobId() + "_" + task.index();
      case ArrayPart.Waiting waiting ->
          waiting.arrayJobId()
              + "_["
              + waiting.waiting().text()
              + (waiting.throttle() == 0 ? "" : "%" + waiting.throttle())
              + "]";
    };
  }
}
