package io.dure.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers of GPUs on machines made of files; NVIDIA's library is stood in for. */
@Tag("process")
class GpuDriversTest {
  @TempDir private Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  @Test
  void nvmlTellsOfGpusAndTheirParts() throws Exception {
    Path library = GpuTree.library(Files.createDirectory(root.resolve("lib")));
    GpuTree tree = new GpuTree(root.resolve("tree"));
    for (int i = 0; i < 2; i++) {
      tree.with(
          i,
          "name=NVIDIA H100 80GB HBM3",
          "uuid=GPU-" + i,
          "minor=" + (3 - i),
          "bus=00000000:" + (i + 1) + "B:00.0",
          "cpus=" + (i == 0 ? "f" : "f00000000"),
          "memory=81559",
          "links=" + (1 - i) + " " + (1 - i));
    }
    tree.with(
        2,
        "name=NVIDIA A100-SXM4-40GB",
        "uuid=GPU-2",
        "minor=5",
        "bus=00000000:5E:00.0",
        "mig/0/uuid=MIG-a",
        "mig/0/gi=7",
        "mig/0/ci=0",
        "mig/0/slices=1",
        "mig/0/memory=4864",
        "mig/2/uuid=MIG-b",
        "mig/2/gi=1",
        "mig/2/ci=0",
        "mig/2/slices=3",
        "mig/2/memory=20096");
    migMinors();
    List<String> said = tree.ask(library, "devices");
    assertEquals("NVML, driver that is a directory tree, no GPU is real", said.getFirst());
    List<GpuDevice> expected =
        List.of(
            new GpuDevice(
                "NVIDIA H100 80GB HBM3",
                "",
                "GPU-0",
                "0000:1b:00.0",
                List.of("/dev/nvidia3"),
                List.of(0, 1, 2, 3),
                List.of(-1, 2, 0),
                81559),
            new GpuDevice(
                "NVIDIA H100 80GB HBM3",
                "",
                "GPU-1",
                "0000:2b:00.0",
                List.of("/dev/nvidia2"),
                List.of(32, 33, 34, 35),
                List.of(2, -1, 0),
                81559),
            part("1g.5gb", "MIG-a", 66, 4864),
            part("3g.20gb", "MIG-b", 12, 20096));
    assertEquals(expected.stream().map(GpuDevice::toString).toList(), said.subList(1, said.size()));
    assertEquals("nvidia_a100-sxm4-40gb_1g.5gb", expected.get(2).type());
    assertTrue(expected.getFirst().isOf("H100"));
    assertFalse(expected.getFirst().isOf("a100"));
  }

  private void migMinors() throws IOException {
    Path minors = root.resolve("tree/driver/nvidia-caps/mig-minors");
    Files.createDirectories(minors.getParent());
    Files.writeString(
        minors,
        """
        config 1
        gpu5/gi1/access 12
        gpu5/gi1/ci0/access 13
        gpu5/gi7/access 66
        gpu5/gi7/ci0/access 67
        """);
  }

  private static GpuDevice part(String profile, String uuid, int cap, long memory) {
    return new GpuDevice(
        "NVIDIA A100-SXM4-40GB",
        profile,
        uuid,
        "0000:5e:00.0",
        List.of(
            "/dev/nvidia5",
            "/dev/nvidia-caps/nvidia-cap" + cap,
            "/dev/nvidia-caps/nvidia-cap" + (cap + 1)),
        List.of(),
        List.of(),
        memory);
  }

  @Test
  void nvmlTellsOfFaults() throws Exception {
    Path library = GpuTree.library(Files.createDirectory(root.resolve("lib")));
    GpuTree tree = new GpuTree(root.resolve("tree"));
    String bus = "bus=00000000:1B:00.0";
    tree.with(0, "uuid=GPU-0", bus, "ecc=0", "rows=1 0 0 0", "xid=31");
    tree.with(1, "uuid=GPU-1", bus, "ecc=2", "rows=0 1 1 0");
    tree.with(2, "uuid=GPU-2", bus, "rows=0 1 1 1", "xid=79");
    tree.with(3, "lost=1");
    List<String> said = tree.ask(library, "faults");
    assertEquals(
        List.of(
            "GPU 3: is lost: nvmlDeviceGetHandleByIndex_v2: GPU is lost",
            "GPU GPU-1 (0000:1b:00.0): a memory row is to be remapped, it must be reset",
            "GPU GPU-1 (0000:1b:00.0): 2 uncorrected memory errors since its reset",
            "GPU GPU-2 (0000:1b:00.0): a memory row could not be remapped, it must be replaced",
            "GPU GPU-2 (0000:1b:00.0): XID 79"),
        said.subList(1, said.size()));
  }

  @Test
  void nvmlTellsOfProcesses() throws Exception {
    Path library = GpuTree.library(Files.createDirectory(root.resolve("lib")));
    GpuTree tree = new GpuTree(root.resolve("tree"));
    tree.with(0, "processes=70 512 40\n71 1024 0").with(1, "processes=70 256 90");
    tree.with(2, "uuid=idle");
    List<String> said = tree.ask(library, "processes");
    assertEquals(
        List.of(
            "GpuProcess[pid=70, percent=0, memoryBytes=536870912]",
            "GpuProcess[pid=71, percent=0, memoryBytes=1073741824]",
            "GpuProcess[pid=70, percent=40, memoryBytes=0]",
            "GpuProcess[pid=71, percent=0, memoryBytes=0]",
            "GpuProcess[pid=70, percent=0, memoryBytes=268435456]",
            "GpuProcess[pid=70, percent=90, memoryBytes=0]"),
        said.subList(1, said.size()));
  }

  @Test
  void withoutADriverNvmlSaysSo() {
    assumeFalse(Files.exists(Path.of("/proc/driver/nvidia")), "this machine has the driver");
    IOException refusal = assertThrows(IOException.class, () -> new NvmlDriver(root, root).close());
    assertTrue(String.valueOf(refusal.getMessage()).contains("libnvidia-ml.so.1"));
  }

  @Test
  void nvidiaTellsWithoutItsLibrary() throws Exception {
    file(
        "proc/driver/nvidia/gpus/0000:1b:00.0/information",
        "Model: \t\t NVIDIA L40S\nIRQ:   \t\t 142\nGPU UUID: \t GPU-77\nDevice Minor: \t 0");
    file("sys/bus/pci/devices/0000:1b:00.0/local_cpulist", "0-1,64-65");
    try (GpuDriver driver =
        new NvidiaProcDriver(root.resolve("proc"), root.resolve("sys"), Path.of("/dev"))) {
      assertEquals(
          List.of(
              new GpuDevice(
                  "NVIDIA L40S",
                  "",
                  "GPU-77",
                  "0000:1b:00.0",
                  List.of("/dev/nvidia0"),
                  List.of(0, 1, 64, 65),
                  List.of(),
                  0)),
          driver.devices());
    }
  }

  @Test
  void amdAndIntelAreSeenThroughTheKernel() throws Exception {
    String amd = "sys/devices/pci0/0000:c1:00.0/";
    file(amd + "vendor", "0x1002");
    file(amd + "product_name", "AMD Instinct MI300X OAM");
    file(amd + "unique_id", "0x6b2a");
    file(amd + "local_cpulist", "0-3");
    file(amd + "mem_info_vram_total", "206141652992");
    file(amd + "ras/umc_err_count", "ue: 3\nce: 0");
    file(amd + "drm/card1/x", "");
    String intel = "sys/devices/pci0/0000:d1:00.0/";
    file(intel + "vendor", "0x8086");
    file(intel + "class", "0x038000");
    file(intel + "device", "0x0bd5");
    String screen = "sys/devices/pci0/0000:00:02.0/";
    file(screen + "vendor", "0x8086");
    file(screen + "class", "0x030000");
    int number = 128;
    for (String device : List.of(amd, intel, screen)) {
      Path render = root.resolve("sys/class/drm/renderD" + number++);
      Files.createDirectories(render);
      Files.createSymbolicLink(render.resolve("device"), root.resolve(device));
    }
    try (GpuDriver driver = new DrmDriver("0x1002", root.resolve("sys"), Path.of("/dev"))) {
      assertEquals(
          List.of(
              new GpuDevice(
                  "AMD Instinct MI300X OAM",
                  "",
                  "0x6b2a",
                  "0000:c1:00.0",
                  List.of("/dev/dri/renderD128", "/dev/dri/card1"),
                  List.of(0, 1, 2, 3),
                  List.of(),
                  196592)),
          driver.devices());
      assertEquals(
          List.of("GPU 0000:c1:00.0: 3 uncorrected memory errors"),
          driver.faults().stream().map(GpuFault::sentence).toList());
      assertEquals("0x6b2a", driver.faults().getFirst().uuid());
      assertTrue(driver.tellsFaults());
    }
    try (GpuDriver driver = new DrmDriver("0x8086", root.resolve("sys"), Path.of("/dev"))) {
      assertEquals(
          List.of("intel_0x0bd5"), driver.devices().stream().map(GpuDevice::type).toList());
      assertEquals(List.of(), driver.faults());
      assertFalse(driver.tellsFaults());
    }
  }
}
