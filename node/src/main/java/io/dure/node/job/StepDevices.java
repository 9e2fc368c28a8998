package io.dure.node.job;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.NodeGres;
import io.dure.node.cgroup.DeviceNumber;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedCollection;
import java.util.TreeSet;

/** Which device files of a node's generic resources are whose. */
final class StepDevices {
  private StepDevices() {}

  /**
   * The devices of the node's resources without those of a step. A device that has files of both,
   * such as one that all GPUs need, is the step's.
   *
   * @throws IOException if what a file is cannot be told
   */
  static SequencedCollection<DeviceNumber> refused(NodeGres node, List<GresShare> held)
      throws IOException {
    List<Path> own = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (GresDevice device : node.devices()) {
      List<Path> files = holds(held, device) ? own : others;
      for (String file : device.file().split(",", -1)) {
        if (!file.isEmpty()) {
          files.add(Path.of(file));
        }
      }
    }
    TreeSet<DeviceNumber> refused = DeviceNumber.ofAll(others);
    refused.removeAll(DeviceNumber.ofAll(own));
    return refused;
  }

  /** A part of a GPU opens all of it. */
  private static boolean holds(List<GresShare> held, GresDevice device) {
    for (GresShare share : held) {
      String name = JobRecordReader.SHARED.contains(share.name()) ? GresCount.GPU : share.name();
      if (name.equals(device.name()) && share.devices().contains(device.index())) {
        return true;
      }
    }
    return false;
  }
}
