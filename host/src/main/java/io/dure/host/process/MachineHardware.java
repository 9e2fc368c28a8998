package io.dure.host.process;

import io.dure.host.storage.FreeSpace;
import io.dure.model.config.SlurmdParameters.SocketKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What a node consists of, as far as this process may use it: a container or an affinity mask makes
 * a machine smaller.
 *
 * @param hostName name of the host up to its first dot
 * @param topology the usable CPUs
 * @param memoryMib usable memory in MiB
 * @param tmpDiskMib size of the file system of {@code /tmp} in MiB
 * @param gres generic resources found, such as {@code gpu:h200:8}
 * @param architecture such as x86_64 or aarch64
 * @param operatingSystem such as {@code Linux 6.1.0 #1 SMP ...}
 * @param bootTime when the machine was booted, to the second
 */
public record MachineHardware(
    String hostName,
    CpuTopology topology,
    long memoryMib,
    long tmpDiskMib,
    List<String> gres,
    String architecture,
    String operatingSystem,
    Instant bootTime) {
  private static final List<String> GPU_QUERY =
      List.of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader");

  /** Keeps its own copy. */
  public MachineHardware {
    gres = List.copyOf(gres);
  }

  /**
   * Looks at this machine; asks the GPU driver, which may take some seconds. Any thread may call.
   *
   * @throws IOException if {@code /proc} cannot be read
   */
  public static MachineHardware describe() throws IOException {
    return describe(
        ProcFs.ofThisMachine(),
        Path.of("/sys/devices/system/cpu"),
        Path.of("/sys/fs/cgroup"),
        GpuDetector.find(GPU_QUERY, Path.of("/dev")));
  }

  /** The same from other roots. */
  static MachineHardware describe(ProcFs proc, Path sysCpu, Path cgroups, List<String> gres)
      throws IOException {
    CgroupLimits limits = CgroupLimits.read(proc, cgroups);
    CpuTopology topology = topology(proc, sysCpu, limits, SocketKind.PACKAGE);
    return new MachineHardware(
        proc.shortHostName(),
        topology,
        Math.min(proc.memory().totalMib(), limits.memoryMib()),
        FreeSpace.of(Path.of("/tmp")).totalMib(),
        gres,
        architecture(proc),
        proc.operatingSystem(),
        proc.bootTime());
  }

  /**
   * This machine where another kind of parts counts as sockets.
   *
   * @throws IOException if {@code /proc} cannot be read
   */
  public MachineHardware withSockets(SocketKind kind) throws IOException {
    ProcFs proc = ProcFs.ofThisMachine();
    return kind == SocketKind.PACKAGE
        ? this
        : withSockets(kind, proc, Path.of("/sys/devices/system/cpu"), Path.of("/sys/fs/cgroup"));
  }

  /** The same from other roots. */
  MachineHardware withSockets(SocketKind kind, ProcFs proc, Path sysCpu, Path cgroups)
      throws IOException {
    return new MachineHardware(
        hostName,
        topology(proc, sysCpu, CgroupLimits.read(proc, cgroups), kind),
        memoryMib,
        tmpDiskMib,
        gres,
        architecture,
        operatingSystem,
        bootTime);
  }

  private static CpuTopology topology(
      ProcFs proc, Path sysCpu, CgroupLimits limits, SocketKind kind) throws IOException {
    CpuTopology topology = CpuTopology.read(sysCpu, allowedCpus(proc), kind);
    return limits.cpus() < topology.cpus().size()
        ? topology.first((int) Math.round(limits.cpus()))
        : topology;
  }

  /** Sockets, cores per socket, threads per core. */
  public CpuTopology.Shape shape() {
    return topology.shape();
  }

  private static List<Integer> allowedCpus(ProcFs proc) throws IOException {
    String field = "Cpus_allowed_list:";
    for (String line : proc.read("self/status").lines().toList()) {
      if (line.startsWith(field)) {
        List<Integer> allowed = CpuTopology.parseList(line.substring(field.length()));
        if (!allowed.isEmpty()) {
          return allowed;
        }
      }
    }
    throw new IOException("cannot determine which CPUs this process may use");
  }

  private static String architecture(ProcFs proc) throws IOException {
    // Present from Linux 6.1 on.
    if (Files.exists(proc.path("sys/kernel/arch"))) {
      return proc.read("sys/kernel/arch").strip();
    }
    String java = System.getProperty("os.arch", "unknown").toLowerCase(Locale.ROOT);
    return java.equals("amd64") ? "x86_64" : java;
  }
}
