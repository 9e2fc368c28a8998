package io.dure.cluster;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;

/** The job, run or node that an event speaks of; an event that speaks of another one is refused. */
final class EventTargets {
  private EventTargets() {}

  static Job job(ClusterState.StateBuilder parts, int id, Event event) {
    Job job = parts.job(id);
    if (job == null) {
      throw new IllegalStateException("no job for " + event);
    }
    return job;
  }

  static NodeRecord node(ClusterState.StateBuilder parts, String name, Event event) {
    NodeRecord node = parts.node(name);
    if (node == null) {
      throw new IllegalStateException("no node for " + event);
    }
    return node;
  }

  static <S extends JobState> S state(Job job, Class<S> expected, Event event) {
    if (!expected.isInstance(job.state())) {
      throw illegal(job, event);
    }
    return expected.cast(job.state());
  }

  static IllegalStateException illegal(Job job, Event event) {
    return new IllegalStateException(event + " in run " + job.run() + ", " + job.state());
  }

  /** The job in the run that the event speaks of. */
  static Job run(ClusterState.StateBuilder parts, int id, int run, Event event) {
    Job job = job(parts, id, event);
    if (job.run() != run) {
      throw illegal(job, event);
    }
    return job;
  }
}
