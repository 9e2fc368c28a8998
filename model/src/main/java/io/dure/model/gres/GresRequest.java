package io.dure.model.gres;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generic resources that a job asks for, and what it asks for with each GPU. Counts are final:
 * the code that made the request worked out those that follow from others.
 *
 * @param perNode on each node ({@code --gres}, {@code --gpus-per-node})
 * @param perJob on all nodes together ({@code --gpus})
 * @param perSocket on each socket ({@code --gpus-per-socket}), with a number of sockets asked for
 * @param perTask for each task ({@code --gpus-per-task})
 * @param cpusPerGpu CPUs with each GPU, null where not asked
 * @param tasksPerGpu tasks with each GPU, null where not asked
 */
@RecordBuilder
public record GresRequest(
    List<GresCount> perNode,
    List<GresCount> perJob,
    List<GresCount> perSocket,
    List<GresCount> perTask,
    @Nullable Integer cpusPerGpu,
    @Nullable Integer tasksPerGpu)
    implements GresRequestBuilder.With {

  private static final long MOST_GPUS = Integer.MAX_VALUE;

  /** Nothing asked for. */
  public static final GresRequest NONE =
      new GresRequest(List.of(), List.of(), List.of(), List.of(), null, null);

  public GresRequest {
    perNode = List.copyOf(perNode);
    perJob = List.copyOf(perJob);
    perSocket = List.copyOf(perSocket);
    perTask = List.copyOf(perTask);
  }

  /**
   * The same after a change: what it names takes the place of what was there; nothing clears all.
   */
  public GresRequest changedBy(GresRequest change) {
    return change.equals(NONE)
        ? NONE
        : new GresRequest(
            change.perNode.isEmpty() ? perNode : change.perNode,
            change.perJob.isEmpty() ? perJob : change.perJob,
            change.perSocket.isEmpty() ? perSocket : change.perSocket,
            change.perTask.isEmpty() ? perTask : change.perTask,
            change.cpusPerGpu == null ? cpusPerGpu : change.cpusPerGpu,
            change.tasksPerGpu == null ? tasksPerGpu : change.tasksPerGpu);
  }

  /** True if no resource is asked for. */
  public boolean isEmpty() {
    return perNode.isEmpty() && perJob.isEmpty() && perSocket.isEmpty() && perTask.isEmpty();
  }

  /** All that is asked for, in whatever way. */
  public List<GresCount> all() {
    List<GresCount> all = new ArrayList<>(perNode);
    all.addAll(perJob);
    all.addAll(perSocket);
    all.addAll(perTask);
    return all;
  }

  /** How many of them are GPUs. */
  public static long gpus(List<GresCount> counts) {
    long gpus = 0;
    for (GresCount one : counts) {
      gpus += one.name().equals(GresCount.GPU) ? Math.min(one.count(), MOST_GPUS) : 0;
    }
    return Math.min(gpus, MOST_GPUS);
  }
}
