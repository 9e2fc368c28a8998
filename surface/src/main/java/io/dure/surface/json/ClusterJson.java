package io.dure.surface.json;

import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Documents of nodes, of partitions, and of the controller. */
public final class ClusterJson {

  private ClusterJson() {}

  /** Writes nodes. */
  public static void nodes(JsonTarget target, Response.Cluster cluster, List<NodeInfo> nodes) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_nodes_resp")) {
      json.object().list("nodes");
      NodeJson writer = new NodeJson(json, cluster);
      nodes.forEach(writer::write);
      json.endList().time("last_update", cluster.now());
      JsonEnvelope.end(json, cluster.clusterName());
    }
  }

  /** Writes partitions. */
  public static void partitions(
      JsonTarget target, Response.Cluster cluster, List<PartitionConfig> partitions) {
    Map<String, Integer> cpus = new HashMap<>();
    cluster.nodes().forEach(node -> cpus.put(node.config().name(), node.config().shape().cpus()));
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_partition_resp")) {
      json.object().list("partitions");
      for (PartitionConfig partition : partitions) {
        int total = 0;
        for (String name : partition.nodes()) {
          total += cpus.getOrDefault(name, 0);
        }
        json.object();
        PartitionJson.members(json, partition, cluster.clusterName(), total);
        json.endObject();
      }
      json.endList().time("last_update", cluster.now());
      JsonEnvelope.end(json, cluster.clusterName());
    }
  }

  /** Writes whether the controller on that host answers, and after how many microseconds. */
  public static void ping(JsonTarget target, String host, boolean up, long micros) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_ping_array_resp")) {
      json.object()
          .list("pings")
          .object()
          .text("hostname", host)
          .text("pinged", up ? "UP" : "DOWN")
          .flag("responding", up)
          .number("latency", micros)
          .text("mode", "primary")
          .flag("primary", true)
          .text("status", up ? "UP" : "DOWN")
          .endObject()
          .endList();
      JsonEnvelope.end(json, "");
    }
  }

  /** Writes licences with what jobs hold of them. */
  public static void licenses(JsonTarget target, Response.Cluster cluster, List<License> licenses) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_licenses_resp")) {
      json.object().list("licenses");
      for (License one : licenses) {
        int used = License.count(cluster.licensesInUse(), one.name());
        json.object()
            .text("LicenseName", one.name())
            .number("Total", one.count())
            .number("Used", used)
            .number("Free", Math.max(0, one.count() - used))
            .flag("Remote", one.name().contains("@"))
            .number("Reserved", License.count(cluster.licensesReserved(), one.name()))
            .number("LastConsumed", 0)
            .number("LastDeficit", 0)
            .number("LastUpdate", 0)
            .endObject();
      }
      json.endList().time("last_update", cluster.now());
      JsonEnvelope.end(json, "");
    }
  }
}
