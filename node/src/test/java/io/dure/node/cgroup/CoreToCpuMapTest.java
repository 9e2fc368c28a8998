package io.dure.node.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.CpuTopology;
import io.dure.host.process.MachineHardware;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class CoreToCpuMapTest {
  private static List<Integer> cpus(CoreToCpuMap map, Integer... cores) {
    return new ArrayList<>(map.cpus(List.of(cores)));
  }

  @Test
  void coresAreCountedSocketBySocketWhateverTheIdsAre() {
    // Two sockets of two cores with two threads, numbered as such machines are: threads last,
    // sockets alternating.
    List<CpuTopology.Cpu> ids = new ArrayList<>();
    for (int id = 0; id < 8; id++) {
      ids.add(new CpuTopology.Cpu(id, id / 2 % 2, id % 2));
    }
    CoreToCpuMap map = CoreToCpuMap.of(new CpuTopology(ids));
    assertEquals(4, map.claimedCores());
    assertEquals(List.of(0, 4), cpus(map, 0));
    assertEquals(List.of(2, 6), cpus(map, 1));
    assertEquals(List.of(1, 5), cpus(map, 2));
    assertEquals(List.of(0, 3, 4, 7), cpus(map, 0, 3));
    assertEquals(List.of(0, 4), new ArrayList<>(map.binding(List.of(0))));
  }

  @Test
  void inAnIrregularMachineEveryCpuIsACore() {
    var topology =
        new CpuTopology(
            List.of(
                new CpuTopology.Cpu(1, 0, 0),
                new CpuTopology.Cpu(2, 0, 0),
                new CpuTopology.Cpu(3, 1, 0)));
    CoreToCpuMap map = CoreToCpuMap.of(topology);
    assertEquals(List.of(List.of(1), List.of(2), List.of(3)), map.machine());
    assertEquals(topology.shape().cpus(), map.claimedCores());
  }

  @Test
  void aShareOfTheMachineIsBoundAndAClaimBeyondItIsNot() {
    CoreToCpuMap machine =
        new CoreToCpuMap(List.of(List.of(0), List.of(1), List.of(2), List.of(3)), 0, 4);
    CoreToCpuMap half = machine.forNode(2, 2);
    assertFalse(half.isEmulated());
    assertEquals(List.of(2, 3), new ArrayList<>(half.binding(List.of(0, 1))));
    CoreToCpuMap claimed = machine.forNode(0, 64);
    assertTrue(claimed.isEmulated());
    assertEquals(List.of(1, 3), cpus(claimed, 5, 63));
    assertTrue(claimed.binding(List.of(5)).isEmpty());
  }

  @Test
  void thisMachineHasCores() throws Exception {
    CoreToCpuMap map = CoreToCpuMap.of(MachineHardware.describe().topology());
    assertFalse(map.isEmulated());
    assertFalse(map.binding(List.of(0)).isEmpty());
  }

  @Test
  void listsReadAndWrite() {
    assertEquals("0-3,5,7-8", StepConfinement.cpuList(List.of(7, 8, 0, 1, 2, 3, 5)));
    assertEquals("", StepConfinement.cpuList(List.of()));
    assertEquals("0", StepConfinement.cpuList(List.of(0)));
  }
}
