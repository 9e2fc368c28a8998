package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.ClusterJson;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.show.NodeRecordText;
import io.dure.surface.show.PartitionRecordText;
import io.dure.surface.show.RecordText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prints nodes and partitions. */
final class ShowCluster {

  private final ScontrolSession session;

  ShowCluster(ScontrolSession session) {
    this.session = session;
  }

  /** All nodes, or those of the list. */
  void nodes(@Nullable String list) throws CommandException {
    Response.Cluster cluster =
        session.cluster(
            "slurm_load_node error",
            new Request.ShowCluster(null, session.display().details() > 0),
            Response.Cluster.NODES);
    Map<String, NodeInfo> byName = byName(listed(cluster));
    Collection<String> wanted = list == null ? byName.keySet() : expand(list);
    JsonTarget document = session.document();
    if (document != null) {
      ClusterJson.nodes(document, cluster, known(wanted, byName));
    } else {
      TimestampFormat times = session.times(cluster.now());
      NodeRecordText layout =
          new NodeRecordText(times, session.display().details() > 0, cluster.gresTypes());
      print("Node", wanted, byName, layout::record);
    }
    fail(wanted, byName);
  }

  /** All nodes, without the partitions that are not to be seen. */
  private List<NodeInfo> listed(Response.Cluster cluster) {
    if (session.display().showsAll() || cluster.unlisted().isEmpty()) {
      return cluster.nodes();
    }
    List<NodeInfo> listed = new ArrayList<>();
    for (NodeInfo node : cluster.nodes()) {
      List<String> partitions = new ArrayList<>(node.partitions());
      partitions.removeAll(cluster.unlisted());
      listed.add(node.withPartitions(partitions));
    }
    return listed;
  }

  /** All partitions that are not hidden, or those named of them. */
  void partitions(@Nullable String names) throws CommandException {
    Response.Cluster cluster =
        session.cluster("slurm_load_partitions error", Response.Cluster.PARTITIONS);
    Map<String, PartitionConfig> byName = new LinkedHashMap<>();
    for (PartitionConfig partition : cluster.partitions()) {
      boolean listed =
          session.display().showsAll() || !cluster.unlisted().contains(partition.name());
      if (listed) {
        byName.put(partition.name(), partition);
      }
    }
    Collection<String> wanted = names == null ? byName.keySet() : List.of(names.split(",", -1));
    JsonTarget document = session.document();
    if (document != null) {
      ClusterJson.partitions(document, cluster, known(wanted, byName));
    } else {
      String preemptMode = cluster.preemptMode().text(cluster.gang());
      PartitionRecordText layout = new PartitionRecordText(byName(cluster.nodes()), preemptMode);
      print("Partition", wanted, byName, layout::record);
    }
    fail(wanted, byName);
  }

  /** All licences by name, or the one of that name. */
  void licenses(@Nullable String name) throws CommandException {
    Response.Cluster cluster = session.cluster("slurm_load_licenses error", "licenses");
    List<License> licenses = new ArrayList<>(cluster.licenses());
    licenses.sort(Comparator.comparing(License::name));
    licenses.removeIf(one -> name != null && !one.name().equals(name));
    JsonTarget document = session.document();
    if (document != null) {
      ClusterJson.licenses(document, cluster, licenses);
      return;
    }
    for (License one : licenses) {
      int used = License.count(cluster.licensesInUse(), one.name());
      session.print(
          "LicenseName="
              + one.name()
              + (session.display().isOneLine() ? " " : "\n    ")
              + "Total="
              + one.count()
              + " Used="
              + used
              + " Free="
              + Math.max(0, one.count() - used)
              + " Reserved="
              + License.count(cluster.licensesReserved(), one.name())
              + (one.name().contains("@") ? " Remote=yes\n" : " Remote=no\n"));
    }
    if (licenses.isEmpty() && name != null) {
      session.print("License name " + name + " not found.\n");
      throw CommandException.plain();
    }
    if (licenses.isEmpty()) {
      session.print("No licenses configured in Slurm.\n");
    }
  }

  private static <T> List<T> known(Collection<String> wanted, Map<String, T> byName) {
    List<T> known = new ArrayList<>();
    for (String name : wanted) {
      T one = byName.get(name);
      if (one != null) {
        known.add(one);
      }
    }
    return known;
  }

  private <T> void print(
      String kind,
      Collection<String> wanted,
      Map<String, T> byName,
      Function<T, RecordText> record) {
    for (String name : wanted) {
      T one = byName.get(name);
      if (one == null) {
        session.print(kind + " " + name + " not found\n");
      } else {
        session.print(record.apply(one).text(session.display().isOneLine()));
      }
    }
    if (wanted.isEmpty()) {
      session.print("No " + kind.toLowerCase(Locale.ROOT) + "s in the system\n");
    }
  }

  private static void fail(Collection<String> wanted, Map<String, ?> byName)
      throws CommandException {
    if (!byName.keySet().containsAll(wanted)) {
      throw CommandException.plain();
    }
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
      throw CommandException.plain("Invalid node list: " + e.getMessage());
    }
  }
}
