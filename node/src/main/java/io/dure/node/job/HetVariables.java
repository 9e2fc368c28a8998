package io.dure.node.job;

import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.node.launch.JobEnvironment;
import io.dure.node.launch.JobEnvironmentFacts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What the script of a heterogeneous job is told of each component: the variables that a job of its
 * own would have, with the component's place at the end of their names. Pure.
 */
final class HetVariables {
  private static final String SLURM = "SLURM_";

  /** Older programs still ask for the second. */
  private static final List<String> ENDS = List.of("_HET_GROUP_", "_PACK_GROUP_");

  private HetVariables() {}

  /** The variables by their names after SLURM_; none for a job that is not heterogeneous. */
  static SequencedMap<String, String> of(
      List<Job> components, String cluster, NodeLocalConfig setup) {
    SequencedMap<String, String> variables = new LinkedHashMap<>();
    if (components.isEmpty()) {
      return variables;
    }
    String size = Integer.toString(components.size());
    variables.put("HET_SIZE", size);
    variables.put("PACK_SIZE", size);
    for (Job component : components) {
      Allocation allocation = JobVariables.allocation(component);
      if (allocation != null && component.het() != null) {
        int offset = component.het().offset();
        own(component, allocation, cluster, setup)
            .forEach((name, value) -> {
              for (String end : ENDS) {
                variables.put(name + end + offset, value);
              }
            });
      }
    }
    return variables;
  }

  private static SequencedMap<String, String> own(
      Job job, Allocation allocation, String cluster, NodeLocalConfig setup) {
    NodeShare first = allocation.shares().getFirst();
    JobEnvironmentFacts facts =
        new JobEnvironmentFacts(
            JobRecordReader.identity(job, cluster, setup),
            JobRecordReader.shape(job, allocation, first, setup),
            JobRecordReader.asked(job),
            null,
            null,
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    SequencedMap<String, String> variables = new LinkedHashMap<>();
    JobEnvironment.of(facts)
        .forEach((name, value) -> {
          String rest = name.startsWith(SLURM) ? name.substring(SLURM.length()) : "";
          if (JobEnvironment.isOfComponent(rest)) {
            variables.put(rest, value);
          }
        });
    return variables;
  }
}
