package io.dure.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.process.ProgramHangsException;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The driver that reads what {@code nvidia-smi} prints. A script stands in for the program: it
 * prints the documented formats, says so as its driver's version, and refuses any other question.
 */
@Tag("process")
class NvidiaSmiDriverTest {
  private static final Path FREEZER = Path.of("/sys/fs/cgroup/freezer");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Await SOON = Await.seconds(30);
  private static final String NO_GPU = "550.54 of a script, no GPU is real";
  private static final String LIST =
      """
      GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-a100)
        MIG 3g.20gb     Device  0: (UUID: MIG-b)
        MIG 1c.1g.5gb   Device  1: (UUID: MIG-a)
      GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-h100)
      """;
  private static final String LONG =
      """
      ==============NVSMI LOG==============

      Timestamp                                 : Sat Nov 28 20:00:00 2026
      Attached GPUs                             : 2
      GPU 00000000:5E:00.0
          Product Name                          : NVIDIA A100-SXM4-40GB
          MIG Mode
              Current                           : Enabled
              Pending                           : Enabled
          MIG Device
              Index                             : 0
              GPU Instance ID                   : 1
              Compute Instance ID               : 0
              Device Attributes
                  Shared
                      Multiprocessor count      : 42
              FB Memory Usage
                  Total                         : 20096 MiB
                  Used                          : 12 MiB
              BAR1 Memory Usage
                  Total                         : 32767 MiB
          MIG Device
              Index                             : 1
              GPU Instance ID                   : 7
              Compute Instance ID               : 0
              FB Memory Usage
                  Total                         : 4864 MiB
          GPU UUID                              : GPU-a100
          FB Memory Usage
              Total                             : 40960 MiB
          Processes
              GPU instance ID                   : 9
      """;

  @TempDir private Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** The program; what it answers lies in files beside it. */
  private Path program(String gpus, String health, int healthCode, String rows) throws IOException {
    file("smi/gpus", gpus);
    file("smi/health", health);
    file("smi/rows", rows);
    file("smi/list", LIST);
    file("smi/long", LONG);
    file(
        "smi/nvidia-smi",
        """
        #!/bin/sh
        cd %s || exit 1
        test -e hold && echo . >> held && . ./hold
        unitless=--format=csv,noheader,nounits
        remapped=uncorrectable,remapped_rows.pending,remapped_rows.failure
        case "$*" in
        '--query-gpu=driver_version --format=csv,noheader') printf '%s\\n' ;;
        "--query-gpu=name,uuid,pci.bus_id,memory.total $unitless") cat gpus ;;
        "--query-gpu=uuid,pci.bus_id,ecc.errors.uncorrected.volatile.total $unitless")
          cat health; exit %d ;;
        "--query-remapped-rows=gpu_uuid,remapped_rows.$remapped $unitless")
          cat rows; test -s rows ;;
        -L) cat list ;;
        -q) cat long ;;
        "--query-compute-apps=pid,used_gpu_memory $unitless")
          printf '70, 512\\n71, [N/A]\\n70, 256\\n' ;;
        'pmon -c 1 -s u')
          test -e no-pmon && exit 3
          echo '# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command'
          echo '# Idx           #    C/G      %%      %%      %%      %%      %%      %%    name'
          echo '    0          70     C     40     12      -      -      -      -    python3'
          echo '    0          71     C      -      -      -      -      -      -    idle'
          echo '    1          70     C     90     55      -      -      -      -    python3'
          echo '    2           -     -      -      -      -      -      -      -    -' ;;
        *) exit 2 ;;
        esac
        """
            .formatted(root.resolve("smi"), NO_GPU, healthCode));
    Path program = root.resolve("smi/nvidia-smi");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return program;
  }

  private GpuDriver driver(Path program) throws IOException {
    return new NvidiaSmiDriver(
        program.toString(), root.resolve("proc"), root.resolve("sys"), Path.of("/dev"), PATIENCE);
  }

  @Test
  void tellsOfGpusAndTheirParts() throws Exception {
    file("proc/driver/nvidia/gpus/0000:5e:00.0/information", "Model: A100\nDevice Minor: \t 5\n");
    file("proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: H100\nDevice Minor: \t 0\n");
    file("sys/bus/pci/devices/0000:1b:00.0/local_cpulist", "0-1,64-65\n");
    file(
        "proc/driver/nvidia-caps/mig-minors",
        "gpu5/gi1/access 12\ngpu5/gi1/ci0/access 13\ngpu5/gi7/access 66\ngpu5/gi7/ci0/access 67\n");
    Path program =
        program(
            """
            NVIDIA A100-SXM4-40GB, GPU-a100, 00000000:5E:00.0, 40960
            NVIDIA H100 80GB HBM3, GPU-h100, 00000000:1B:00.0, 81559
            """,
            "",
            0,
            "");
    try (GpuDriver driver = driver(program)) {
      assertEquals(program + ", driver " + NO_GPU, driver.description());
      assertEquals(
          List.of(
              part("3g.20gb", "MIG-b", 12, 20096),
              part("1c.1g.5gb", "MIG-a", 66, 4864),
              new GpuDevice(
                  "NVIDIA H100 80GB HBM3",
                  "",
                  "GPU-h100",
                  "0000:1b:00.0",
                  List.of("/dev/nvidia0"),
                  List.of(0, 1, 64, 65),
                  List.of(),
                  81559)),
          driver.devices());
    }
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
  void tellsOfFaults() throws Exception {
    String health =
        """
        GPU-0, 00000000:1B:00.0, 0
        GPU-1, 00000000:2B:00.0, 2
        GPU-2, 00000000:3B:00.0, [N/A]
        """;
    String rows =
        """
        GPU-0, 1, No, No
        GPU-1, 1, 1, 0
        GPU-2, 1, Yes, Yes
        """;
    try (GpuDriver driver = driver(program("", health, 0, rows))) {
      assertEquals(
          List.of(
              "GPU GPU-1 (0000:2b:00.0): a memory row is to be remapped, it must be reset",
              "GPU GPU-1 (0000:2b:00.0): 2 uncorrected memory errors since its reset",
              "GPU GPU-2 (0000:3b:00.0): a memory row could not be remapped, it must be replaced"),
          sentences(driver));
    }
    try (GpuDriver driver = driver(program("", health, 0, ""))) {
      assertEquals(
          List.of("GPU GPU-1 (0000:2b:00.0): 2 uncorrected memory errors since its reset"),
          sentences(driver));
    }
  }

  private static List<String> sentences(GpuDriver driver) throws IOException {
    return driver.faults().stream().map(GpuFault::sentence).toList();
  }

  @Test
  void tellsOfProcesses() throws Exception {
    try (GpuDriver driver = driver(program("", "", 0, ""))) {
      assertEquals(
          List.of(
              new GpuProcess(70, 0, 512L << 20),
              new GpuProcess(71, 0, 0),
              new GpuProcess(70, 0, 256L << 20),
              new GpuProcess(70, 40, 0),
              new GpuProcess(71, 0, 0),
              new GpuProcess(70, 90, 0)),
          driver.processes());
    }
  }

  @Test
  void tellsOfTheirMemoryWhereItCannotTellOfTheirUse() throws Exception {
    Path program = program("", "", 0, "");
    file("smi/no-pmon", "");
    try (GpuDriver driver = driver(program)) {
      assertEquals(
          List.of(
              new GpuProcess(70, 0, 512L << 20),
              new GpuProcess(71, 0, 0),
              new GpuProcess(70, 0, 256L << 20)),
          driver.processes());
    }
  }

  /** A frozen process is, as one that waits for a driver is, not ended by SIGKILL. */
  @Test
  void aProgramThatHangsIsNotStartedAgain() throws Exception {
    assumeTrue(Files.isWritable(FREEZER), "this needs root, and control groups v1");
    Path ice = Files.createDirectory(FREEZER.resolve("dure-" + ProcessHandle.current().pid()));
    Path program = program("", "", 0, "");
    try (GpuDriver driver =
        new NvidiaSmiDriver(
            program.toString(), root, root, Path.of("/dev"), Duration.ofSeconds(2))) {
      file(
          "smi/hold",
          "echo $$ > %s/cgroup.procs; echo FROZEN > %s/freezer.state".formatted(ice, ice));
      ProgramHangsException first = assertThrows(ProgramHangsException.class, driver::faults);
      assertTrue(first.process().isAlive());
      assertSame(first, assertThrows(ProgramHangsException.class, driver::processes));
      assertEquals(".\n", Files.readString(root.resolve("smi/held")));
      Files.delete(root.resolve("smi/hold"));
      Files.writeString(ice.resolve("freezer.state"), "THAWED");
      SOON.until("it ends", () -> !first.process().isAlive());
      assertEquals(List.of(), driver.faults());
    } finally {
      Files.writeString(ice.resolve("freezer.state"), "THAWED");
      SOON.until("it is empty", () -> Files.readString(ice.resolve("cgroup.procs")).isEmpty());
      Files.delete(ice);
    }
  }

  @Test
  void saysWhatTheProgramsStatusMeans() throws Exception {
    try (GpuDriver driver = driver(program("", "GPU is lost.\n", 15, ""))) {
      assertEquals(
          List.of("a GPU has fallen off the bus or cannot be reached otherwise"),
          sentences(driver));
    }
    Path program = program("", "", 9, "");
    try (GpuDriver driver = driver(program)) {
      IOException refusal = assertThrows(IOException.class, driver::faults);
      assertEquals(program + " ends with status 9", refusal.getMessage());
    }
    assertThrows(IOException.class, () -> driver(root.resolve("nowhere")));
  }
}
