package io.dure.node.job;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.RepeatedCounts;
import io.dure.model.collection.GroupedShares;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.model.request.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of prolog and epilog, "Prolog and Epilog Guide": no PATH, only what is known of
 * the job. Pure.
 */
public final class ScriptEnvironment {
  private final Map<String, String> variables = new LinkedHashMap<>();

  private ScriptEnvironment() {}

  /** For the prolog of a job. */
  public static Map<String, String> prolog(Job job, String cluster, NodeLocalConfig setup) {
    ScriptEnvironment environment = new ScriptEnvironment();
    environment.describe(job, cluster, setup, "prolog_slurmd");
    return environment.variables;
  }

  /** For the epilog of a job whose step ended so; null if it ran elsewhere. */
  public static Map<String, String> epilog(
      Job job, String cluster, NodeLocalConfig setup, @Nullable StepEnd end) {
    ScriptEnvironment environment = new ScriptEnvironment();
    environment.describe(job, cluster, setup, "epilog_slurmd");
    if (end instanceof StepEnd.Ran(ExitStatus exit, _, _)) {
      environment.set("JOB_EXIT_CODE", (exit.code() << 8) | exit.signal());
      environment.set("JOB_EXIT_CODE2", exit.text());
      environment.set("JOB_DERIVED_EC", 0);
    }
    return environment.variables;
  }

  private void describe(Job job, String cluster, NodeLocalConfig setup, String context) {
    set("CLUSTER_NAME", cluster);
    set("CONF", setup.confPath());
    set("SCRIPT_CONTEXT", context);
    variables.put("SLURMD_NODENAME", setup.nodeName());
    set("JOB_ID", job.id());
    set("JOBID", job.id());
    set("JOB_USER", job.owner().userName());
    set("JOB_UID", Integer.toUnsignedString(job.owner().uid()));
    set("JOB_GID", Integer.toUnsignedString(job.owner().gid()));
    set("UID", Integer.toUnsignedString(job.owner().uid()));
    set("JOB_NAME", job.spec().name());
    set("JOB_ACCOUNT", job.spec().account());
    set("JOB_COMMENT", job.spec().comment());
    set("JOB_CONSTRAINTS", job.spec().resources().features());
    set("JOB_QOS", job.spec().qos());
    var held = JobVariables.allocation(job);
    set("JOB_RESERVATION", held == null ? null : held.reservation());
    set("JOB_NTASKS", job.spec().resources().tasks());
    set("JOB_RESTART_COUNT", job.restarts());
    set("JOB_WORK_DIR", job.workload().workDirectory());
    set("WORKING_CLUSTER", cluster);
    describe(JobVariables.allocation(job), setup.nodeName());
    set("JOB_START_TIME", JobVariables.start(job).getEpochSecond());
    var end = JobVariables.end(job);
    set("JOB_END_TIME", end == null ? null : end.getEpochSecond());
    if (job.workload() instanceof Workload.BatchSpec) {
      JobFiles files = JobFiles.of(job, setup.nodeName());
      set("JOB_STDIN", files.input());
      set("JOB_STDOUT", files.output());
      set("JOB_STDERR", files.messages());
    }
    if (job.array() instanceof ArrayPart.Task task) {
      set("ARRAY_JOB_ID", task.arrayJobId());
      set("ARRAY_TASK_ID", task.index());
    }
  }

  private void describe(@Nullable Allocation allocation, String node) {
    if (allocation == null) {
      return;
    }
    List<Integer> cpus = GroupedShares.numbers(allocation.shares(), NodeShare::cpus);
    set("JOB_PARTITION", allocation.partition());
    String nodes = HostList.compress(allocation.nodes());
    set("JOB_NODELIST", nodes);
    set("NODELIST", nodes);
    set("JOB_NUM_NODES", allocation.shares().size());
    set("JOB_CPUS_PER_NODE", RepeatedCounts.text(cpus));
    NodeShare own = allocation.shareOn(node);
    List<Integer> gpus = own == null ? List.of() : JobRecordReader.gpus(own);
    if (!gpus.isEmpty()) {
      String list = String.join(",", gpus.stream().map(String::valueOf).toList());
      set("JOB_GPUS", list);
      variables.put("CUDA_VISIBLE_DEVICES", list);
    }
  }

  private void set(String name, @Nullable Object value) {
    // A name or comment with a zero byte cannot be told to a program.
    if (value != null && value.toString().indexOf('\0') < 0) {
      variables.put("SLURM_" + name, value.toString());
    }
  }
}
