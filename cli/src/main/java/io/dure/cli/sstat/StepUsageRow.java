package io.dure.cli.sstat;

import io.dure.model.step.StepConsumption.Spread;
import io.dure.model.step.StepConsumption.TaskSums;
import io.dure.protocol.step.GpuFigures;
import io.dure.protocol.step.TaskFigures;
import io.dure.surface.accounts.StepUsageFigures;
import io.dure.surface.print.SizeUnits;
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
  record NodeTask(String node, TaskFigures figures) {
    Spread of(long amount) {
      return Spread.of(amount, node, figures.rank());
    }

    /**
     * What it uses.
     *
     * @param gpus whether GPUs are told of, if not by this task
     */
    TaskSums sums(boolean gpus) {
      GpuFigures known = figures.gpus();
      return new TaskSums(
          1,
          of(figures.cpuMicros()),
          of(figures.rssBytes()),
          of(figures.vmBytes()),
          of(figures.pages()),
          of(figures.readBytes()),
          of(figures.writtenBytes()),
          !gpus ? null : of(known == null ? 0 : known.memoryBytes()),
          !gpus ? null : of(known == null ? 0 : known.percent()));
    }
  }

  /** What its tasks use together. */
  StepUsageFigures figures() {
    TaskSums sums = StepUsageFigures.NO_TASKS;
    Spread energy = Spread.of(0, "", 0);
    long megahertz = 0;
    boolean gpus = tasks.stream().anyMatch(task -> task.figures().gpus() != null);
    for (int i = 0; i < tasks.size(); i++) {
      NodeTask task = tasks.get(i);
      sums = i == 0 ? task.sums(gpus) : sums.and(task.sums(gpus));
      energy =
          i == 0 ? task.of(task.figures().joules()) : energy.and(task.of(task.figures().joules()));
      megahertz += task.figures().megahertz();
    }
    return new StepUsageFigures(
        sums,
        energy,
        tasks.isEmpty() ? 0 : megahertz / tasks.size(),
        plain ? SizeUnits.PLAIN : SizeUnits.EXACT);
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
