package io.dure.node;

import io.dure.host.gpu.GpuCard;
import io.dure.host.gpu.GpuDevice;
import io.dure.host.gpu.GpuDriver;
import io.dure.host.gpu.GpuFault;
import io.dure.host.gpu.GpuProcess;
import io.dure.model.node.NodeGpu;
import io.dure.node.cgroup.CoreToCpuMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The GPUs of this machine, as drivers tell of them; each is asked once what there is. */
final class MachineGpus {
  private final Drivers opener;
  private final Map<String, List<GpuDriver>> drivers = new TreeMap<>();
  private final Map<String, List<Found>> cards = new ConcurrentHashMap<>();
  private final List<String> remarks = new CopyOnWriteArrayList<>();

  /** Opens drivers. */
  interface Drivers {
    /**
     * Those of a mode of {@code AutoDetect}.
     *
     * @param log told which are there, and why one is not
     */
    List<GpuDriver> open(String mode, Consumer<String> log);
  }

  /**
   * What a driver found.
   *
   * @param first the place of its first GPU among those of all drivers
   */
  record Found(GpuDriver driver, int first, GpuCard card) {}

  /** Those that these drivers tell of. */
  MachineGpus(Drivers opener) {
    this.opener = opener;
  }

  /**
   * What the drivers of a mode of {@code AutoDetect} find. Any thread. Asking for a mode again does
   * not wait for a driver, which may hang.
   */
  List<Found> cards(String mode) {
    List<Found> known = cards.get(mode);
    return known != null ? known : detect(mode);
  }

  /** What jobs get of these. */
  List<GpuDevice> devices(String mode) {
    return cards(mode).stream().flatMap(found -> found.card().devices().stream()).toList();
  }

  /** These as the controller is told of them. */
  List<NodeGpu> described(String mode, CoreToCpuMap cpus) {
    List<Found> all = cards(mode);
    List<NodeGpu> described = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      GpuDevice whole = all.get(i).card().whole();
      described.add(
          new NodeGpu(
              all.get(i).driver().name(),
              whole.type(),
              whole.uuid(),
              whole.files(),
              whole.memoryMib(),
              DetectedGres.cores(whole, cpus),
              links(all.get(i), all.size()),
              all.get(i).card().parts().stream()
                  .map(part -> new NodeGpu.Part(part.profile(), part.uuid()))
                  .toList()));
    }
    return described;
  }

  /** A driver numbers its own GPUs only, and no links lead to those of others. */
  private static List<Integer> links(Found gpu, int gpus) {
    List<Integer> own = gpu.card().whole().links();
    if (own.isEmpty()) {
      return own;
    }
    List<Integer> links = new ArrayList<>(Collections.nCopies(gpus, 0));
    for (int i = 0; i < own.size() && gpu.first() + i < gpus; i++) {
      links.set(gpu.first() + i, own.get(i));
    }
    return links;
  }

  private synchronized List<Found> detect(String mode) {
    return cards.computeIfAbsent(mode, this::find);
  }

  private List<Found> find(String mode) {
    List<Found> found = new ArrayList<>();
    int devices = 0;
    for (GpuDriver driver : drivers(mode)) {
      int first = found.size();
      try {
        for (GpuCard card : driver.cards()) {
          found.add(new Found(driver, first, card));
          devices += card.devices().size();
        }
      } catch (IOException e) {
        remarks.add(driver.description() + " cannot tell what GPUs there are: " + e.getMessage());
      }
    }
    remarks.add(devices + " GPU system device(s) detected");
    return found;
  }

  private List<GpuDriver> drivers(String mode) {
    return drivers.computeIfAbsent(mode, which -> opener.open(which, remarks::add));
  }

  /** What is wrong with them now. Any thread. */
  synchronized List<GpuFault> faults(String mode) throws IOException {
    List<GpuFault> faults = new ArrayList<>();
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
