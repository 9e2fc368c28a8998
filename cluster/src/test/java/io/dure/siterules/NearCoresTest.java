package io.dure.siterules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.command.Command;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.NearCores;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeGpu;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cores near GPUs, where a node's drivers tell of them. */
@Tag("pure")
class NearCoresTest {
  private final TestCluster cluster =
      ClusterBuilder.of(1)
          .describe(" Gres=gpu:3")
          .set("GresTypes", "gpu")
          .gresConf("AutoDetect=nvml\nName=gpu File=/dev/x Cores=3\nName=gpu Count=2\n")
          .start();

  private void told(NearCores... cores) {
    cluster.message(
        "n1",
        new Command.RegisterNode(
            cluster
                .node("n1")
                .config()
                .asConfigured(cluster.now())
                .with()
                .nearCores(List.of(cores))
                .build(),
            List.of(),
            null));
  }

  private List<List<Integer>> cores() {
    return cluster.node("n1").config().resources().devices().stream()
        .map(GresDevice::cores)
        .toList();
  }

  @Test
  void theControllerLearnsThemWhereNoneAreConfigured() {
    assertEquals(List.of(List.of(3), List.of(), List.of()), cores());
    told(new NearCores(0, List.of(3)), new NearCores(1, List.of(0, 1)));
    assertEquals(List.of(List.of(3), List.of(0, 1), List.of()), cores());
    cluster.reconfigure(cluster.state().config());
    assertEquals(List.of(List.of(3), List.of(0, 1), List.of()), cores());
    told(new NearCores(1, List.of(2)));
    assertEquals(List.of(2), cores().get(1));
    told();
    assertEquals(List.of(), cores().get(1));
    cluster.checkReplay();
  }

  @Test
  void theRecordHasWhatTheLastRegistrationToldOfGpus() {
    NodeGpu gpu =
        new NodeGpu(
            "nvml",
            "nvidia_a100",
            "GPU-a",
            List.of("/dev/x"),
            40536,
            List.of(3),
            List.of(-1),
            List.of(new NodeGpu.Part("1g.5gb", "MIG-a")));
    NodeFacts facts = cluster.node("n1").config().asConfigured(cluster.now());
    cluster.message("n1", new Command.RegisterNode(facts.withGpus(List.of(gpu)), List.of(), null));
    assertEquals(List.of(gpu), Objects.requireNonNull(cluster.node("n1").facts()).gpus());
    cluster.reconfigure(cluster.state().config());
    assertEquals(List.of(gpu), Objects.requireNonNull(cluster.node("n1").facts()).gpus());
    cluster.checkReplay();
    cluster.message("n1", new Command.RegisterNode(facts, List.of(), null));
    assertEquals(List.of(), Objects.requireNonNull(cluster.node("n1").facts()).gpus());
  }
}
