package io.dure.e2e.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** GPUs from the configuration's files to what a job sees of them. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class GpusTest {
  private static final Await SOON = Await.seconds(30);
  private static final String TELL =
      "echo $CUDA_VISIBLE_DEVICES $SLURM_JOB_GPUS $SLURM_GPUS_ON_NODE $SLURM_GPUS_PER_NODE";

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(2, 2)
                .with("GresTypes", "gpu")
                .with("AccountingStorageTRES", "gres/gpu")
                // Without config_overrides a machine must have what the file says.
                .with("SlurmdParameters", "")
                .with("NodeName", "DEFAULT Gres=gpu:a100:2"));
    Path dir = cluster.dir();
    Files.writeString(
        cluster.confFile().resolveSibling("gres.conf"),
        """
        NodeName=n1 Name=gpu Type=a100 File=%1$s/gpu[0-1] Cores=0-1
        NodeName=n2 Name=gpu Type=a100 File=%1$s/gpu[0,7] Cores=0-1
        """
            .formatted(dir));
    Files.createFile(dir.resolve("gpu0"));
    Files.createFile(dir.resolve("gpu1"));
    Files.createFile(dir.resolve("gpu7"));
    cluster.startAll();
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void jobsSeeTheDevicesThatTheyHold() throws IOException {
    String wait = "until [ -e " + cluster.dir() + "/go ]; do sleep 0.1; done";
    int first =
        shell.submit("-w", "n1", "--gpus-per-node=1", "-o", "first", "--wrap", TELL + ";" + wait);
    cluster.await(first, "RUNNING");
    int second = shell.submit("-w", "n1", "--gres=gpu:a100:1", "-o", "second", "--wrap", TELL);
    cluster.await(second, "COMPLETED");
    assertEquals("1 1 1\n", shell.read("second"));
    SOON.until("the first has told", () -> !shell.read("first").isEmpty());
    assertEquals("0 0 1 1\n", shell.read("first"));
    String record = shell.run("scontrol", "-d", "show", "job", "" + first).ok();
    assertTrue(record.contains("GRES=gpu:a100:1(IDX:0)"), record);
    assertTrue(record.contains("AllocTRES=cpu=1,mem=10M,node=1,billing=1,gres/gpu=1"), record);
    assertEquals("gres/gpu:1", shell.run("squeue", "-h", "-j", "" + first, "-o", "%b").ok());
    int third = shell.submit("-w", "n1", "--gpus=2", "-N1", "-o", "third", "--wrap", TELL);
    SOON.until("the third waits", () -> cluster.job(third).get("Reason").equals("Resources"));
    Files.writeString(cluster.dir().resolve("go"), "");
    cluster.await(third, "COMPLETED");
    assertEquals("0,1 0,1 2\n", shell.read("third"));
  }

  @Test
  void stepsOfAJobHaveDifferentOnes() throws IOException {
    Path dir = cluster.dir();
    Path script = dir.resolve("steps.sh");
    Files.writeString(
        script,
        """
        tell='echo $SLURM_PROCID: $CUDA_VISIBLE_DEVICES $SLURM_STEP_GPUS $SLURM_GPUS_ON_NODE'
        srun -n1 --exact --gpus=1 bash -c 'touch up; until [ -e over ]; do sleep 0.1; done' &
        until [ -e up ]; do sleep 0.1; done
        srun -n1 --exact --gres=gpu:1 bash -c "$tell"
        scontrol -o show step $SLURM_JOB_ID.0 | grep -oE 'gres/gpu:a100=1|TresPerStep=.*'
        srun -n1 --exact --immediate --gres=gpu:2 true; echo $?
        touch over; wait
        srun -n2 --gpus-per-task=1 bash -c "$tell" | sort
        srun -n1 --gpu-bind=map_gpu:1 bash -c "$tell"
        srun -n1 --gres=none bash -c 'echo none:$CUDA_VISIBLE_DEVICES'
        srun -n1 --gres=gpu:3 true
        """);
    shell
        .shell("cd " + dir + "; salloc -Q -w n1 -n2 --gres=gpu:2 bash steps.sh >told 2>err")
        .fails(1);
    assertEquals(
        """
        0: 1 1 1
        gres/gpu:a100=1
        TresPerStep=gres/gpu:1
        1
        0: 0 0 2
        1: 1 1 2
        0: 1 1 2
        none:
        """,
        Files.readString(dir.resolve("told")));
    assertEquals(
        """
        srun: error: Unable to create step for job JOB: Requested nodes are busy
        srun: error: Step requested gres_per_node=gpu:3 is more than the job's gres_per_node=gpu:2
        srun: error: Unable to create step for job JOB: Invalid generic resource (gres) specification
        """,
        Files.readString(dir.resolve("err")).replaceAll("job [0-9]+", "job JOB"));
  }

  @Test
  void aNodeThatLacksADeviceIsDrained() throws IOException {
    Files.delete(cluster.dir().resolve("gpu7"));
    cluster.daemonOf("n2").stop();
    cluster.daemonOf("n2").start();
    SOON.until("n2 is drained", () -> cluster.node("n2").get("State").contains("DRAIN"));
    String reason = cluster.node("n2").get("Reason");
    assertTrue(reason.startsWith("gres/gpu count reported lower than configured (1 < 2)"), reason);
  }

  @Test
  void whatNobodyHasIsRefused() {
    shell
        .run("sbatch", "--gres=gpu:h100:1", "--wrap", "true")
        .fails(
            1,
            "sbatch: error: Batch job submission failed: Requested node configuration is not"
                + " available");
    shell
        .run("sbatch", "--gres=fpga:1", "--wrap", "true")
        .fails(1, "sbatch: error: Invalid generic resource (gres) specification");
  }
}
