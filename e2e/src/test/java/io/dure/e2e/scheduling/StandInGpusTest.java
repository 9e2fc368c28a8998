package io.dure.e2e.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node whose GPUs are files, as an operator tries a configuration. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class StandInGpusTest {
  private static final Await SOON = Await.seconds(60);

  @Test
  void filesAreGpusToTheWholeCluster() throws Exception {
    try (Cluster cluster =
        Cluster.prepare(
            Conf.nodes(1, 4)
                .with("GresTypes", "gpu")
                .with("NodeName", "DEFAULT Gres=gpu:a100:2"))) {
      Path tree = cluster.dir().resolve("gpus");
      for (int gpu = 0; gpu < 2; gpu++) {
        Path folder = Files.createDirectories(tree.resolve("" + gpu));
        Files.writeString(folder.resolve("type"), "NVIDIA A100\n");
        Files.writeString(folder.resolve("uuid"), "GPU-" + gpu + "\n");
        Files.writeString(folder.resolve("cores"), gpu == 0 ? "0-1\n" : "2-3\n");
        Files.writeString(folder.resolve("links"), gpu == 0 ? "-1,12\n" : "12,-1\n");
      }
      Files.writeString(cluster.confFile().resolveSibling("gres.conf"), "AutoDetect=full\n");
      cluster.daemonOf("n1").with("DURE_GPU_TREE", tree.toString());
      cluster.startAll();
      Session shell = cluster.admin();
      Files.writeString(tree.resolve("1/health"), "a fan rattles\n");
      // What else would be seen within a minute is seen at a start.
      cluster.daemonOf("n1").stop();
      cluster.daemonOf("n1").start();
      SOON.until("the node is drained", () -> shown(shell).contains("Reason=GPU GPU-1: a fan"));
      String well = "GPU=0 Driver=files Type=nvidia_a100 UUID=GPU-0 File=" + tree.resolve("0");
      String ill = "GPU=1 Driver=files Type=nvidia_a100 UUID=GPU-1 File=" + tree.resolve("1");
      SOON.until("its health is told", () -> shown(shell).contains("Health=a fan rattles"));
      String all = shown(shell);
      assertTrue(all.contains(ill + " Cores=2-3 Links=12,-1 Health=a fan rattles"), all);
      assertTrue(all.contains(well + " Cores=0-1 Links=-1,12 Health=ok"), all);
      assertTrue(all.contains("Gres=gpu:a100:2"), all);
      shell.run("scontrol", "update", "NodeName=n1", "State=RESUME").ok();
      assertEquals(
          "1 GPU 0",
          shell
              .run(
                  "srun",
                  "-n1",
                  "--gres=gpu:a100:1",
                  "bash",
                  "-c",
                  "echo 1 GPU $CUDA_VISIBLE_DEVICES")
              .ok());
    }
  }

  private static String shown(Session shell) {
    return shell.run("scontrol", "show", "node", "-d", "n1").ok();
  }
}
