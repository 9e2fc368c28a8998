package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.LatestValue;
import io.dure.model.HostList;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterConfig;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * SlurmSchedLogFile: a line for each job that the scheduler starts, and one for each pass that
 * starts any. Written by the scheduler's thread; any thread may have it written or not.
 */
public final class SchedulerLog {
  private static final Wish NONE = new Wish(false, null);

  /** What was wished while a configuration was in force; the next one ends it. */
  private record Wish(boolean written, @Nullable ClusterConfig config) {}

  private final LatestValue<Wish> wish = new LatestValue<>(NONE);
  private final Logger log;
  private boolean failing;

  /** Writes nothing yet. */
  public SchedulerLog(Logger log) {
    this.log = log;
  }

  /**
   * Has the file written or not until the configuration is read again, whatever SlurmSchedLogLevel
   * says.
   *
   * @return whether there is such a file
   */
  public boolean set(boolean written, ClusterState state) {
    if (configured(state).isEmpty()) {
      return false;
    }
    var _ = wish.set(new Wish(written, state.config()));
    return true;
  }

  private static String configured(ClusterState state) {
    return state.config().values().getOrDefault("SlurmSchedLogFile", "");
  }

  @SuppressWarnings("ReferenceEquality") // one that was read again may be equal
  private String file(ClusterState state) {
    Wish now = wish.get();
    if (now.config() != state.config()) {
      return state.settings().rules().schedulerLog();
    }
    return now.written() ? configured(state) : "";
  }

  /** Writes down what a pass over the queue starts, where the site wants that. */
  public void planned(ClusterState state, List<Placement> starts, Instant now) {
    String file = file(state);
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
