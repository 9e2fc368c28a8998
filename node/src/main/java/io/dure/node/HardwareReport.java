package io.dure.node;

import io.dure.host.process.CpuTopology;
import io.dure.host.process.MachineHardware;
import java.time.Duration;
import java.util.List;

/** What {@code slurmd -C} and {@code -G} print: people paste the first into slurm.conf. Pure. */
final class HardwareReport {
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

  /** One line for each kind of generic resource found. */
  static List<String> gres(MachineHardware machine) {
    return machine.gres().stream().map(HardwareReport::gresLine).toList();
  }

  private static String gresLine(String gres) {
    String[] parts = gres.split(":", 3);
    return parts.length == 3
        ? "slurmd: Gres Name=" + parts[0] + " Type=" + parts[1] + " Count=" + parts[2]
        : "slurmd: Gres Name=" + parts[0] + " Count=" + parts[parts.length - 1];
  }
}
