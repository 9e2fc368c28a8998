package io.dure.node.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.NodeGres;
import io.dure.node.cgroup.DeviceNumber;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices of this machine that every Linux has, as if they were GPUs. */
@Tag("pure")
class StepDevicesTest {
  private static final DeviceNumber NULL = new DeviceNumber(false, 1, 3);
  private static final DeviceNumber ZERO = new DeviceNumber(false, 1, 5);
  private static final DeviceNumber FULL = new DeviceNumber(false, 1, 7);
  private static final DeviceNumber RANDOM = new DeviceNumber(false, 1, 8);

  /** The second GPU has two files, the third and the card need one in common. */
  private static final NodeGres NODE =
      new NodeGres(
          List.of(
              device("gpu", 0, "/dev/null"),
              device("gpu", 1, "/dev/zero,/dev/not-there"),
              device("gpu", 2, "/dev/full,/dev/random"),
              device("card", 0, "/dev/random"),
              device("card", 1, "")),
          List.of());

  private static GresDevice device(String name, int index, String file) {
    return new GresDevice(name, null, index, List.of(), file);
  }

  private static List<DeviceNumber> refused(GresShare... held) throws IOException {
    return List.copyOf(StepDevices.refused(NODE, List.of(held)));
  }

  @Test
  void aStepIsRefusedTheDevicesThatItDoesNotHold() throws IOException {
    assertEquals(List.of(NULL, ZERO, FULL, RANDOM), refused());
    assertEquals(List.of(ZERO, FULL, RANDOM), refused(new GresShare("gpu", null, List.of(0), 1)));
    assertEquals(List.of(), refused(new GresShare("gpu", "a100", List.of(0, 1, 2), 3)));
    assertEquals(
        List.of(NULL, ZERO, FULL, RANDOM), refused(new GresShare("card", null, List.of(1), 1)));
  }

  @Test
  void whatSeveralDevicesNeedIsOpenToEachOfThem() throws IOException {
    assertEquals(List.of(NULL, ZERO), refused(new GresShare("gpu", null, List.of(2), 1)));
    assertEquals(List.of(NULL, ZERO, FULL), refused(new GresShare("card", null, List.of(0), 1)));
  }

  @Test
  void aPartOfAGpuOpensIt() throws IOException {
    for (String part : List.of("shard", "mps")) {
      assertEquals(
          List.of(NULL, FULL, RANDOM), refused(new GresShare(part, null, List.of(1), 4)), part);
    }
  }
}
