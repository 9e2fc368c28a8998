package io.dure.node.usage;

import io.dure.host.process.ProcessStat;
import io.dure.model.job.Job;
import io.dure.model.request.SamplingInterval;
import io.dure.node.launch.RunningStep;
import io.dure.protocol.StepLaunchOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step that runs, and what it is called.
 *
 * @param name {@code batch}, {@code extern} or a number
 * @param members finds its processes; for a step without tasks the same at each look
 * @param tasks the step whose processes are tasks, null for one without tasks
 * @param order what it was launched by, null for a step that is not numbered or that an earlier
 *     daemon launched
 */
public record NamedStep(
    Job job,
    String name,
    Members members,
    @Nullable RunningStep tasks,
    @Nullable StepLaunchOrder order) {

  /** What its samples are kept by: the same at each look. */
  Object identity() {
    return tasks == null ? members : tasks;
  }

  /** What it or else its job says of profiles, null for nothing. */
  @Nullable String profile() {
    return order != null && order.profile() != null
        ? order.profile()
        : job.spec().resources().more().shown().profile();
  }

  /** How often it or else its job wants it looked at, zero for never; null for as usual. */
  public @Nullable Duration interval() {
    Integer own = order == null ? null : SamplingInterval.ofTasks(order.accountingFrequency());
    Integer seconds =
        own != null
            ? own
            : SamplingInterval.ofTasks(job.spec().resources().more().shown().accountingFrequency());
    return seconds == null ? null : Duration.ofSeconds(Math.max(0, seconds));
  }

  /** Its job. */
  public int jobId() {
    return job.id();
  }

  /** Finds the processes of a step. */
  public interface Members {
    /**
     * Their pids, among these processes of the machine.
     *
     * @throws IOException if what names them cannot be read
     */
    List<Integer> among(List<ProcessStat> all) throws IOException;
  }
}
