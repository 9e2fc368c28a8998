package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.model.HostList;
import io.dure.model.command.Placement;
import io.dure.model.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;

/**
 * SlurmSchedLogFile: a line for each job that the scheduler starts, and one for each pass that
 * starts any. The scheduler's thread.
 */
public final class SchedulerLog {
  private final Logger log;
  private boolean failing;

  /** Writes nothing yet. */
  public SchedulerLog(Logger log) {
    this.log = log;
  }

  /** Writes down what a pass over the queue starts, where the site wants that. */
  public void planned(ClusterState state, List<Placement> starts, Instant now) {
    String file = state.settings().rules().schedulerLog();
    if (file.isEmpty() || starts.isEmpty()) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    LocalDateTime time = LocalDateTime.ofInstant(now, ZoneId.systemDefault());
    String prefix = "[" + time.truncatedTo(ChronoUnit.MILLIS) + "] sched: ";
    for (Placement start : starts) {
      Job job = state.pending().get(start.jobId());
      if (job != null) {
        lines
            .append(prefix)
            .append("Allocate JobId=")
            .append(job.id())
            .append(start.taskIndex() == null ? "" : "_" + start.taskIndex())
            .append(" NodeList=")
            .append(HostList.compress(start.allocation().nodes()))
            .append(" Partition=")
            .append(start.allocation().partition())
            .append('\n');
      }
    }
    lines.append(prefix).append("jobs started: ").append(starts.size());
    lines.append(", pending: ").append(state.pending().size()).append('\n');
    try {
      Files.writeString(Path.of(file), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        log.error("SlurmSchedLogFile is not written until it can be: " + e);
      }
      failing = true;
    }
  }
}
