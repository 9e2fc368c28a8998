package io.dure.node.usage;

import io.dure.host.process.ProcessStat;
import io.dure.model.job.Job;
import io.dure.node.launch.RunningStep;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step that runs, and what it is called.
 *
 * @param name {@code batch}, {@code extern} or a number
 * @param members finds its processes
 * @param tasks the step whose processes are tasks, null for one without tasks
 */
public record NamedStep(Job job, String name, Members members, @Nullable RunningStep tasks) {

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
