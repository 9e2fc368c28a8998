package io.dure.cli.salloc;

import io.dure.model.HostList;
import io.dure.model.RepeatedCounts;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the command that {@code salloc} runs finds in its environment. */
final class AllocationEnvironment {
  private AllocationEnvironment() {}

  /** The caller's variables with those of the job over them. */
  static List<String> of(Map<String, String> caller, Job job, Allocation allocation) {
    Map<String, String> all = new LinkedHashMap<>(caller);
    List<Integer> cpus = new ArrayList<>();
    List<Integer> tasks = new ArrayList<>();
    for (NodeShare share : allocation.shares()) {
      cpus.add(share.cpus());
      tasks.add(share.tasks());
    }
    String nodes = HostList.compress(allocation.nodes());
    put(all, "SLURM_JOB_ID", job.id());
    put(all, "SLURM_JOBID", job.id());
    put(all, "SLURM_JOB_NAME", job.spec().name());
    put(all, "SLURM_JOB_PARTITION", allocation.partition());
    put(all, "SLURM_JOB_NODELIST", nodes);
    put(all, "SLURM_NODELIST", nodes);
    put(all, "SLURM_JOB_NUM_NODES", allocation.shares().size());
    put(all, "SLURM_NNODES", allocation.shares().size());
    put(all, "SLURM_JOB_CPUS_PER_NODE", RepeatedCounts.text(cpus));
    put(all, "SLURM_TASKS_PER_NODE", RepeatedCounts.text(tasks));
    put(all, "SLURM_SUBMIT_DIR", job.workload().workDirectory());
    put(all, "SLURM_SUBMIT_HOST", job.workload().submitHost());
    if (job.spec().account() != null) {
      put(all, "SLURM_JOB_ACCOUNT", job.spec().account());
    }
    if (job.spec().qos() != null) {
      put(all, "SLURM_JOB_QOS", job.spec().qos());
    }
    List<String> asked = job.spec().asked();
    Integer perNode = job.spec().resources().tasksPerNode();
    if (perNode != null) {
      put(all, "SLURM_NTASKS_PER_NODE", perNode);
    }
    if (asked.contains("ntasks") || asked.contains("ntasks-per-node")) {
      put(all, "SLURM_NTASKS", job.spec().resources().tasks());
      put(all, "SLURM_NPROCS", job.spec().resources().tasks());
    }
    if (asked.contains("cpus-per-task")) {
      put(all, "SLURM_CPUS_PER_TASK", job.spec().resources().cpusPerTask());
    }
    List<String> lines = new ArrayList<>(all.size());
    all.forEach((name, value) -> lines.add(name + "=" + value));
    return lines;
  }

  private static void put(Map<String, String> all, String name, Object value) {
    all.put(name, value.toString());
  }
}
