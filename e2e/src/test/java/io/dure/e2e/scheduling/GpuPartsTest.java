package io.dure.e2e.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Parts of GPUs: shards, threads under MPS, and MIG instances that a driver finds. The GPUs are a
 * directory tree, and a library made of {@code gpu_tree.c} stands in for NVIDIA's.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class GpuPartsTest {
  private static final Await SOON = Await.seconds(30);
  private static final String TELL =
      "echo $CUDA_VISIBLE_DEVICES ${SLURM_STEP_GPUS:-none} ${SLURM_SHARDS_ON_NODE:-none}"
          + " ${CUDA_MPS_ACTIVE_THREAD_PERCENTAGE:-none}";

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() throws Exception {
    assumeFalse(Files.exists(Path.of("/proc/driver/nvidia")), "this machine has the driver");
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 8)
                .with("GresTypes", "gpu,mps,shard")
                .with("NodeName", "DEFAULT Gres=gpu:a100:1,gpu:1g.5gb:2,mps:100,shard:4"));
    Path dir = cluster.dir();
    Path gpu = Files.createFile(dir.resolve("gpu0"));
    Files.writeString(
        cluster.confFile().resolveSibling("gres.conf"),
        """
        AutoDetect=nvml
        Name=gpu Type=a100 File=%1$s
        Name=gpu Type=1g.5gb Count=2
        Name=shard Count=4 File=%1$s
        Name=mps Count=100 File=%1$s
        """
            .formatted(gpu));
    fact("name", "NVIDIA A100-SXM4-40GB");
    fact("uuid", "GPU-5e");
    fact("bus", "00000000:5E:00.0");
    for (int part = 0; part < 2; part++) {
      fact("mig/" + part + "/uuid", "MIG-" + part);
      fact("mig/" + part + "/slices", "1");
      fact("mig/" + part + "/memory", "4864");
    }
    String library = Files.createDirectory(dir.resolve("lib")).resolve("libnvidia-ml.so.1") + "";
    String source = "../host/src/test/c/gpu_tree.c";
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library, source).inheritIO().start();
    assertEquals(0, compiler.waitFor(), source);
    cluster
        .daemonOf("n1")
        .with("LD_LIBRARY_PATH", dir.resolve("lib").toString())
        .with("GPU_TREE", dir.resolve("tree").toString());
    cluster.startAll();
    shell = cluster.admin();
  }

  private static void fact(String name, String text) throws IOException {
    Path file = cluster.dir().resolve("tree/0").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String said(String... request) {
    String[] words = new String[request.length + 4];
    words[0] = "srun";
    System.arraycopy(request, 0, words, 1, request.length);
    words[request.length + 1] = "bash";
    words[request.length + 2] = "-c";
    words[request.length + 3] = TELL;
    return shell.run(words).ok();
  }

  @Test
  void migInstancesAreSeenByTheirNames() {
    assertEquals("MIG-0,MIG-1 1,2 none none", said("-n1", "--gres=gpu:1g.5gb:2"));
    assertEquals("MIG-0 1 none none", said("-n1", "--gres=gpu:1g.5gb:1"));
    assertEquals("0 0 none none", said("-n1", "--gres=gpu:a100:1"));
    assertEquals("0 none none 25", said("-n1", "--gres=mps:25"));
  }

  @Test
  void theNodeTellsOfItsGpus() {
    String gpu =
        "GPU=0 Driver=nvml Type=nvidia_a100-sxm4-40gb UUID=GPU-5e Links=-1"
            + " MIG=1g.5gb:MIG-0,1g.5gb:MIG-1 Health=ok";
    SOON.until(
        "the node tells of " + gpu,
        () -> shell.run("scontrol", "show", "node", "-d", "n1").ok().contains(gpu));
  }

  @Test
  void stepsShareTheShardsOfTheirJob() throws IOException {
    Path dir = cluster.dir();
    Files.writeString(
        dir.resolve("shards.sh"),
        """
        tell='%s'
        srun -n1 --exact --gres=shard:2 bash -c "$tell; touch up; until [ -e over ]; do sleep 0.1; done" &
        until [ -e up ]; do sleep 0.1; done
        srun -n1 --exact --gres=shard:1 bash -c "$tell"
        srun -n1 --exact --immediate --gres=shard:2 true; echo $?
        srun -n1 --gres=shard:4 true; echo $?
        sbatch -Q -n1 --gres=shard:2 --wrap true
        until squeue -h -n wrap -o %%r | grep -q Resources; do sleep 0.1; done
        touch over; wait
        """
            .formatted(TELL));
    shell.shell("cd " + dir + "; salloc -Q -n3 --gres=shard:3 bash shards.sh >told 2>err").ok();
    assertEquals(
        """
        0 none 2 none
        0 none 1 none
        1
        1
        """,
        Files.readString(dir.resolve("told")));
    assertEquals(
        """
        srun: error: Unable to create step for job JOB: Requested nodes are busy
        srun: error: Step requested gres_per_node=shard:4 is more than the job's gres_per_node=shard:3
        srun: error: Unable to create step for job JOB: Invalid generic resource (gres) specification
        """,
        Files.readString(dir.resolve("err")).replaceAll("job [0-9]+", "job JOB"));
    SOON.until("the batch job is over", () -> shell.run("squeue", "-h").ok().isEmpty());
  }
}
