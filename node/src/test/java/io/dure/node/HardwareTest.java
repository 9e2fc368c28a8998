package io.dure.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.CpuTopology;
import io.dure.host.process.CpuTopology.Cpu;
import io.dure.host.process.MachineHardware;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.node.cgroup.CoreToCpuMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the machine is, for people and for the nodes that share it. */
@Tag("pure")
class HardwareTest {
  /** Two sockets of four cores, two threads each: CPU n and n + 8 are one core. */
  private static CpuTopology topology() {
    List<Cpu> cpus = new ArrayList<>();
    for (int number = 0; number < 16; number++) {
      cpus.add(new Cpu(number, number % 4, number % 8 / 4));
    }
    return new CpuTopology(cpus);
  }

  @Test
  void lineToPasteIntoSlurmConf() {
    MachineHardware machine =
        new MachineHardware(
            "node7",
            topology(),
            31816,
            1000,
            List.of("gpu:h200:8"),
            "x86_64",
            "Linux",
            Instant.EPOCH);
    assertEquals(
        List.of(
            "NodeName=node7 CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 ThreadsPerCore=2"
                + " RealMemory=31816 Gres=gpu:h200:8",
            "UpTime=4-02:07:05"),
        HardwareReport.lines(
            machine, Duration.ofDays(4).plusHours(2).plusMinutes(7).plusSeconds(5)));
    assertEquals(
        List.of("slurmd: Gres Name=gpu Type=h200 Count=8"),
        HardwareReport.gres(machine, List.of()));
  }

  private static CoreToCpuMap map(String node, String... lines) {
    String conf = "ClusterName=c\nSlurmctldHost=h\n" + String.join("\n", lines) + "\n";
    ClusterConfig config = SlurmConfParser.parseAlone("/slurm.conf", conf).config();
    return NodeCoreAssignment.of(CoreToCpuMap.of(topology()), config.nodes(), config.node(node));
  }

  @Test
  void wholeMachine() {
    CoreToCpuMap map =
        map(
            "node7",
            "NodeName=node7 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2",
            "NodeName=other Sockets=8 CoresPerSocket=64");
    assertEquals(new TreeSet<>(List.of(0, 8)), new TreeSet<>(map.binding(List.of(0))));
    assertEquals(new TreeSet<>(List.of(4, 12)), new TreeSet<>(map.binding(List.of(4))));
  }

  @Test
  void nodesOfOneMachineHaveItsCoresInTurn() {
    String lines = "NodeName=n[1-2] NodeHostname=m Port=[7001-7002] Sockets=1 CoresPerSocket=4";
    assertEquals(new TreeSet<>(List.of(0, 8)), new TreeSet<>(map("n1", lines).binding(List.of(0))));
    assertEquals(
        new TreeSet<>(List.of(4, 12)), new TreeSet<>(map("n2", lines).binding(List.of(0))));
  }

  @Test
  void nodesThatClaimMoreThanThereIsAreNotBound() {
    String lines = "NodeName=n[1-3] NodeHostname=m Port=[7001-7003] Sockets=1 CoresPerSocket=4";
    for (String node : List.of("n1", "n2", "n3")) {
      assertTrue(map(node, lines).binding(List.of(0)).isEmpty(), node);
    }
  }
}
