package io.dure.node;

import io.dure.host.process.CpuTopology;
import io.dure.host.process.MachineHardware;
import io.dure.host.storage.FreeSpace;
import io.dure.model.config.ClusterSettings;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.NearCores;
import io.dure.model.gres.NodeGres;
import io.dure.model.node.CommandLineFacts;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeGpu;
import io.dure.model.node.NodeNotes;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.CoreToCpuMap;
import io.dure.node.job.NodeLocalConfig;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What a node says of itself when it registers.
 *
 * @param setup the configuration in force
 * @param cpus the node's cores on this machine
 * @param started when the daemon did
 * @param bootId the kernel's
 * @param told what the command line says of the node
 */
record NodeFactsReader(
    Supplier<NodeLocalConfig> setup,
    MachineHardware machine,
    MachineGpus gpus,
    Cgroups cgroups,
    CoreToCpuMap cpus,
    Instant started,
    String bootId,
    CommandLineFacts told) {

  /** As it is now. Any thread. */
  NodeFacts facts() {
    CpuTopology.Shape shape = machine.shape();
    String shortcomings = cgroups.shortcomings();
    String confinement =
        shortcomings.isEmpty()
            ? "cgroup/" + cgroups.version().name().toLowerCase(Locale.ROOT)
            : shortcomings;
    NodeGres resources = setup.get().node().resources();
    return new NodeFacts(
        DureVersion.SLURM,
        machine.hostName(),
        null,
        machine.architecture(),
        machine.operatingSystem(),
        shape.cpus(),
        shape.sockets(),
        shape.coresPerSocket(),
        shape.threadsPerCore(),
        machine.memoryMib(),
        tmpDiskMib(),
        machine.gres(),
        told.booted() ? started : machine.bootTime(),
        bootId,
        started,
        confinement,
        missingDevices(resources),
        nearCores(resources),
        gpus(resources),
        told.booted() || !told.notes().equals(NodeNotes.NONE) ? told : null);
  }

  private static List<NearCores> nearCores(NodeGres all) {
    return all.autoDetect().isEmpty() ? List.of() : all.nearCores();
  }

  private List<NodeGpu> gpus(NodeGres all) {
    return all.autoDetect().isEmpty() ? List.of() : gpus.described(all.autoDetect(), cpus);
  }

  /** This node's devices that are not on this machine. */
  private static List<String> missingDevices(NodeGres all) {
    List<String> missing = new ArrayList<>();
    for (GresDevice device : all.devices()) {
      if (device.file().isEmpty()
          && device.uuid().isEmpty()
          && device.name().equals(GresCount.GPU)
          && !all.autoDetect().isEmpty()) {
        missing.add(device.nameInReports());
      }
      for (String file : device.file().split(",", -1)) {
        if (!file.isEmpty() && !Files.exists(Path.of(file))) {
          missing.add(device.file());
          break;
        }
      }
    }
    return missing;
  }

  private long tmpDiskMib() {
    ClusterSettings.Daemon settings = setup.get().settings().daemon();
    try {
      return FreeSpace.of(Path.of(setup.get().node().fill(settings.tmpFs()))).totalMib();
    } catch (IOException e) {
      return machine.tmpDiskMib();
    }
  }
}
