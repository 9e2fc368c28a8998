package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class JobEnvironmentTest {
  /**
   * What a real Slurm 22.05 gave to the batch script of {@code sbatch -n3 --mem-per-cpu=100} on two
   * nodes.
   */
  private static final String TWO_NODES =
      """
      SLURMD_NODENAME=n1
      SLURM_CLUSTER_NAME=labreal
      SLURM_CONF=/etc/slurm/slurm.conf
      SLURM_CPUS_ON_NODE=2
      SLURM_GTIDS=0
      SLURM_JOBID=138
      SLURM_JOB_ACCOUNT=physics
      SLURM_JOB_CPUS_PER_NODE=2,1
      SLURM_JOB_GID=1001
      SLURM_JOB_ID=138
      SLURM_JOB_NAME=plainenv
      SLURM_JOB_NODELIST=n[1-2]
      SLURM_JOB_NUM_NODES=2
      SLURM_JOB_PARTITION=debug
      SLURM_JOB_QOS=normal
      SLURM_JOB_UID=1001
      SLURM_JOB_USER=alice
      SLURM_LOCALID=0
      SLURM_MEM_PER_CPU=100
      SLURM_NNODES=2
      SLURM_NODEID=0
      SLURM_NODELIST=n[1-2]
      SLURM_NPROCS=3
      SLURM_NTASKS=3
      SLURM_PRIO_PROCESS=0
      SLURM_PROCID=0
      SLURM_SUBMIT_DIR=/home/alice/cap
      SLURM_SUBMIT_HOST=vm
      SLURM_TASKS_PER_NODE=2,1
      SLURM_TASK_PID=
      SLURM_TOPOLOGY_ADDR=n1
      SLURM_TOPOLOGY_ADDR_PATTERN=node
      """;

  private static final JobIdentity IDENTITY =
      new JobIdentity(
          138,
          "plainenv",
          "labreal",
          "alice",
          1001,
          "alice",
          1001,
          "physics",
          "normal",
          "debug",
          null,
          null,
          null,
          null,
          Instant.ofEpochSecond(1_000_000),
          null,
          0,
          "/home/alice/cap",
          "vm",
          "/etc/slurm/slurm.conf");

  private static AllocatedResources shape(List<Integer> gpus) {
    return shape(gpus, GpuBinding.text(gpus));
  }

  private static AllocatedResources shape(List<Integer> gpus, String visible) {
    return new AllocatedResources(
        "n[1-2]",
        List.of(2, 1),
        List.of(2, 1),
        "n1",
        0,
        2,
        "n1",
        "node",
        gpus,
        visible,
        null,
        null,
        null,
        null);
  }

  private static RequestedResources asked(Integer tasks, Integer cpusPerTask, Long memoryPerCpu) {
    return new RequestedResources(
        tasks, null, cpusPerTask, null, null, memoryPerCpu, false, new LinkedHashMap<>());
  }

  private static SequencedMap<String, String> environment(
      RequestedResources asked, ArrayPlace array, Login login, Map<String, String> submitted) {
    return JobEnvironment.of(
        new JobEnvironmentFacts(
            IDENTITY,
            shape(List.of()),
            asked,
            array,
            login,
            new LinkedHashMap<>(submitted),
            new LinkedHashMap<>()));
  }

  @Test
  void theVariablesOfARealSlurmAreAllThereAndNoOthersButNewerOnes() {
    var ours = new TreeMap<>(environment(asked(3, null, 100L), null, null, Map.of()));
    // Newer than the release the sample is from.
    assertEquals("alice", ours.remove("SLURM_JOB_GROUP"));
    assertEquals("1000000", ours.remove("SLURM_JOB_START_TIME"));
    assertEquals("n1", ours.remove("HOSTNAME"));
    var lines = new StringBuilder();
    ours.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    assertEquals(TWO_NODES, lines.toString());
  }

  @Test
  void whatWasNotAskedForStaysUnset() {
    var ours = environment(asked(null, null, null), null, null, Map.of());
    for (String name :
        List.of(
            "NTASKS",
            "NPROCS",
            "CPUS_PER_TASK",
            "MEM_PER_CPU",
            "MEM_PER_NODE",
            "OVERCOMMIT",
            "ARRAY_TASK_ID",
            "JOB_END_TIME",
            "RESTART_COUNT",
            "JOB_RESERVATION")) {
      assertFalse(ours.containsKey("SLURM_" + name), name);
    }
    for (String name : List.of("MASTER_ADDR", "RANK", "WORLD_SIZE", "CUDA_VISIBLE_DEVICES")) {
      assertFalse(ours.containsKey(name), name);
    }
  }

  @Test
  void anArrayTaskKnowsItsPlace() {
    var ours = environment(asked(4, 2, null), new ArrayPlace(137, 3, 2, 4, 3, 1), null, Map.of());
    assertEquals("137", ours.get("SLURM_ARRAY_JOB_ID"));
    assertEquals("3", ours.get("SLURM_ARRAY_TASK_ID"));
    assertEquals("2", ours.get("SLURM_ARRAY_TASK_COUNT"));
    assertEquals("4", ours.get("SLURM_ARRAY_TASK_MAX"));
    assertEquals("3", ours.get("SLURM_ARRAY_TASK_MIN"));
    assertEquals("1", ours.get("SLURM_ARRAY_TASK_STEP"));
    assertEquals("2", ours.get("SLURM_CPUS_PER_TASK"));
    assertEquals("2", ours.get("SRUN_CPUS_PER_TASK"));
  }

  @Test
  void scriptsOfOtherManagersKnowTheirJob() {
    ArrayPlace place = new ArrayPlace(137, 3, 2, 4, 3, 1);
    var pbs =
        environment(asked(3, null, null), place, null, Map.of("PBS_ENVIRONMENT", "PBS_BATCH"));
    assertEquals("138", pbs.get("PBS_JOBID"));
    assertEquals("debug", pbs.get("PBS_QUEUE"));
    assertEquals("2", pbs.get("PBS_NUM_NODES"));
    assertEquals("3", pbs.get("PBS_NP"));
    assertEquals("3", pbs.get("PBS_ARRAYID"));
    assertFalse(pbs.containsKey("LSB_JOBID"));
    var lsf = environment(asked(3, null, null), place, null, Map.of("LSB_SUB_HOST", "vm"));
    assertEquals("137", lsf.get("LSB_JOBID"));
    assertEquals("3", lsf.get("LSB_JOBINDEX"));
    assertEquals("plainenv", lsf.get("LSB_JOBNAME"));
    assertFalse(lsf.containsKey("PBS_JOBID"));
  }

  @Test
  void theUsersEnvironmentTravelsWithoutSecretsAndWithLoginDefaults() {
    var ours =
        environment(
            asked(null, null, null),
            null,
            new Login("/home/alice", "/bin/bash", "/tmp"),
            Map.of(
                "SLURM_JWT",
                "secret",
                "MINE",
                "1",
                "HOME",
                "/elsewhere",
                "SLURM_HINT",
                "nomultithread"));
    assertFalse(ours.containsKey("SLURM_JWT"));
    assertEquals("1", ours.get("MINE"));
    assertEquals("/elsewhere", ours.get("HOME"));
    assertEquals("/bin/bash", ours.get("SHELL"));
    assertEquals("alice", ours.get("USER"));
    assertEquals("/tmp", ours.get("TMPDIR"));
    assertEquals("nomultithread", ours.get("SLURM_HINT"));
  }

  @Test
  void aJobSubmittedFromAJobDoesNotInheritTheOuterOnesShape() {
    var ours =
        environment(
            asked(null, null, null),
            null,
            null,
            Map.of(
                "SLURM_JOB_ID", "7",
                "SLURM_ARRAY_TASK_ID", "5",
                "SLURM_NTASKS", "64",
                "SLURM_MEM_PER_CPU", "100",
                "SLURM_STEP_ID", "0",
                "CUDA_VISIBLE_DEVICES", "3",
                "OMP_NUM_THREADS", "4"));
    assertEquals("138", ours.get("SLURM_JOB_ID"));
    assertEquals("4", ours.get("OMP_NUM_THREADS"));
    for (String name :
        List.of(
            "SLURM_ARRAY_TASK_ID",
            "SLURM_NTASKS",
            "SLURM_MEM_PER_CPU",
            "SLURM_STEP_ID",
            "CUDA_VISIBLE_DEVICES")) {
      assertFalse(ours.containsKey(name), name);
    }
  }

  private static SequencedMap<String, String> environment(AllocatedResources shape) {
    return JobEnvironment.of(
        new JobEnvironmentFacts(
            IDENTITY,
            shape,
            asked(1, null, null),
            null,
            null,
            new LinkedHashMap<>(),
            new LinkedHashMap<>()));
  }

  @Test
  void gpusAreNamedForEveryVendor() {
    var ours = environment(shape(List.of(0, 3)));
    assertEquals("0,3", ours.get("SLURM_JOB_GPUS"));
    assertEquals("2", ours.get("SLURM_GPUS_ON_NODE"));
    for (String name : JobEnvironment.VISIBLE) {
      assertEquals("0,3", ours.get(name), name);
    }
  }

  @Test
  void whereNoOthersCanBeOpenedDriversNumberThemFromZero() {
    var ours = environment(shape(List.of(1, 3), "0,1"));
    assertEquals("1,3", ours.get("SLURM_JOB_GPUS"));
    for (String name : JobEnvironment.VISIBLE) {
      assertEquals("0,1", ours.get(name), name);
    }
  }

  @Test
  void countsAreCompressed() {
    assertEquals("72(x2),36", RepeatedCounts.text(List.of(72, 72, 36)));
    assertEquals("2,1,2", RepeatedCounts.text(List.of(2, 1, 2)));
    assertEquals("", RepeatedCounts.text(List.of()));
  }
}
