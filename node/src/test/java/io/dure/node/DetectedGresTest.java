package io.dure.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.gpu.GpuDevice;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.NodeGres;
import io.dure.node.cgroup.CoreToCpuMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is configured of a node's GPUs, with what drivers tell of them. */
@Tag("pure")
class DetectedGresTest {
  /** Four cores of two threads. */
  private static final CoreToCpuMap CPUS =
      new CoreToCpuMap(List.of(List.of(0, 4), List.of(1, 5), List.of(2, 6), List.of(3, 7)), 0, 4);

  private static GpuDevice gpu(String product, String profile, int minor, Integer... cpus) {
    return new GpuDevice(
        product, profile, "u", "b", List.of("/dev/nvidia" + minor), List.of(cpus), List.of(), 0);
  }

  private static GresDevice plain(String type, int index) {
    return new GresDevice("gpu", type, index, List.of(), "");
  }

  private static NodeGres configured(GresDevice... devices) {
    return new NodeGres(List.of(devices), List.of(), "nvml");
  }

  @Test
  void devicesGetTheFilesAndCoresOfGpusOfTheirType() {
    NodeGres all =
        DetectedGres.complete(
            configured(plain("a100", 0), plain("h100", 1), plain("1g.5gb", 2)),
            List.of(
                gpu("NVIDIA H100 80GB HBM3", "", 0, 0, 1, 4, 5),
                gpu("NVIDIA A100-SXM4-40GB", "1g.5gb", 1),
                gpu("NVIDIA A100-SXM4-40GB", "", 2, 2, 6)),
            CPUS);
    assertEquals(
        List.of(
            new GresDevice("gpu", "a100", 0, List.of(2), "/dev/nvidia2"),
            new GresDevice("gpu", "h100", 1, List.of(0, 1), "/dev/nvidia0"),
            new GresDevice("gpu", "1g.5gb", 2, List.of(), "/dev/nvidia1", "u")),
        all.devices());
    assertEquals("nvml", all.autoDetect());
  }

  @Test
  void whatIsConfiguredStands() {
    GresDevice own = new GresDevice("gpu", null, 0, List.of(3), "/dev/nvidia1");
    NodeGres all =
        DetectedGres.complete(
            configured(own, plain(null, 1), plain(null, 2)),
            List.of(gpu("NVIDIA L4", "", 1, 0), gpu("NVIDIA L4", "", 7, 0, 1, 2, 3)),
            CPUS);
    assertEquals(
        List.of(own, new GresDevice("gpu", null, 1, List.of(), "/dev/nvidia7"), plain(null, 2)),
        all.devices());
  }

  @Test
  void gresConfSaysWhichDriversAreAsked(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("slurm.conf"),
        """
        ClusterName=c
        SlurmctldHost=h
        GresTypes=gpu
        NodeName=n[1-3] Gres=gpu:a100:2
        PartitionName=p Nodes=ALL
        """);
    Files.writeString(
        folder.resolve("gres.conf"),
        "NodeName=n2 AutoDetect=off\nAutoDetect=NVML\nNodeName=n3 AutoDetect=rsmi\n");
    ClusterConfig config =
        SlurmConfParser.parse(folder.resolve("slurm.conf").toString(), new LocalConfigSource())
            .config();
    List<String> modes = new ArrayList<>();
    config.nodes().forEach(node -> modes.add(node.resources().autoDetect()));
    assertEquals(List.of("nvml", "", "rsmi"), modes);
  }
}
