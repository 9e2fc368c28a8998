package io.dure.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory tree that stands in for GPUs. */
@Tag("pure")
class FileTreeDriverTest {
  @TempDir private Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private List<GpuDriver> opened(String mode, List<String> log) {
    return GpuDetection.open(root, mode, log::add);
  }

  private List<String> found(String mode) throws IOException {
    List<String> uuids = new ArrayList<>();
    for (GpuDriver driver : opened(mode, new ArrayList<>())) {
      driver.devices().forEach(gpu -> uuids.add(gpu.uuid()));
    }
    return uuids;
  }

  @Test
  void tellsWhatTheFilesSay() throws IOException {
    file("2/type", "NVIDIA H100 80GB HBM3");
    file("2/uuid", "GPU-two");
    file("2/file", "/dev/nvidia2\n/dev/nvidia-own");
    file("2/memory", "81559");
    file("2/cores", "0-3,8");
    file("2/links", "-1, 4");
    file("10/mig/0/profile", "1g.5gb");
    file("10/mig/0/uuid", "MIG-a");
    file("10/mig/1/profile", "3g.20gb");
    GpuDriver driver = new FileTreeDriver(root, "full");
    String ten = root.resolve("10").toString();
    GpuDevice whole =
        new GpuDevice("stand-in", "", "10", "", List.of(ten), List.of(), List.of(), 0, List.of());
    assertEquals(
        List.of(
            GpuCard.uncut(
                new GpuDevice(
                    "NVIDIA H100 80GB HBM3",
                    "",
                    "GPU-two",
                    "",
                    List.of("/dev/nvidia2", "/dev/nvidia-own"),
                    List.of(),
                    List.of(-1, 4),
                    81559,
                    List.of(0, 1, 2, 3, 8))),
            new GpuCard(
                whole, true, List.of(part(ten, "1g.5gb", "MIG-a"), part(ten, "3g.20gb", "1")))),
        driver.cards());
    assertEquals(
        List.of("GPU-two", "MIG-a", "1"), driver.devices().stream().map(GpuDevice::uuid).toList());
    assertEquals("files", driver.name());
  }

  private static GpuDevice part(String folder, String profile, String uuid) {
    return new GpuDevice(
        "stand-in", profile, uuid, "", List.of(folder), List.of(), List.of(), 0, List.of());
  }

  @Test
  void healthIsReadAtEachLook() throws IOException {
    file("0/uuid", "GPU-0");
    GpuDriver driver = new FileTreeDriver(root, "nvml");
    assertEquals(List.of(), driver.faults());
    file("0/health", "XID 79");
    GpuFault fault = driver.faults().getFirst();
    assertEquals("GPU GPU-0: XID 79", fault.sentence());
    assertEquals("GPU-0", fault.uuid());
    file("0/health", "OK");
    assertEquals(List.of(), driver.faults());
  }

  @Test
  void autoDetectSaysWhoseGpusAreFound() throws IOException {
    file("0/vendor", "NVIDIA");
    file("1/vendor", "amd");
    file("2/vendor", "intel");
    file("3/uuid", "anyone's");
    assertEquals(List.of("0", "anyone's"), found("nvml"));
    assertEquals(List.of("0", "anyone's"), found("nvidia"));
    assertEquals(List.of("1", "anyone's"), found("rsmi"));
    assertEquals(List.of("2", "anyone's"), found("oneapi"));
    assertEquals(List.of("0", "1", "2", "anyone's"), found("full"));
    assertEquals(List.of(), found(""));
    assertEquals(List.of(), found("off"));
  }

  @Test
  void saysThatNoGpuIsReal() {
    List<String> log = new ArrayList<>();
    assertEquals(1, opened("full", log).size());
    assertEquals(
        List.of(
            "GPUs are told of by files in "
                + root
                + ", which stand in for GPUs: no real device is behind them"),
        log);
  }

  @Test
  void saysWhatIsWrongWithItsFiles() throws IOException {
    file("0/links", "-1,two");
    refused("/0/links: -1,two are no numbers of links such as -1,2,0");
    file("0/links", "-1");
    file("0/cores", "all");
    refused("/0/cores: all are no cores such as 0-3,8");
    root = root.resolve("nowhere");
    refused(" is no directory");
  }

  private void refused(String end) {
    GpuDriver driver = new FileTreeDriver(root, "full");
    IOException refusal = assertThrows(IOException.class, driver::cards);
    assertEquals(root + end, refusal.getMessage());
  }
}
