package io.dure.cli.sstat;

import io.dure.protocol.step.TaskFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * What a step uses.
 *
 * @param id {@code 12.0}
 * @param nodeList its nodes, or the node that the row is about
 * @param tasks those that run, by node
 * @param pids all processes
 * @param plain whether amounts are not shortened
 */
record StepUsageRow(
    String id, String nodeList, List<NodeTask> tasks, List<Integer> pids, boolean plain) {

  /** A task, and where it runs. */
  record NodeTask(String node, TaskFigures figures) {}

  /** One of the amounts that are compared over tasks. */
  enum Amount {
    CPU,
    MEMORY,
    SPACE,
    PAGES,
    READ,
    WRITTEN,
    GPU_MEMORY,
    GPU_PERCENT,
    ENERGY;

    long of(NodeTask task) {
      TaskFigures figures = task.figures();
      return switch (this) {
        case CPU -> figures.cpuMicros();
        case MEMORY -> figures.rssBytes();
        case SPACE -> figures.vmBytes();
        case PAGES -> figures.pages();
        case READ -> figures.readBytes();
        case WRITTEN -> figures.writtenBytes();
        case ENERGY -> figures.joules();
        case GPU_MEMORY -> figures.gpus() == null ? 0 : figures.gpus().memoryBytes();
        case GPU_PERCENT -> figures.gpus() == null ? 0 : figures.gpus().percent();
      };
    }
  }

  private static final NodeTask NONE =
      new NodeTask("", new TaskFigures(0, 0, List.of(), 0, 0, 0, 0, 0, 0, 0, null, 0));

  /** The task that has most; of several the first. */
  NodeTask most(Amount amount) {
    NodeTask best = tasks.isEmpty() ? NONE : tasks.getFirst();
    for (NodeTask task : tasks) {
      best = amount.of(task) > amount.of(best) ? task : best;
    }
    return best;
  }

  /** The task that has least. */
  NodeTask least(Amount amount) {
    NodeTask best = tasks.isEmpty() ? NONE : tasks.getFirst();
    for (NodeTask task : tasks) {
      best = amount.of(task) < amount.of(best) ? task : best;
    }
    return best;
  }

  /** Whether a driver told of GPUs. */
  boolean hasGpus() {
    return tasks.stream().anyMatch(task -> task.figures().gpus() != null);
  }

  long total(Amount amount) {
    return tasks.stream().mapToLong(amount::of).sum();
  }

  long average(Amount amount) {
    return tasks.isEmpty() ? 0 : total(amount) / tasks.size();
  }

  /** The rows of the single nodes. */
  List<StepUsageRow> byNode(List<String> nodes, List<List<Integer>> pidsOfNodes) {
    List<StepUsageRow> rows = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      String node = nodes.get(i);
      List<NodeTask> there = tasks.stream().filter(task -> task.node().equals(node)).toList();
      rows.add(new StepUsageRow(id, node, there, pidsOfNodes.get(i), plain));
    }
    return rows;
  }
}
