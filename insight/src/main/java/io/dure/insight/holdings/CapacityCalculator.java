package io.dure.insight.holdings;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.HostList;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.License;
import io.dure.model.node.NodeLife;
import io.dure.model.report.CapacitySummary;
import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.GpuFragmentationReport;
import io.dure.model.report.ResourceAmounts;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.placement.AllocationLedger;
import io.dure.placement.NodeLoad;
import io.dure.placement.gpus.GpuDemand;
import io.dure.placement.gpus.GpuReporter;
import io.dure.placement.gres.GresLoad;
import io.dure.rules.queueorder.RunTimeEstimates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What becomes of the nodes. Lives within one calculation; one thread. */
final class CapacityCalculator {
  private static final Duration SOON = Duration.ofDays(7);

  private final ClusterState state;
  private final Instant now;
  private final @Nullable TreeSet<String> only;
  private final AllocationLedger ledger;
  private final List<String> types;
  private final List<NodeLoad> open = new ArrayList<>();
  private final Map<String, List<Reservation>> reservedNodes = new TreeMap<>();
  private final AmountsCounter all;
  private final AmountsCounter free;
  private final AmountsCounter reserved;
  private final AmountsCounter closed;
  private long withoutMemory;

  private record Fault(ClusterHoldings.Closure why, String reason) {}

  /**
   * The nodes of a state.
   *
   * @param partition only those of that partition, null for all
   */
  CapacityCalculator(ClusterState state, @Nullable PartitionConfig partition, Instant now) {
    this.state = state;
    this.now = now;
    only = partition == null ? null : new TreeSet<>(partition.nodes());
    ledger = AllocationLedger.loaded(state, RunTimeEstimates.LIMITS);
    types = ledger.demand().types().names();
    all = new AmountsCounter(types);
    free = new AmountsCounter(types);
    reserved = new AmountsCounter(types);
    closed = new AmountsCounter(types);
    for (Reservation one : state.reservations()) {
      if (one.active(now)) {
        one.nodes()
            .forEach(node -> reservedNodes.computeIfAbsent(node, _ -> new ArrayList<>()).add(one));
      }
    }
    for (NodeRecord node : state.nodes().values()) {
      if (isMeant(node.name()) && node.exists()) {
        count(node, ledger.slot(ledger.index(node.name())));
      }
    }
    licenses();
  }

  private boolean isMeant(String node) {
    return only == null || only.contains(node);
  }

  /** What jobs ask for of GPUs, to be counted in. */
  GpuDemand demand() {
    return new GpuDemand(ledger.demand().types());
  }

  private void count(NodeRecord node, NodeLoad slot) {
    List<Reservation> its = reservedNodes.getOrDefault(node.name(), List.of());
    boolean whole = its.stream().anyMatch(one -> one.coresOf(node.name()) == null);
    long freeCpus = Math.max(0, slot.freeCpus());
    all.cpus(slot.cpus());
    if (!slot.available()) {
      closed.cpus(freeCpus);
    } else {
      long kept = whole ? freeCpus : Math.min(freeCpus, reservedCpus(node, its));
      reserved.cpus(kept);
      free.cpus(freeCpus - kept);
      if (!whole) {
        open.add(slot);
        boolean bare = state.settings().scheduling().memoryConsumable();
        withoutMemory += bare && slot.freeMemoryMib() <= 0 ? freeCpus - kept : 0;
      }
    }
    gpus(slot, !slot.available() ? closed : whole ? reserved : free);
  }

  /** CPUs of cores that are reserved and free. */
  private static long reservedCpus(NodeRecord node, List<Reservation> its) {
    TreeSet<Integer> cores = new TreeSet<>();
    for (Reservation one : its) {
      cores.addAll(Objects.requireNonNullElse(one.coresOf(node.name()), List.of()));
    }
    cores.removeIf(node.usedCores()::contains);
    NodeConfig.Shape shape = node.config().shape();
    int total = Math.max(1, Math.min(shape.cpus(), shape.sockets() * shape.coresPerSocket()));
    return (long) cores.size() * Math.max(1, shape.cpus() / total);
  }

  private void gpus(NodeLoad slot, AmountsCounter left) {
    GresLoad load = slot.gres();
    if (load == null) {
      return;
    }
    for (int i = 0; i < load.devices().size(); i++) {
      GresDevice device = load.devices().get(i);
      if (device.name().equals(GresCount.GPU)) {
        int type = types.indexOf(Objects.requireNonNullElse(device.type(), ""));
        all.gpus(type, 1000);
        left.gpus(type, load.freeMilli(i));
      }
    }
  }

  /** Licences belong to no partition. */
  private void licenses() {
    if (only != null) {
      return;
    }
    all.licenses(state.licenses());
    List<License> left = License.sum(state.licenses(), state.licensesInUse(), -1);
    List<License> kept = List.of();
    for (Reservation one : state.reservations()) {
      if (one.active(now)) {
        List<License> inside = state.licenseUse().inside().getOrDefault(one.name(), List.of());
        kept = License.sum(kept, License.sum(one.licenses(), inside, -1), 1);
      }
    }
    reserved.licenses(kept);
    free.licenses(License.sum(left, kept, -1));
  }

  /** All that there is. */
  ResourceAmounts all() {
    return all.amounts();
  }

  /**
   * What becomes of it.
   *
   * @param waiting what is asked for of GPUs
   */
  CapacitySummary supply(GpuDemand waiting) {
    ResourceAmounts whole = all.amounts();
    ResourceAmounts left = free.amounts();
    ResourceAmounts rest = left.plus(reserved.amounts()).plus(closed.amounts());
    AmountsCounter inUse = new AmountsCounter(types);
    inUse.cpus(whole.cpus() - rest.cpus());
    for (ResourceAmounts.Gpus one : whole.gpus()) {
      inUse.gpus(types.indexOf(one.type()), one.milli() - rest.gpuMilli(one.type()));
    }
    if (only == null) {
      inUse.licenses(state.licensesInUse());
    }
    return new CapacitySummary(
        whole, inUse.amounts(), left, useless(waiting), reserved.amounts(), closed.amounts());
  }

  private ResourceAmounts useless(GpuDemand waiting) {
    AmountsCounter useless = new AmountsCounter(types);
    useless.cpus(withoutMemory);
    if (!types.isEmpty()) {
      GpuFragmentationReport report = GpuReporter.of(waiting, ledger.demand(), open, List.of());
      for (GpuFragmentationReport.Type type : report.types()) {
        // Where no job asks for GPUs, each is of use to any that does.
        useless.gpus(
            types.indexOf(type.name()), report.shapes().isEmpty() ? 0 : type.uselessMilli());
      }
    }
    return useless.amounts();
  }

  /** The nodes on which no job may start, most of them first. */
  List<ClusterHoldings.Closed> closed() {
    Map<Fault, List<String>> byFault =
        new TreeMap<>(Comparator.comparing(Fault::why).thenComparing(Fault::reason));
    for (NodeRecord node : state.nodes().values()) {
      if (isMeant(node.name()) && node.exists() && !node.available()) {
        byFault.computeIfAbsent(fault(node), _ -> new ArrayList<>()).add(node.name());
      }
    }
    List<ClusterHoldings.Closed> told = new ArrayList<>();
    byFault.forEach((fault, nodes) ->
        told.add(
            new ClusterHoldings.Closed(
                HostList.compress(nodes), nodes.size(), fault.why(), fault.reason())));
    told.sort(Comparator.comparingInt(ClusterHoldings.Closed::count).reversed());
    return told;
  }

  private static Fault fault(NodeRecord node) {
    ClusterHoldings.Closure why =
        switch (node.life()) {
          case NodeLife.Plain.DOWN -> ClusterHoldings.Closure.DOWN;
          case NodeLife.Plain.DRAINING -> ClusterHoldings.Closure.DRAINED;
          case NodeLife.Plain.FAILING -> ClusterHoldings.Closure.FAILING;
          case NodeLife.Plain.UP, NodeLife.Plain.SILENT -> ClusterHoldings.Closure.SILENT;
          case NodeLife.PoweredDown _, NodeLife.PoweringUp _, NodeLife.PoweringDown _ ->
              ClusterHoldings.Closure.SILENT;
          case NodeLife.Rebooting _, NodeLife.Lent _ -> ClusterHoldings.Closure.SILENT;
        };
    return new Fault(why, Objects.requireNonNullElse(node.condition().reason(), ""));
  }

  /** Reservations that are there now or begin soon, the first to begin first. */
  List<ClusterHoldings.ReservationSummary> kept() {
    List<ClusterHoldings.ReservationSummary> told = new ArrayList<>();
    for (Reservation one : state.reservations()) {
      List<String> nodes = one.nodes().stream().filter(this::isMeant).toList();
      boolean soon = one.end(now).isAfter(now) && one.start(now).isBefore(now.plus(SOON));
      if (soon && !nodes.isEmpty()) {
        told.add(
            new ClusterHoldings.ReservationSummary(
                one.name(),
                HostList.compress(nodes),
                nodes.size(),
                one.start(now),
                one.end(now),
                one.is(ReservationFlag.MAINT),
                one.access().users(),
                one.access().accounts()));
      }
    }
    told.sort(
        Comparator.comparing(ClusterHoldings.ReservationSummary::start)
            .thenComparing(ClusterHoldings.ReservationSummary::name));
    return told;
  }
}
