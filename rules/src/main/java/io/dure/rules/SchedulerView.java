package io.dure.rules;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.gres.License;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import io.dure.model.reservation.LicenseUse;
import io.dure.model.reservation.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the scheduler sees of a cluster. It never changes, so any thread may read it. */
public interface SchedulerView {
  /** The settings in force. */
  ClusterSettings settings();

  /** Partitions, in order. */
  List<PartitionConfig> partitions();

  /** Nodes by position; positions rise in the order of the configuration. */
  IntMap<? extends SchedulerNode> nodes();

  /** Position of a node, -1 if there is none of that name. */
  int nodePosition(String name);

  /** Jobs in the queue, by id. */
  IntMap<Job> pending();

  /** Jobs that hold resources, by id. */
  IntMap<Job> active();

  /** Jobs that are over and not forgotten, by id, as far as they are known. */
  default IntMap<Job> ended() {
    return IntMap.empty();
  }

  /** Job ids of the tasks of an array that have records of their own, by task index. */
  IntMap<Integer> arrayTasks(int arrayJobId);

  /** Licences that the cluster has, and what it gets of those of servers. */
  default List<License> licenses() {
    List<License> own = settings().resources().licenses();
    List<License> shared = accounts().licenses();
    if (shared.isEmpty()) {
      return own;
    }
    List<License> all = new ArrayList<>(own);
    all.addAll(shared);
    return all;
  }

  /** Licences that running jobs hold, and in which reservations. */
  default LicenseUse licenseUse() {
    return LicenseUse.NONE;
  }

  /** Licences that running jobs hold. */
  default List<License> licensesInUse() {
    return licenseUse().all();
  }

  /** Accounts, users, associations and QOS. */
  default AccountingTree accounts() {
    return AccountingTree.initial();
  }

  /** What was used of what they are given. */
  default UsageLedger usage() {
    return UsageLedger.EMPTY;
  }

  /** How long jobs ran before, and how much waited. */
  default RunHistory runs() {
    return RunHistory.EMPTY;
  }

  /** How the network joins the nodes, null where that is not known. */
  default @Nullable Topology topology() {
    return null;
  }

  /** Networks that partitions choose by name. */
  default List<NamedTopology> topologies() {
    return List.of();
  }

  /** How the network joins the nodes for a partition's jobs, null where all are alike. */
  default @Nullable Topology topology(PartitionConfig of) {
    String name = of.nodeUse().topology();
    if (name != null) {
      for (NamedTopology one : topologies()) {
        if (one.name().equals(name)) {
          return one.topology();
        }
      }
    }
    return topology();
  }

  /** Reservations, the first made first. */
  default List<Reservation> reservations() {
    return List.of();
  }

  /** The reservation of that name, null if there is none. */
  default @Nullable Reservation reservation(@Nullable String name) {
    if (name != null) {
      for (Reservation reservation : reservations()) {
        if (reservation.name().equals(name)) {
          return reservation;
        }
      }
    }
    return null;
  }

  /** The partition of that name, null if there is none. */
  default @Nullable PartitionConfig partition(String name) {
    for (PartitionConfig partition : partitions()) {
      if (partition.name().equals(name)) {
        return partition;
      }
    }
    return null;
  }

  /** The node of that name, null if there is none. */
  default @Nullable SchedulerNode nodeNamed(String name) {
    return nodes().get(nodePosition(name));
  }
}
