package io.dure.node.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuMapTest {
  @TempDir Path sys;

  private void cpu(int id, int socket, int core) throws Exception {
    Path topology = Files.createDirectories(sys.resolve("cpu" + id).resolve("topology"));
    Files.writeString(topology.resolve("physical_package_id"), socket + "\n");
    Files.writeString(topology.resolve("core_id"), core + "\n");
  }

  private static List<Integer> cpus(CpuMap map, Integer... cores) {
    return new ArrayList<>(map.cpus(List.of(cores)));
  }

  @Test
  void coresAreCountedSocketBySocketWhateverTheIdsAre() throws Exception {
    // Two sockets of two cores with two threads, numbered as such machines are: threads last,
    // sockets alternating.
    for (int id = 0; id < 8; id++) {
      cpu(id, id % 2, id / 2 % 2);
    }
    Files.createDirectory(sys.resolve("cpufreq"));
    CpuMap map = CpuMap.read(sys, CpuMap.parseList("0-7"));
    assertEquals(4, map.claimedCores());
    assertEquals(List.of(0, 4), cpus(map, 0));
    assertEquals(List.of(2, 6), cpus(map, 1));
    assertEquals(List.of(1, 5), cpus(map, 2));
    assertEquals(List.of(0, 3, 4, 7), cpus(map, 0, 3));
    assertEquals(List.of(0, 4), new ArrayList<>(map.binding(List.of(0))));
  }

  @Test
  void onlyAllowedAndOnlineCpusCount() throws Exception {
    cpu(0, 0, 0);
    cpu(1, 0, 1);
    cpu(3, 0, 3);
    Files.createDirectories(sys.resolve("cpu2"));
    CpuMap map = CpuMap.read(sys, CpuMap.parseList("1-3"));
    assertEquals(List.of(List.of(1), List.of(3)), map.machine());
  }

  @Test
  void aMachineWithoutTopologyHasOneCoreForEachCpu() throws Exception {
    Files.createDirectories(sys.resolve("cpu0"));
    Files.createDirectories(sys.resolve("cpu1"));
    assertEquals(List.of(List.of(0), List.of(1)), CpuMap.read(sys, List.of(0, 1)).machine());
  }

  @Test
  void aShareOfTheMachineIsBoundAndAClaimBeyondItIsNot() {
    CpuMap machine = new CpuMap(List.of(List.of(0), List.of(1), List.of(2), List.of(3)), 0, 4);
    CpuMap half = machine.forNode(2, 2);
    assertFalse(half.isEmulated());
    assertEquals(List.of(2, 3), new ArrayList<>(half.binding(List.of(0, 1))));
    CpuMap claimed = machine.forNode(0, 64);
    assertTrue(claimed.isEmulated());
    assertEquals(List.of(1, 3), cpus(claimed, 5, 63));
    assertTrue(claimed.binding(List.of(5)).isEmpty());
  }

  @Test
  void thisMachineHasCores() throws Exception {
    CpuMap map = CpuMap.ofThisMachine();
    assertFalse(map.isEmulated());
    assertFalse(map.binding(List.of(0)).isEmpty());
  }

  @Test
  void listsReadAndWrite() {
    assertEquals("0-3,5,7-8", Confinement.cpuList(CpuMap.parseList("7,8,0-3,5")));
    assertEquals("", Confinement.cpuList(List.of()));
    assertEquals("0", Confinement.cpuList(List.of(0)));
  }
}
