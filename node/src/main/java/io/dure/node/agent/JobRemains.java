package io.dure.node.agent;

import io.dure.node.cgroup.StepCgroup;
import io.dure.node.job.StepStarter;
import io.dure.node.login.ExternStep;
import io.dure.node.noderun.RunId;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What jobs leave on a node when nothing of them runs any more. Calls block. */
final class JobRemains {
  private final StepStarter starter;
  private final Logger log;

  JobRemains(StepStarter starter, Logger log) {
    this.starter = starter;
    this.log = log;
  }

  /** Removes the directories that the job of a run had for itself; what went wrong, or null. */
  @Nullable String removeSpace(RunId id) {
    try {
      starter.spaces().remove(id.jobId(), id.run());
      return null;
    } catch (IOException e) {
      log.error("run " + id.text() + ": " + e.getMessage());
      return e.getMessage();
    }
  }

  /** Removes all of jobs that are not among these, their directories behind the caller. */
  void sweep(Set<Long> known) {
    for (long jobId : starter.groupedJobs()) {
      if (!known.contains(jobId)) {
        log.info("job " + jobId + ": removing control groups that it left behind");
        sweep(jobId, starter.group(jobId, ExternStep.NAME));
        sweep(jobId, starter.group(jobId));
      }
    }
    try {
      List<Long> left = starter.spaces().left(known);
      if (!left.isEmpty()) {
        // Thousands take minutes, and the node's jobs do not wait for that.
        Thread.ofVirtual().name("left directories").start(() -> removeSpaces(left));
      }
    } catch (IOException e) {
      log.error("directories of jobs remain: " + e.getMessage());
    }
  }

  private void removeSpaces(List<Long> jobs) {
    log.info("removing directories that " + jobs.size() + " jobs have left behind");
    for (long jobId : jobs) {
      try {
        starter.spaces().removeLeft(jobId);
      } catch (IOException e) {
        log.error("job " + jobId + ": its directories remain: " + e.getMessage());
      }
    }
    log.info("directories that jobs had left behind are removed");
  }

  private void sweep(long jobId, StepCgroup group) {
    group.kill();
    try {
      if (!group.remove()) {
        log.error("job " + jobId + ": cannot kill processes " + group.processes());
      }
    } catch (IOException e) {
      log.error("job " + jobId + ": cannot remove its control groups: " + e);
    }
  }
}
