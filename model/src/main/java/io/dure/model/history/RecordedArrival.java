package io.dure.model.history;

import io.dure.model.UserIdentity;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that was submitted to compete with the others at once.
 *
 * @param at when
 * @param owner whose it is
 * @param spec what it asks for
 * @param array its tasks, null where it is no array
 */
public record RecordedArrival(
    Instant at, UserIdentity owner, JobSpec spec, @Nullable ArrayPart array) {

  /** A job that has just come as such; null where it waits for something else than its turn. */
  static @Nullable RecordedArrival of(Job job) {
    boolean competes =
        job.state() instanceof JobState.Pending pending
            && pending.hold() == Hold.NONE
            && pending.waitingFor().isEmpty()
            && !pending.dependencyFailed()
            && job.spec().beginTime() == null
            && job.spec().deadline() == null
            && job.spec().reservations().isEmpty()
            && !(job.array() instanceof ArrayPart.Task)
            && job.het() == null;
    return competes
        ? new RecordedArrival(job.submitTime(), job.owner(), job.spec().plain(), job.array())
        : null;
  }
}
