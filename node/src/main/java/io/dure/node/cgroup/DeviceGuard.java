package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedCollection;
import org.jspecify.annotations.Nullable;

/**
 * Keeps steps from devices: by the controller of version 1 where that is mounted, else by a program
 * of the kernel's at the step's group of version 2. What a step may not open, its job may not
 * either, or another step of the job has it; so the step's group alone needs to say it.
 *
 * @param lines the tree of the controller, or null
 * @param unified the tree of version 2, or null
 */
record DeviceGuard(@Nullable CgroupHierarchy lines, @Nullable CgroupHierarchy unified) {
  /** Why no step can be kept from a device; empty where steps can. */
  String shortcomings() {
    try {
      if (lines != null) {
        CgroupHierarchy.make(lines.top());
        CgroupHierarchy.make(lines.node());
      } else if (unified != null) {
        BpfSystemCall.verify(DeviceProgram.refusing(List.of()));
      } else {
        return "devices: not mounted, nor is version 2";
      }
      return "";
    } catch (IOException e) {
      return "devices: " + e.getMessage();
    }
  }

  /**
   * Keeps a step without processes, whose other groups are made, from these.
   *
   * @throws IOException when the system refuses that
   */
  void refuse(long jobId, String step, SequencedCollection<DeviceNumber> devices)
      throws IOException {
    if (devices.isEmpty()) {
      return;
    }
    if (lines != null) {
      for (Path group : lines.pathTo(jobId, step)) {
        CgroupHierarchy.make(group);
      }
      for (DeviceNumber device : devices) {
        CgroupHierarchy.write(lines.step(jobId, step), "devices.deny", device.rule());
      }
    } else if (unified != null) {
      BpfSystemCall.attach(unified.step(jobId, step), DeviceProgram.refusing(devices));
    } else {
      throw new IOException(shortcomings());
    }
  }
}
