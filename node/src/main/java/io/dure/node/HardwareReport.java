package io.dure.node;

import io.dure.host.gpu.GpuDevice;
import io.dure.host.process.CpuTopology;
import io.dure.host.process.MachineHardware;
import io.dure.model.gres.GresShare;
import io.dure.node.cgroup.CoreToCpuMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code slurmd -C} and {@code -G} print: people paste the first into slurm.conf. Pure. */
final class HardwareReport {
  /** What Slurm makes of the letters of gpu. */
  private static final int GPU_ID = 7_696_487;

  private HardwareReport() {}

  /** The machine as a NodeName line, and how long it has been up. */
  static List<String> lines(MachineHardware machine, Duration uptime) {
    CpuTopology.Shape shape = machine.shape();
    String gres = machine.gres().isEmpty() ? "" : " Gres=" + String.join(",", machine.gres());
    String node =
        "NodeName="
            + machine.hostName()
            + " CPUs="
            + shape.cpus()
            + " Boards=1 SocketsPerBoard="
            + shape.sockets()
            + " CoresPerSocket="
            + shape.coresPerSocket()
            + " ThreadsPerCore="
            + shape.threadsPerCore()
            + " RealMemory="
            + machine.memoryMib()
            + gres;
    String time =
        two(uptime.toHoursPart())
            + ":"
            + two(uptime.toMinutesPart())
            + ":"
            + two(uptime.toSecondsPart());
    return List.of(node, "UpTime=" + uptime.toDaysPart() + "-" + time);
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }

  /** A line for each GPU that a driver tells of; without any one for each kind that was found. */
  static List<String> gres(MachineHardware machine, List<GpuDevice> gpus) {
    if (gpus.isEmpty()) {
      return machine.gres().stream().map(HardwareReport::gresLine).toList();
    }
    CoreToCpuMap cpus = CoreToCpuMap.of(machine.topology());
    List<String> lines = new ArrayList<>();
    for (GpuDevice gpu : gpus) {
      List<Integer> cores = DetectedGres.cores(gpu, cpus);
      String links = gpu.links().stream().map(String::valueOf).collect(Collectors.joining(","));
      lines.add(
          "slurmd: Gres Name=gpu Type="
              + gpu.type()
              + " Count=1 Index="
              + lines.size()
              + " ID="
              + GPU_ID
              + (gpu.files().isEmpty() ? "" : " File=" + String.join(",", gpu.files()))
              + (cores.isEmpty() ? "" : " Cores=" + GresShare.ranges(cores))
              + " CoreCnt="
              + cpus.machine().size()
              + (links.isEmpty() ? "" : " Links=" + links)
              + (gpu.files().isEmpty() ? " Flags=HAS_TYPE" : " Flags=HAS_FILE,HAS_TYPE"));
    }
    return lines;
  }

  private static String gresLine(String gres) {
    String[] parts = gres.split(":", 3);
    return parts.length == 3
        ? "slurmd: Gres Name=" + parts[0] + " Type=" + parts[1] + " Count=" + parts[2]
        : "slurmd: Gres Name=" + parts[0] + " Count=" + parts[parts.length - 1];
  }
}
