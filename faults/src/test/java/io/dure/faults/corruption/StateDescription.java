package io.dure.faults.corruption;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.util.ArrayList;
import java.util.List;

/**
 * A state in lines that people can read: what every later version must still know of it. Facts that
 * a later version adds do not change them.
 */
final class StateDescription {
  private StateDescription() {}

  static String of(ClusterState state) {
    List<String> lines = new ArrayList<>();
    lines.add("next job " + state.nextJobId());
    for (PartitionConfig partition : state.partitions()) {
      lines.add(
          "partition " + partition.name() + " " + partition.state() + " " + partition.nodes());
    }
    for (NodeRecord node : state.nodes().values()) {
      lines.add(
          "node %s %s CPUs, facts %s, silent since %s, drained %s"
              .formatted(
                  node.config().name(),
                  node.config().shape().cpus(),
                  (node.facts() == null ? "none" : node.facts().bootId()),
                  node.silentSince(),
                  node.condition().drain()));
    }
    state.jobs().forEach(job -> lines.add(line(state, job)));
    return String.join("\n", lines) + "\n";
  }

  private static String line(ClusterState state, Job job) {
    return "job "
        + job.displayId()
        + " id "
        + job.id()
        + " of "
        + job.owner().userName()
        + " named "
        + job.spec().name()
        + " submitted "
        + job.submitTime()
        + " eligible "
        + job.eligibleTime()
        + " priority "
        + job.priority()
        + " run "
        + job.run()
        + " restarts "
        + job.restarts()
        + " limit "
        + job.spec().timeLimit()
        + " script of "
        + state.texts().content(job.workload().script()).length()
        + " "
        + state(job.state());
  }

  private static String state(JobState state) {
    return switch (state) {
      case JobState.Pending pending ->
          "pending, hold " + pending.hold() + ", waiting for " + pending.waitingFor().size();
      case JobState.Running running ->
          "running on %s from %s to %s%s"
              .formatted(
                  running.allocation().nodes(),
                  running.start(),
                  running.end(),
                  (running.launched() ? ", launched" : ""));
      case JobState.Suspended suspended ->
          "suspended since " + suspended.since() + ", " + state(suspended.run());
      case JobState.Completing completing ->
          "completing on " + completing.nodesLeft() + " since " + completing.end();
      case JobState.Ended ended ->
          "ended %s %s %s:%s"
              .formatted(
                  ended.end(),
                  ended.outcome().getClass().getSimpleName(),
                  ended.outcome().exit().code(),
                  ended.outcome().exit().signal());
    };
  }
}
