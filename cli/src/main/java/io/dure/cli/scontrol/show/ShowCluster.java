package io.dure.cli.scontrol.show;

import io.dure.cli.command.CommandException;
import io.dure.cli.print.TimeStamps;
import io.dure.cli.scontrol.session.Session;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.HostList;
import io.dure.core.model.HostListException;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints nodes and partitions. */
final class ShowCluster {

  private final Session session;

  ShowCluster(Session session) {
    this.session = session;
  }

  /** All nodes, or those of the list. */
  void nodes(@Nullable String list) throws CommandException {
    Response.Cluster cluster = session.cluster("slurm_load_node error", Response.Cluster.NODES);
    TimeStamps times =
        TimeStamps.of(
            session.context().environment(), cluster.now(), session.context().clock().zone());
    NodeLayout layout = new NodeLayout(times, session.display().details() > 0);
    if (list == null) {
      for (NodeInfo node : cluster.nodes()) {
        print(layout.record(node));
      }
      if (cluster.nodes().isEmpty()) {
        session.print("No nodes in the system\n");
      }
      return;
    }
    Map<String, NodeInfo> byName = byName(cluster.nodes());
    boolean missing = false;
    for (String name : expand(list)) {
      NodeInfo node = byName.get(name);
      if (node == null) {
        session.print("Node " + name + " not found\n");
        missing = true;
      } else {
        print(layout.record(node));
      }
    }
    if (missing) {
      throw new CommandException(1, List.of());
    }
  }

  /** All partitions that are not hidden, or those named. */
  void partitions(@Nullable String names) throws CommandException {
    Response.Cluster cluster =
        session.cluster("slurm_load_partitions error", Response.Cluster.PARTITIONS);
    PartitionLayout layout = new PartitionLayout(byName(cluster.nodes()));
    boolean all = session.display().showsAll();
    if (names == null) {
      boolean some = false;
      for (PartitionConfig partition : cluster.partitions()) {
        if (all || !cluster.unlisted().contains(partition.name())) {
          some = true;
          print(layout.record(partition));
        }
      }
      if (!some) {
        session.print("No partitions in the system\n");
      }
      return;
    }
    boolean missing = false;
    for (String name : names.split(",", -1)) {
      PartitionConfig partition = find(cluster, name);
      if (partition == null) {
        session.print("Partition " + name + " not found\n");
        missing = true;
      } else {
        print(layout.record(partition));
      }
    }
    if (missing) {
      throw new CommandException(1, List.of());
    }
  }

  private static @Nullable PartitionConfig find(Response.Cluster cluster, String name) {
    for (PartitionConfig partition : cluster.partitions()) {
      if (partition.name().equals(name)) {
        return partition;
      }
    }
    return null;
  }

  private void print(RecordText record) {
    session.print(record.text(session.display().isOneLine()));
  }

  private static Map<String, NodeInfo> byName(List<NodeInfo> nodes) {
    Map<String, NodeInfo> byName = new LinkedHashMap<>();
    for (NodeInfo node : nodes) {
      byName.put(node.config().name(), node);
    }
    return byName;
  }

  private static List<String> expand(String list) throws CommandException {
    try {
      return HostList.expand(list);
    } catch (HostListException e) {
      throw Session.plain("Invalid node list: " + e.getMessage());
    }
  }
}
