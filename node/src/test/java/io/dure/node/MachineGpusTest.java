package io.dure.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.host.gpu.GpuDevice;
import io.dure.model.node.NodeGpu;
import io.dure.node.cgroup.CoreToCpuMap;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node tells of its GPUs. */
@Tag("pure")
class MachineGpusTest {
  private static final CoreToCpuMap TWO_CORES =
      new CoreToCpuMap(List.of(List.of(0), List.of(1)), 0, 2);

  @Test
  void driversNumberTheirOwnGpus() {
    MachineGpus gpus =
        new MachineGpus((_, _) ->
            List.of(
                new FakeGpuDriver("one").with("a", -1, 4).with("b", 4, -1),
                new FakeGpuDriver("two").cut("c", "1g.5gb", "p", "q").with("d", 0, -1)));
    List<NodeGpu> told = gpus.described("full", TWO_CORES);
    assertEquals(
        List.of(List.of(-1, 4, 0, 0), List.of(4, -1, 0, 0), List.of(), List.of(0, 0, 0, -1)),
        told.stream().map(NodeGpu::links).toList());
    assertEquals(List.of("one", "one", "two", "two"), told.stream().map(NodeGpu::driver).toList());
    assertEquals(
        List.of(new NodeGpu.Part("1g.5gb", "p"), new NodeGpu.Part("1g.5gb", "q")),
        told.get(2).parts());
    assertEquals(
        List.of("a", "b", "p", "q", "d"),
        gpus.devices("full").stream().map(GpuDevice::uuid).toList());
    assertEquals(List.of("5 GPU system device(s) detected"), gpus.remarks());
  }

  @Test
  void coresThatAreToldAreTheNodes() {
    GpuDevice gpu =
        new GpuDevice("Test", "", "a", "", List.of(), List.of(), List.of(), 0, List.of(1, 2, 3));
    assertEquals(List.of(1), DetectedGres.cores(gpu, TWO_CORES));
    CoreToCpuMap emulated = new CoreToCpuMap(List.of(List.of(0)), 0, 2);
    assertEquals(List.of(1, 2, 3), DetectedGres.cores(gpu, emulated));
  }
}
