package io.dure.rules;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.request.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Works out the counts that follow from the GPUs asked for: tasks from GPUs, GPUs from tasks, nodes
 * from both.
 *
 * @param tasksAsked whether the number of tasks was asked for
 * @param nodesAsked whether the number of nodes was asked for
 */
public record GpuCountResolver(boolean tasksAsked, boolean nodesAsked) {

  /** The request with all counts final; null where they contradict each other. */
  public @Nullable ResourceRequest settle(ResourceRequest request) {
    if (request.gres() == null) {
      return request;
    }
    ResourceRequest settled = byNode(request);
    settled = settled == null ? null : byTask(settled);
    settled = settled == null ? null : byGpu(settled);
    return settled == null ? null : spread(settled);
  }

  /** GPUs of the job and of each node give the number of nodes. */
  private @Nullable ResourceRequest byNode(ResourceRequest request) {
    long job = GresRequest.gpus(request.gresOrNone().perJob());
    long node = GresRequest.gpus(request.gresOrNone().perNode());
    if (job == 0 || node == 0) {
      return request;
    }
    long nodes = job / node;
    if (job % node != 0
        || nodes > Integer.MAX_VALUE
        || nodesAsked && (nodes < request.minNodes() || nodes > request.maxNodes())
        || tasksAsked && nodes > request.tasks()) {
      return null;
    }
    ResourceRequest placed = request.withNodes((int) nodes, (int) nodes);
    Integer perNode = request.tasksPerNode();
    return tasksAsked ? placed : tasks(placed, nodes * (perNode == null ? 1 : perNode));
  }

  /** GPUs of each task and of the job, or of the node, give the number of tasks. */
  private @Nullable ResourceRequest byTask(ResourceRequest request) {
    GresRequest gres = request.gresOrNone();
    long task = GresRequest.gpus(gres.perTask());
    if (task == 0) {
      return request;
    }
    long job = GresRequest.gpus(gres.perJob());
    long node = GresRequest.gpus(gres.perNode());
    if (job % task != 0 || node % task != 0) {
      return null;
    }
    if (tasksAsked) {
      return job == 0 || job == task * request.tasks() ? request : null;
    }
    if (job > 0) {
      return tasks(request, job / task);
    }
    if (node == 0) {
      return null;
    }
    ResourceRequest filled = tasks(request, node / task * request.minNodes());
    return filled == null ? null : filled.withTasksPerNode((int) (node / task));
  }

  /** Tasks with each GPU: the number of one gives that of the other. */
  private @Nullable ResourceRequest byGpu(ResourceRequest request) {
    GresRequest gres = request.gresOrNone();
    Integer each = gres.tasksPerGpu();
    if (each == null) {
      return request;
    }
    long job = GresRequest.gpus(gres.perJob());
    long node = GresRequest.gpus(gres.perNode());
    if (tasksAsked && job == 0 && node == 0) {
      boolean whole = request.tasks() % each == 0;
      GresCount gpus = new GresCount(GresCount.GPU, null, request.tasks() / each);
      List<GresCount> all = new ArrayList<>(gres.perJob());
      all.add(gpus);
      return whole ? request.withGres(gres.withPerJob(all)) : null;
    }
    if (tasksAsked) {
      return request;
    }
    long tasks = job > 0 ? job * each : node * each * request.minNodes();
    return tasks == 0 ? null : tasks(request, tasks);
  }

  /** GPUs of the job as a whole may lie on as many nodes as there are GPUs. */
  private @Nullable ResourceRequest spread(ResourceRequest request) {
    long gpus = GresRequest.gpus(request.gresOrNone().perJob());
    if (gpus == 0 || GresRequest.gpus(request.gresOrNone().perNode()) > 0) {
      return request;
    }
    if (gpus < request.minNodes()) {
      return null;
    }
    return nodesAsked
        ? request
        : request.withNodes(
            request.minNodes(), Math.clamp(gpus, request.minNodes(), Integer.MAX_VALUE));
  }

  private static @Nullable ResourceRequest tasks(ResourceRequest request, long tasks) {
    if (tasks < 1 || tasks > Integer.MAX_VALUE) {
      return null;
    }
    ResourceRequest counted = request.withTasks((int) tasks);
    return request.maxNodes() < tasks && request.maxNodes() == request.minNodes()
        ? counted
        : counted.withNodes((int) Math.min(request.minNodes(), tasks), request.maxNodes());
  }
}
