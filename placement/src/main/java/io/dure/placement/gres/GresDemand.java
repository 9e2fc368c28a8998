package io.dure.placement.gres;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of one node in generic resources.
 *
 * @param asks one for each sort
 * @param cpusPerGpu CPUs with each GPU, 0 where none are asked for
 * @param memoryPerGpuMib memory with each GPU, 0 where none is asked for
 * @param tasksPerGpu most tasks with each GPU, 0 for no bound
 * @param bound whether its cores must be near its devices
 */
public record GresDemand(
    List<GresAsk> asks, int cpusPerGpu, long memoryPerGpuMib, int tasksPerGpu, boolean bound) {

  /**
   * One sort of resource.
   *
   * @param name its name
   * @param type its type, null for any
   * @param perNode how many on the node, whatever runs there
   * @param perTask how many more for each task
   * @param sockets over how many sockets those of the node are spread alike, 0 for no matter how
   * @param perJob how many on all nodes together, 0 where the node's number is told
   */
  public record GresAsk(
      String name, @Nullable String type, long perNode, long perTask, int sockets, long perJob) {

    /** How many with that many tasks. */
    public long forTasks(int tasks) {
      return perNode + perTask * tasks;
    }

    /** Whether it is a device that has files, drivers and friends. */
    boolean isGpu() {
      return name.equals(GresCount.GPU);
    }
  }

  /**
   * The need of a request, null where it asks for nothing of the kind.
   *
   * @param maxNodes the most nodes it may get: on a single one all that the job asks for is there
   */
  public static @Nullable GresDemand of(ResourceRequest request, int maxNodes) {
    if (request.gres() == null) {
      return null;
    }
    GresRequest gres = request.gres();
    Integer asked = request.socketsPerNode();
    int sockets = asked == null ? 1 : Math.clamp(asked, 1, 1 << 16);
    List<GresAsk> asks = new ArrayList<>();
    for (GresCount one : gres.perNode()) {
      add(asks, one, one.count(), 0, 0, 0);
    }
    for (GresCount one : gres.perSocket()) {
      add(asks, one, one.count() * sockets, 0, sockets, 0);
    }
    for (GresCount one : gres.perTask()) {
      add(asks, one, 0, one.count(), 0, 0);
    }
    for (GresCount one : gres.perJob()) {
      boolean known = asks.stream().anyMatch(a -> a.name().equals(one.name()));
      if (!known) {
        boolean here = maxNodes <= 1;
        add(asks, one, here ? one.count() : 0, 0, 0, here ? 0 : one.count());
      }
    }
    if (asks.isEmpty()) {
      return null;
    }
    return new GresDemand(
        List.copyOf(asks),
        gres.cpusPerGpu() == null ? 0 : gres.cpusPerGpu(),
        request.memory() instanceof MemoryRequest.PerGpu(long mib) ? mib : 0,
        gres.tasksPerGpu() == null ? 0 : gres.tasksPerGpu(),
        request.more().laid().binding() == ResourceRequest.Binding.ENFORCED);
  }

  private static void add(
      List<GresAsk> asks, GresCount one, long perNode, long perTask, int sockets, long perJob) {
    if (one.count() > 0) {
      asks.add(new GresAsk(one.name(), one.type(), perNode, perTask, sockets, perJob));
    }
  }

  /** GPUs on a node with that many tasks, without those that are asked for the job as a whole. */
  public long gpus(int tasks) {
    long gpus = 0;
    for (GresAsk ask : asks) {
      gpus += ask.isGpu() ? ask.forTasks(tasks) : 0;
    }
    return gpus;
  }

  /** GPUs asked for on all nodes together, 0 where each node's number is told. */
  public long gpusPerJob() {
    long gpus = 0;
    for (GresAsk ask : asks) {
      gpus += ask.isGpu() ? ask.perJob() : 0;
    }
    return gpus;
  }

  /** Whether a task more may mean CPUs or memory more than the task's own. */
  public boolean weighsGpus() {
    return cpusPerGpu > 0 || memoryPerGpuMib > 0;
  }
}
