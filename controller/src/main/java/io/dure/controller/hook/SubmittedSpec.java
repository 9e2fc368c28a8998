package io.dure.controller.hook;

import io.dure.model.command.JobChange;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.ResourceRequest.RareOptions;
import io.dure.model.request.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What of a submission only the submission can say, and no change of a job. */
final class SubmittedSpec {
  /** Which option a field stands for, so that variables of the job that go with it are there. */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("cpus_per_task", "cpus-per-task"),
          Map.entry("min_nodes", "nodes"),
          Map.entry("num_tasks", "ntasks"),
          Map.entry("ntasks_per_node", "ntasks-per-node"),
          Map.entry("nice", "nice"),
          Map.entry("pn_min_cpus", "mincpus"),
          Map.entry("min_mem_per_cpu", "mem-per-cpu"),
          Map.entry("min_mem_per_node", "mem"),
          Map.entry("time_limit", "time"),
          Map.entry("tres_per_node", "gres"),
          Map.entry("tres_per_job", "gpus"));

  private SubmittedSpec() {}

  static JobSpec of(JobSpec spec, Map<?, ?> set) {
    TreeSet<String> asked = new TreeSet<>(spec.asked());
    OPTIONS.forEach((field, option) -> {
      if (set.containsKey(field)) {
        asked.add(option);
      }
    });
    JobSpec next = spec.withAsked(List.copyOf(asked));
    if (set.get("array_inx") instanceof String array) {
      next = next.withArrayTasks(ArrayRequest.of(array.isEmpty() ? null : array));
    }
    return next.withResources(resources(next.resources(), set));
  }

  private static ResourceRequest resources(ResourceRequest asked, Map<?, ?> set) {
    RareOptions more = asked.more();
    if (set.get("batch_features") instanceof String features) {
      more = more.withBatchFeatures(features.isEmpty() ? null : features);
    }
    if (set.get("ntasks_per_core") instanceof Long count) {
      more = more.withTasksPerCore(some(count));
    }
    if (set.get("ntasks_per_socket") instanceof Long count) {
      more = more.withTasksPerSocket(some(count));
    }
    ResourceRequest next = asked.withFurther(more.equals(RareOptions.NONE) ? null : more);
    return set.get("overcommit") instanceof Long flag ? next.withOvercommit(flag == 1) : next;
  }

  private static @Nullable Integer some(long count) {
    return count >= 1 && count < NoValue.SHORT ? (int) count : null;
  }

  static Workload.BatchSpec withPaths(Workload.BatchSpec batch, JobChange.OutputChange paths) {
    return batch
        .with()
        .workDirectory(
            paths.workDirectory() == null ? batch.workDirectory() : paths.workDirectory())
        .standardInput(
            paths.standardInput() == null ? batch.standardInput() : paths.standardInput())
        .standardOutput(
            paths.standardOutput() == null ? batch.standardOutput() : paths.standardOutput())
        .standardError(
            paths.standardError() == null ? batch.standardError() : paths.standardError())
        .build();
  }

  /** The variables by their names. */
  static Map<String, String> variables(JobTexts texts) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String one : texts.assignments()) {
      int equals = one.indexOf('=');
      if (equals > 0) {
        variables.put(one.substring(0, equals), one.substring(equals + 1));
      }
    }
    return variables;
  }

  /** The variables after a script has set some, and removed those that it set to nothing. */
  static List<String> assignments(JobTexts texts, Map<?, ?> set) {
    Map<String, String> variables = variables(texts);
    set.forEach((name, value) -> {
      if (value instanceof String text) {
        variables.put(name.toString(), text);
      } else {
        variables.remove(name.toString());
      }
    });
    List<String> assignments = new ArrayList<>();
    variables.forEach((name, value) -> assignments.add(name + "=" + value));
    return assignments;
  }
}
