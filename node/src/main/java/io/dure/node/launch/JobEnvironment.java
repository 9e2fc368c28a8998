package io.dure.node.launch;

import io.dure.model.RepeatedCounts;
import io.dure.node.binding.GpuBinding;
import io.dure.node.launch.JobEnvironmentFacts.AllocatedResources;
import io.dure.node.launch.JobEnvironmentFacts.ArrayPlace;
import io.dure.node.launch.JobEnvironmentFacts.JobIdentity;
import io.dure.node.launch.JobEnvironmentFacts.Login;
import io.dure.node.launch.JobEnvironmentFacts.RequestedResources;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a batch script, "OUTPUT ENVIRONMENT VARIABLES" of sbatch(1), with the old
 * names that programs still read. Pure.
 *
 * <p>Variables that Slurm sets only if the user asked for something must stay unset otherwise: srun
 * reads them as its options. MASTER_ADDR, RANK and WORLD_SIZE are never set: launchers tell by
 * their absence that they are to choose.
 */
public final class JobEnvironment {
  /**
   * Set only if asked for, after SLURM_; in an environment brought from inside a job they are that
   * job's.
   */
  private static final Set<String> ASKED_NAMES =
      new TreeSet<>(
          List.of(
              "NTASKS",
              "NPROCS",
              "NTASKS_PER_NODE",
              "NTASKS_PER_CORE",
              "NTASKS_PER_SOCKET",
              "NTASKS_PER_GPU",
              "CPUS_PER_TASK",
              "CPUS_PER_GPU",
              "MEM_PER_NODE",
              "MEM_PER_CPU",
              "MEM_PER_GPU",
              "GPUS",
              "GPUS_PER_NODE",
              "GPUS_PER_SOCKET",
              "GPUS_PER_TASK",
              "GPU_BIND",
              "GPU_FREQ",
              "THREADS_PER_CORE",
              "TRES_PER_TASK",
              "DISTRIBUTION",
              "HINT",
              "OVERCOMMIT",
              "EXPORT_ENV",
              "NETWORK",
              "PROFILE"));

  /** Told of each component of a heterogeneous job, beside what was asked for; after SLURM_. */
  private static final Set<String> OF_COMPONENT =
      new TreeSet<>(
          List.of(
              "JOB_ID",
              "JOB_NAME",
              "JOB_ACCOUNT",
              "JOB_QOS",
              "JOB_PARTITION",
              "JOB_RESERVATION",
              "JOB_NODELIST",
              "JOB_NUM_NODES",
              "JOB_CPUS_PER_NODE",
              "TASKS_PER_NODE"));

  /** Beginnings of names that belong to one job or step alone. */
  private static final List<String> OWN_PREFIXES =
      List.of(
          "SLURM_JOB",
          "SLURM_STEP",
          "SLURM_ARRAY_",
          "SLURM_TASK",
          "SLURM_TOPOLOGY_",
          "SLURM_HET_",
          "SLURM_PACK_",
          "SLURM_CPU_BIND",
          "SLURM_MEM_BIND",
          "SLURM_GPUS_ON_",
          "SLURM_SHARDS_ON_",
          "SLURMD_");

  private static final Set<String> OWN_NAMES =
      new TreeSet<>(
          List.of(
              "SLURM_NODELIST",
              "SLURM_NNODES",
              "SLURM_CPUS_ON_NODE",
              "SLURM_PROCID",
              "SLURM_LOCALID",
              "SLURM_NODEID",
              "SLURM_GTIDS",
              "SLURM_PRIO_PROCESS",
              "SLURM_RESTART_COUNT",
              "SLURM_LAUNCH_NODE_IPADDR",
              "SLURM_SRUN_COMM_HOST",
              "SLURM_SRUN_COMM_PORT",
              "SLURM_UMASK",
              "SLURM_NODE_ALIASES",
              "SRUN_CPUS_PER_TASK"));

  /** What drivers read of the GPUs that a program may see. */
  public static final List<String> VISIBLE =
      List.of(
          "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ZE_AFFINITY_MASK");

  private static final String MPS_PERCENT = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";

  /** The GPUs of the job it was submitted from. */
  private static final List<String> DEVICES =
      Stream.concat(VISIBLE.stream(), Stream.of(MPS_PERCENT)).toList();

  /** What the environment of {@code srun} may say of those of a job or of another step. */
  private static final List<String> DEVICES_OF_STEP =
      List.of("SLURM_GPUS_ON_NODE", "SLURM_SHARDS_ON_NODE", "SLURM_STEP_GPUS");

  private final SequencedMap<String, String> variables = new LinkedHashMap<>();

  private JobEnvironment() {}

  /**
   * The whole environment for the facts; SLURM_TASK_PID is left empty for the shepherd to fill in.
   */
  public static SequencedMap<String, String> of(JobEnvironmentFacts facts) {
    JobEnvironment environment = new JobEnvironment();
    environment.takeOver(facts.submitted());
    environment.addIdentity(facts.identity());
    environment.addShape(facts.shape());
    environment.addDevices(facts.shape(), "JOB_GPUS");
    environment.addAsked(facts.asked());
    environment.addArray(facts.array());
    facts.het().forEach(environment::set);
    environment.addBatchTask(facts.shape().node(), facts.submitted().get("SLURM_PRIO_PROCESS"));
    environment.addLogin(facts.login(), facts.identity().user());
    environment.addForeign(facts);
    return environment.variables;
  }

  /**
   * The environment that all tasks of a numbered step on a node have in common: what {@code srun}
   * had, and over it what is true of job and step. The shepherd adds what differs for each task.
   */
  public static SequencedMap<String, String> ofStep(
      JobEnvironmentFacts facts, StepEnvironmentFacts step) {
    JobEnvironment environment = new JobEnvironment();
    facts.submitted().forEach(environment.variables::put);
    environment.addIdentity(facts.identity());
    String name = facts.submitted().get("SLURM_JOB_NAME");
    environment.set("JOB_NAME", name); // in a job srun may call its step otherwise
    if (step.ofDevices()) {
      DEVICES.forEach(environment.variables::remove);
      DEVICES_OF_STEP.forEach(environment.variables::remove);
    }
    environment.addShape(facts.shape());
    environment.addDevices(facts.shape(), "STEP_GPUS");
    environment.addArray(facts.array());
    environment.addStep(step);
    Login login = facts.login();
    if (login != null) {
      environment.variables.putIfAbsent("TMPDIR", login.temporary());
    }
    return environment.variables;
  }

  private void addStep(StepEnvironmentFacts step) {
    set("STEP_ID", step.id());
    set("STEPID", step.id());
    set("STEP_NODELIST", step.nodeList());
    set("STEP_NUM_NODES", step.tasksPerNode().size());
    set("STEP_NUM_TASKS", step.tasksHere());
    set("STEP_TASKS_PER_NODE", RepeatedCounts.text(step.tasksPerNode()));
    set("NNODES", step.tasksPerNode().size());
    set("CPUS_ON_NODE", step.cpusOnNode());
    set("NTASKS", step.tasks());
    set("NPROCS", step.tasks());
    set("TASKS_PER_NODE", RepeatedCounts.text(step.tasksPerNode()));
    set("CPUS_PER_TASK", step.cpusPerTask() == 0 ? null : step.cpusPerTask());
    set("NODEID", step.nodeIndex());
    set("GTIDS", step.ranks().stream().map(String::valueOf).collect(Collectors.joining(",")));
    set("SRUN_COMM_HOST", step.launchHost());
    set("TASK_PID", "");
    variables.put("SLURMD_NODENAME", step.node());
  }

  /**
   * What the user brought. Outside a job, SLURM_ variables are the user's wish for srun and stay;
   * inside one they describe that job and would lie about this one.
   */
  private void takeOver(SequencedMap<String, String> submitted) {
    boolean insideJob =
        submitted.containsKey("SLURM_JOB_ID") || submitted.containsKey("SLURM_JOBID");
    for (Map.Entry<String, String> variable : submitted.entrySet()) {
      String name = variable.getKey();
      boolean describesAJob = isAsked(name) || DEVICES.contains(name);
      boolean ofOuterJob = isOwn(name) || (insideJob && describesAJob);
      if (!ofOuterJob && !name.equals("SLURM_JWT")) {
        variables.put(name, variable.getValue());
      }
    }
  }

  /** Whether a variable, by its name after SLURM_, says something of a component. */
  public static boolean isOfComponent(String name) {
    return ASKED_NAMES.contains(name) || OF_COMPONENT.contains(name);
  }

  private static boolean isOwn(String name) {
    boolean ofComponent = name.contains("_HET_GROUP_") || name.contains("_PACK_GROUP_");
    return ofComponent
        || OWN_NAMES.contains(name)
        || OWN_PREFIXES.stream().anyMatch(name::startsWith);
  }

  private static boolean isAsked(String name) {
    return name.startsWith("SLURM_") && ASKED_NAMES.contains(name.substring("SLURM_".length()));
  }

  private void addIdentity(JobIdentity job) {
    set("JOB_ID", job.jobId());
    set("JOBID", job.jobId());
    set("JOB_NAME", job.jobName());
    set("JOB_USER", job.user());
    set("JOB_UID", Integer.toUnsignedString(job.uid()));
    set("JOB_GROUP", job.group());
    set("JOB_GID", Integer.toUnsignedString(job.gid()));
    set("JOB_ACCOUNT", job.account());
    set("JOB_QOS", job.qos());
    set("JOB_PARTITION", job.partition());
    set("JOB_RESERVATION", job.reservation());
    set("JOB_LICENSES", job.licenses());
    set("JOB_DEPENDENCY", job.dependency());
    set("JOB_SLUID", job.sluid());
    set("JOB_START_TIME", job.start().getEpochSecond());
    Instant end = job.end();
    set("JOB_END_TIME", end == null ? null : end.getEpochSecond());
    set("RESTART_COUNT", job.restarts() == 0 ? null : job.restarts());
    set("CLUSTER_NAME", job.cluster());
    set("CONF", job.slurmConf());
    set("SUBMIT_DIR", job.submitDirectory());
    set("SUBMIT_HOST", job.submitHost());
  }

  private void addShape(AllocatedResources shape) {
    set("JOB_NODELIST", shape.nodeList());
    set("NODELIST", shape.nodeList());
    set("JOB_NUM_NODES", shape.cpusPerNode().size());
    set("NNODES", shape.cpusPerNode().size());
    set("JOB_CPUS_PER_NODE", RepeatedCounts.text(shape.cpusPerNode()));
    set("TASKS_PER_NODE", RepeatedCounts.text(shape.tasksPerNode()));
    set("CPUS_ON_NODE", shape.cpusOnNode());
    set("NODEID", shape.nodeIndex());
    set("TOPOLOGY_ADDR", shape.topologyAddress());
    set("TOPOLOGY_ADDR_PATTERN", shape.topologyPattern());
    set("JOB_OVERSUBSCRIBE", shape.oversubscribe());
    set("JOB_EXCLUSIVE", shape.exclusive());
  }

  /** The devices of a job or a step, with the name after SLURM_ that lists them. */
  private void addDevices(AllocatedResources shape, String listed) {
    if (!shape.gpus().isEmpty()) {
      String list = GpuBinding.text(shape.gpus());
      String visible = shape.visible();
      boolean whole = shape.shards() == null && shape.mpsPercent() == null;
      set(listed, whole ? list : null);
      set("GPUS_ON_NODE", whole ? shape.gpus().size() : null);
      set("SHARDS_ON_NODE", shape.shards());
      VISIBLE.forEach(name -> variables.put(name, visible));
      if (shape.mpsPercent() != null) {
        variables.put(MPS_PERCENT, shape.mpsPercent().toString());
      }
    }
  }

  private void addAsked(RequestedResources asked) {
    asked.others().forEach(this::set);
    set("NTASKS", asked.tasks());
    set("NPROCS", asked.tasks());
    set("NTASKS_PER_NODE", asked.tasksPerNode());
    set("CPUS_PER_TASK", asked.cpusPerTask());
    set("THREADS_PER_CORE", asked.threadsPerCore());
    set("MEM_PER_NODE", asked.memoryPerNodeMib());
    set("MEM_PER_CPU", asked.memoryPerCpuMib());
    set("OVERCOMMIT", asked.overcommit() ? 1 : null);
    if (asked.cpusPerTask() != null) {
      // From 22.05 to 23.02 srun read only this one, and scripts got used to it.
      variables.put("SRUN_CPUS_PER_TASK", asked.cpusPerTask().toString());
    }
  }

  /** What scripts of other workload managers read, of jobs that their commands submitted. */
  private void addForeign(JobEnvironmentFacts facts) {
    JobIdentity job = facts.identity();
    AllocatedResources shape = facts.shape();
    ArrayPlace array = facts.array();
    int cpus = shape.cpusPerNode().stream().mapToInt(Integer::intValue).sum();
    if (facts.submitted().containsKey("PBS_ENVIRONMENT")) {
      variables.put("PBS_JOBID", String.valueOf(job.jobId()));
      variables.put("PBS_QUEUE", job.partition());
      variables.put("PBS_NUM_NODES", String.valueOf(shape.cpusPerNode().size()));
      variables.put("PBS_NP", String.valueOf(cpus));
      if (array != null) {
        variables.put("PBS_ARRAYID", String.valueOf(array.taskId()));
        variables.put("PBS_ARRAY_INDEX", String.valueOf(array.taskId()));
      }
    }
    if (facts.submitted().containsKey("LSB_SUB_HOST")) {
      long id = array == null ? job.jobId() : array.arrayJobId();
      variables.put("LSB_JOBID", String.valueOf(id));
      variables.put("LSB_JOBINDEX", String.valueOf(array == null ? 0 : array.taskId()));
      variables.put("LSB_JOBNAME", job.jobName());
      variables.put("LSB_QUEUE", job.partition());
      variables.put("LSB_DJOB_NUMPROC", String.valueOf(cpus));
    }
  }

  private void addArray(@Nullable ArrayPlace array) {
    if (array != null) {
      set("ARRAY_JOB_ID", array.arrayJobId());
      set("ARRAY_TASK_ID", array.taskId());
      set("ARRAY_TASK_COUNT", array.taskCount());
      set("ARRAY_TASK_MAX", array.taskMax());
      set("ARRAY_TASK_MIN", array.taskMin());
      set("ARRAY_TASK_STEP", array.taskStep());
    }
  }

  /** The batch shell counts as task 0 of 1. */
  private void addBatchTask(String node, @Nullable String nice) {
    set("PROCID", 0);
    set("LOCALID", 0);
    set("GTIDS", 0);
    set("PRIO_PROCESS", nice == null ? "0" : nice);
    set("TASK_PID", "");
    variables.put("SLURMD_NODENAME", node);
    variables.put("HOSTNAME", node);
  }

  private void addLogin(@Nullable Login login, String user) {
    if (login != null) {
      variables.putIfAbsent("HOME", login.home());
      variables.putIfAbsent("SHELL", login.shell());
      variables.putIfAbsent("USER", user);
      variables.putIfAbsent("LOGNAME", user);
      variables.putIfAbsent("TMPDIR", login.temporary());
    }
  }

  private void set(String name, @Nullable Object value) {
    if (value != null) {
      variables.put("SLURM_" + name, value.toString());
    }
  }
}
