package io.dure.controller.script;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.config.ClusterConfig;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The environment of PrologSlurmctld and EpilogSlurmctld, "Prolog and Epilog Guide": no PATH, only
 * what is known of the job. Pure.
 */
final class ControllerScriptVariables {
  private final Map<String, String> variables = new LinkedHashMap<>();

  private ControllerScriptVariables() {}

  static Map<String, String> of(Job job, ClusterConfig config, String context) {
    ControllerScriptVariables all = new ControllerScriptVariables();
    String cluster = config.settings().controller().clusterName();
    all.set("CLUSTER_NAME", cluster);
    all.set("WORKING_CLUSTER", cluster);
    all.set("CONF", config.path());
    all.set("SCRIPT_CONTEXT", context);
    all.describe(job);
    all.array(job.array());
    switch (job.state()) {
      case JobState.Running running ->
          all.run(running.allocation(), running.start(), running.end());
      case JobState.Suspended(JobState.Running run, _, _, _) ->
          all.run(run.allocation(), run.start(), run.end());
      case JobState.Completing completing -> {
        all.run(completing.allocation(), completing.start(), completing.end());
        all.exit(completing.outcome().exit(), job.runSteps().highest());
      }
      case JobState.Pending _, JobState.Ended _ -> {}
    }
    return all.variables;
  }

  private void describe(Job job) {
    String uid = Integer.toUnsignedString(job.owner().uid());
    set("JOB_ID", job.id());
    set("JOBID", job.id());
    set("JOB_USER", job.owner().userName());
    set("JOB_UID", uid);
    set("UID", uid);
    set("JOB_GID", Integer.toUnsignedString(job.owner().gid()));
    set("JOB_GROUP", job.owner().groupName());
    set("JOB_NAME", job.spec().name());
    set("JOB_ACCOUNT", job.spec().account());
    set("JOB_COMMENT", job.spec().comment());
    set("JOB_CONSTRAINTS", job.spec().resources().features());
    set("JOB_QOS", job.spec().qos());
    set("JOB_NTASKS", job.spec().resources().tasks());
    set("JOB_RESTART_COUNT", job.restarts());
    set("JOB_WORK_DIR", job.workload().workDirectory());
  }

  private void array(@Nullable ArrayPart part) {
    if (part instanceof ArrayPart.Task task) {
      set("ARRAY_JOB_ID", task.arrayJobId());
      set("ARRAY_TASK_ID", task.index());
      set("ARRAY_TASK_COUNT", task.shape().count());
      set("ARRAY_TASK_MAX", task.shape().max());
      set("ARRAY_TASK_MIN", task.shape().min());
      set("ARRAY_TASK_STEP", task.shape().step());
    }
  }

  private void run(Allocation allocation, Instant start, @Nullable Instant end) {
    String nodes = HostList.compress(allocation.nodes());
    set("JOB_PARTITION", allocation.partition());
    set("JOB_NODELIST", nodes);
    set("NODELIST", nodes);
    set("JOB_NUM_NODES", allocation.shares().size());
    set("JOB_CPUS_PER_NODE", cpusPerNode(allocation.shares()));
    set("JOB_START_TIME", start.getEpochSecond());
    set("JOB_END_TIME", end == null ? null : end.getEpochSecond());
  }

  private void exit(ExitStatus exit, ExitStatus highest) {
    set("JOB_EXIT_CODE", waitStatus(exit));
    set("JOB_EXIT_CODE2", exit.text());
    set("JOB_DERIVED_EC", waitStatus(highest));
  }

  private static int waitStatus(ExitStatus exit) {
    return (exit.code() << 8) | exit.signal();
  }

  /** {@code 4(x2),2}: the CPUs of each node in order, equal neighbours together. */
  private static String cpusPerNode(List<NodeShare> shares) {
    StringJoiner text = new StringJoiner(",");
    for (int from = 0, to; from < shares.size(); from = to) {
      int cpus = shares.get(from).cpus();
      to = from + 1;
      while (to < shares.size() && shares.get(to).cpus() == cpus) {
        to++;
      }
      text.add(to - from == 1 ? "" + cpus : cpus + "(x" + (to - from) + ")");
    }
    return text.toString();
  }

  private void set(String name, @Nullable Object value) {
    // A name or comment with a zero byte cannot be told to a program.
    if (value != null && value.toString().indexOf('\0') < 0) {
      variables.put("SLURM_" + name, value.toString());
    }
  }
}
