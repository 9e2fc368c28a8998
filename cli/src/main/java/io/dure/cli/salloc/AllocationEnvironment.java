package io.dure.cli.salloc;

import io.dure.model.HostList;
import io.dure.model.RepeatedCounts;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.model.request.AskedVariables;
import io.dure.model.request.MemoryRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What the command that {@code salloc} runs finds in its environment. */
final class AllocationEnvironment {
  private AllocationEnvironment() {}

  /** What a job of several components tells of each, by its place; and by an older name. */
  private static final Set<String> OF_COMPONENT =
      Set.of(
          "SLURM_JOB_ID",
          "SLURM_JOB_NAME",
          "SLURM_JOB_ACCOUNT",
          "SLURM_JOB_QOS",
          "SLURM_JOB_PARTITION",
          "SLURM_JOB_RESERVATION",
          "SLURM_JOB_NODELIST",
          "SLURM_JOB_NUM_NODES",
          "SLURM_JOB_CPUS_PER_NODE",
          "SLURM_TASKS_PER_NODE",
          "SLURM_NTASKS",
          "SLURM_NPROCS",
          "SLURM_CPUS_PER_TASK",
          "SLURM_MEM_PER_NODE",
          "SLURM_MEM_PER_CPU",
          "SLURM_MEM_PER_GPU");

  /** What only some jobs have, so that a job around this one could seem to tell of it. */
  private static final List<String> OF_SOME =
      List.of("SLURM_JOB_RESERVATION", "SLURM_JOB_LICENSES", "SLURM_JOB_END_TIME");

  /** The caller's variables with those of the job, or of its components, over them. */
  static List<String> of(Map<String, String> caller, List<Job> jobs) {
    Map<String, String> all = new LinkedHashMap<>(caller);
    OF_SOME.forEach(all::remove);
    all.putAll(ofJob(jobs.getFirst()));
    if (jobs.size() > 1) {
      components(all, jobs);
    }
    List<String> lines = new ArrayList<>(all.size());
    all.forEach((name, value) -> lines.add(name + "=" + value));
    return lines;
  }

  private static void components(Map<String, String> all, List<Job> jobs) {
    int tasks = 0;
    boolean counted = false;
    put(all, "SLURM_HET_SIZE", jobs.size());
    for (int i = 0; i < jobs.size(); i++) {
      String place = Integer.toString(i);
      Map<String, String> own = ofJob(jobs.get(i));
      own.forEach((name, value) -> {
        if (OF_COMPONENT.contains(name)) {
          all.put(name + "_HET_GROUP_" + place, value);
          all.put(name + "_PACK_GROUP_" + place, value);
        }
      });
      put(all, "SLURM_NNODES_HET_GROUP_" + place, own.getOrDefault("SLURM_NNODES", "1"));
      tasks += jobs.get(i).spec().resources().tasks();
      counted |= own.containsKey("SLURM_NTASKS");
    }
    all.remove("SLURM_JOB_NUM_NODES");
    all.remove("SLURM_TASKS_PER_NODE");
    if (counted) {
      put(all, "SLURM_NTASKS", tasks);
      put(all, "SLURM_NPROCS", tasks);
    }
  }

  private static Map<String, String> ofJob(Job job) {
    Allocation allocation = Objects.requireNonNull(job.state().allocated(), "it runs");
    Map<String, String> all = new LinkedHashMap<>();
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
    if (asked.stream().anyMatch(name -> name.startsWith("mem"))) {
      memory(all, job.spec().resources().memory());
    }
    if (job.spec().resources().threadsPerCore() != null) {
      put(all, "SLURM_THREADS_PER_CORE", job.spec().resources().threadsPerCore());
    }
    JobVariables.of(job).forEach((name, value) -> put(all, "SLURM_" + name, value));
    AskedVariables.of(job.spec()).forEach((name, value) -> put(all, "SLURM_" + name, value));
    return all;
  }

  private static void memory(Map<String, String> all, MemoryRequest memory) {
    switch (memory) {
      case MemoryRequest.PerNode(long mib) -> put(all, "SLURM_MEM_PER_NODE", mib);
      case MemoryRequest.PerCpu(long mib) -> put(all, "SLURM_MEM_PER_CPU", mib);
      case MemoryRequest.PerGpu(long mib) -> put(all, "SLURM_MEM_PER_GPU", mib);
      case MemoryRequest.Default _ -> {}
    }
  }

  private static void put(Map<String, String> all, String name, Object value) {
    all.put(name, value.toString());
  }
}
