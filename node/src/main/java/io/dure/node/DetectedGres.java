package io.dure.node;

import io.dure.host.gpu.GpuDevice;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.NodeGres;
import io.dure.node.cgroup.CoreToCpuMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings together the GPUs that a node is to have and those that its drivers tell of: what is
 * configured says how many and of which types, the driver which files open them and which cores are
 * near. Pure.
 */
final class DetectedGres {
  private DetectedGres() {}

  /** The node's resources, with what was found of its GPUs. */
  static NodeGres complete(NodeGres configured, List<GpuDevice> found, CoreToCpuMap cpus) {
    List<GpuDevice> free = new ArrayList<>(found);
    for (GresDevice device : configured.devices()) {
      free.removeIf(gpu -> !device.file().isEmpty() && gpu.files().contains(device.file()));
    }
    List<GresDevice> devices = new ArrayList<>();
    for (GresDevice device : configured.devices()) {
      GpuDevice gpu =
          device.name().equals(GresCount.GPU) && device.file().isEmpty()
              ? take(device.type(), free)
              : null;
      devices.add(gpu == null ? device : completed(device, gpu, cpus));
    }
    return new NodeGres(devices, configured.stocks(), configured.autoDetect());
  }

  private static @Nullable GpuDevice take(@Nullable String type, List<GpuDevice> free) {
    for (GpuDevice gpu : free) {
      if (type == null || gpu.isOf(type)) {
        free.remove(gpu);
        return gpu;
      }
    }
    return null;
  }

  private static GresDevice completed(GresDevice device, GpuDevice gpu, CoreToCpuMap cpus) {
    List<Integer> cores = device.cores().isEmpty() ? cores(gpu, cpus) : device.cores();
    String files = String.join(",", gpu.files());
    String uuid = gpu.profile().isEmpty() ? "" : gpu.uuid();
    return new GresDevice(device.name(), device.type(), device.index(), cores, files, uuid);
  }

  /** The node's cores that are near a GPU; none where all are, or that is not known. */
  static List<Integer> cores(GpuDevice gpu, CoreToCpuMap cpus) {
    if (!gpu.cores().isEmpty()) {
      // How many an emulated node has, its map does not say.
      int claimed = cpus.isEmulated() ? Integer.MAX_VALUE : cpus.claimedCores();
      List<Integer> told = gpu.cores().stream().filter(core -> core < claimed).toList();
      return told.size() == claimed ? List.of() : told;
    }
    List<Integer> near = new ArrayList<>();
    int all = cpus.isEmulated() ? 0 : cpus.claimedCores();
    for (int core = 0; core < all; core++) {
      if (cpus.threads(core).stream().anyMatch(gpu.cpus()::contains)) {
        near.add(core);
      }
    }
    return near.size() == all ? List.of() : near;
  }
}
