package io.dure.node;

import io.dure.host.gpu.GpuDetection;
import io.dure.host.gpu.GpuDevice;
import io.dure.host.gpu.GpuDriver;
import io.dure.host.gpu.GpuProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The GPUs of this machine, as drivers tell of them; each is asked once what there is. */
final class MachineGpus {
  private final Map<String, List<GpuDriver>> drivers = new TreeMap<>();
  private final Map<String, List<GpuDevice>> devices = new ConcurrentHashMap<>();
  private final List<String> remarks = new CopyOnWriteArrayList<>();

  /**
   * What the drivers of a mode of {@code AutoDetect} find. Any thread. Asking for a mode again does
   * not wait for a driver, which may hang.
   */
  List<GpuDevice> devices(String mode) {
    List<GpuDevice> known = devices.get(mode);
    return known != null ? known : detect(mode);
  }

  private synchronized List<GpuDevice> detect(String mode) {
    return devices.computeIfAbsent(mode, this::find);
  }

  private List<GpuDevice> find(String mode) {
    List<GpuDevice> found = new ArrayList<>();
    for (GpuDriver driver : drivers(mode)) {
      try {
        found.addAll(driver.devices());
      } catch (IOException e) {
        remarks.add(driver.description() + " cannot tell what GPUs there are: " + e.getMessage());
      }
    }
    remarks.add(found.size() + " GPU system device(s) detected");
    return found;
  }

  private List<GpuDriver> drivers(String mode) {
    return drivers.computeIfAbsent(mode, which -> GpuDetection.open(which, remarks::add));
  }

  /** What is wrong with them now. Any thread. */
  synchronized List<String> faults(String mode) throws IOException {
    List<String> faults = new ArrayList<>();
    for (GpuDriver driver : drivers(mode)) {
      faults.addAll(driver.faults());
    }
    return faults;
  }

  /**
   * What processes have of them now, null where no driver tells that. Any thread.
   *
   * @throws IOException if one cannot tell
   */
  synchronized @Nullable List<GpuProcess> processes(String mode) throws IOException {
    List<GpuProcess> all = null;
    for (GpuDriver driver : drivers(mode)) {
      List<GpuProcess> told = driver.processes();
      if (told != null) {
        all = all == null ? new ArrayList<>() : all;
        all.addAll(told);
      }
    }
    return all;
  }

  /** What was noticed while they were looked for. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }
}
