package io.dure.node.launch;

import java.util.List;

/**
 * What the environment of tasks tells of their step.
 *
 * @param id the step's number in its job, without sign
 * @param nodeList its nodes as a compressed hostlist
 * @param tasksPerNode how many tasks each of them has
 * @param tasks how many tasks there are, those of other components included
 * @param node this node's name
 * @param nodeIndex its place among the step's nodes, from 0
 * @param ranks the tasks here
 * @param cpusOnNode CPUs that the step has here
 * @param cpusPerTask CPUs of each task, 0 where that was not said
 * @param launchHost where {@code srun} runs
 * @param ofDevices whether the job has devices here, so that what was said of them is not true here
 */
public record StepEnvironmentFacts(
    String id,
    String nodeList,
    List<Integer> tasksPerNode,
    int tasks,
    String node,
    int nodeIndex,
    List<Integer> ranks,
    int cpusOnNode,
    int cpusPerTask,
    String launchHost,
    boolean ofDevices) {
  int tasksHere() {
    return tasksPerNode.stream().mapToInt(Integer::intValue).sum();
  }
}
