package io.dure.surface.sinfo;

import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.PartitionJson;
import io.dure.surface.json.SlurmJsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes the rows of the node listing as a document. For one thread. */
public final class SinfoJson {

  private final SlurmJsonWriter json;
  private final Response.Cluster cluster;
  private final Map<String, Integer> cpus = new HashMap<>();

  private SinfoJson(SlurmJsonWriter json, Response.Cluster cluster) {
    this.json = json;
    this.cluster = cluster;
    cluster.nodes().forEach(node -> cpus.put(node.config().name(), node.config().shape().cpus()));
  }

  public static void print(JsonTarget target, Response.Cluster cluster, List<NodeRow> rows) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      SinfoJson document = new SinfoJson(json, cluster);
      json.object().list("sinfo");
      for (NodeRow row : rows) {
        document.write(row);
      }
      json.endList();
      JsonEnvelope.end(json, cluster.clusterName());
    }
  }

  private void write(NodeRow row) {
    NodeDetails first = row.first();
    NodeConfig config = first == null ? null : first.config();
    json.object()
        .number("port", config == null ? 0 : config.port())
        .object("node")
        .texts("state", first == null ? List.of() : first.state().words())
        .endObject();
    nodes(row.nodes());
    cpus(row);
    range("sockets", row, node -> node.config().shape().sockets());
    range("cores", row, node -> node.config().shape().coresPerSocket());
    range("threads", row, node -> node.config().shape().threadsPerCore());
    range("disk", row, node -> node.config().tmpDiskMib());
    memory(row);
    range("weight", row, node -> node.config().weight());
    String features = config == null ? "" : String.join(",", config.features());
    json.object("features")
        .text("total", features)
        .text("active", features)
        .endObject()
        .object("gres")
        .text("total", config == null ? "" : GresFormat.ofNode(config, ""))
        .text("used", first == null ? "" : used(first.info()))
        .endObject()
        .text("cluster", "")
        .text("comment", "")
        .text("extra", "");
    reason(first);
    json.text("reservation", first == null ? "" : first.info().reservation()).object("partition");
    int total = 0;
    for (String name : row.partition().nodes()) {
      total += cpus.getOrDefault(name, 0);
    }
    PartitionJson.members(json, row.partition(), cluster.clusterName(), total);
    json.endObject().endObject();
  }

  private void nodes(List<NodeDetails> nodes) {
    int allocated = 0;
    int idle = 0;
    List<String> hosts = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (NodeDetails node : nodes) {
      allocated += node.isAllocated() ? 1 : 0;
      idle += node.isIdle() ? 1 : 0;
      hosts.add(node.config().hostName());
      addresses.add(node.config().address());
      names.add(node.name());
    }
    json.object("nodes")
        .number("allocated", allocated)
        .number("idle", idle)
        .number("other", nodes.size() - allocated - idle)
        .number("total", nodes.size())
        .texts("hostnames", hosts)
        .texts("addresses", addresses)
        .texts("nodes", names)
        .endObject();
  }

  private String used(NodeInfo node) {
    String none = GresFormat.none(cluster.gresTypes(), "");
    return GresFormat.used(node.config(), node.allocatedGres(), none);
  }

  private void cpus(NodeRow row) {
    long allocated = 0;
    long idle = 0;
    long other = 0;
    long total = 0;
    for (NodeDetails node : row.nodes()) {
      allocated += node.info().allocatedCpus();
      idle += node.idleCpus();
      other += node.otherCpus();
      total += node.cpus();
    }
    json.object("cpus")
        .number("minimum", least(row, NodeDetails::cpus))
        .number("maximum", most(row, NodeDetails::cpus))
        .object("load")
        .number("minimum", least(row, SinfoJson::load))
        .number("maximum", most(row, SinfoJson::load))
        .endObject()
        .object("per_node");
    int bound = row.partition().limits().maxCpusPerNode();
    json.bound("max", bound == Integer.MAX_VALUE ? null : Long.valueOf(bound))
        .endObject()
        .number("allocated", allocated)
        .number("idle", idle)
        .number("other", other)
        .number("total", total)
        .endObject();
  }

  private void memory(NodeRow row) {
    long allocated = 0;
    boolean known = false;
    for (NodeDetails node : row.nodes()) {
      allocated += node.info().allocatedMemoryMib();
      known |= node.info().load() != null;
    }
    json.object("memory")
        .number("minimum", least(row, node -> node.config().realMemoryMib()))
        .number("maximum", most(row, node -> node.config().realMemoryMib()))
        .object("free")
        .maybe("minimum", known ? Long.valueOf(least(row, SinfoJson::free)) : null)
        .maybe("maximum", known ? Long.valueOf(most(row, SinfoJson::free)) : null)
        .endObject()
        .number("allocated", allocated)
        .endObject();
  }

  private void reason(@Nullable NodeDetails first) {
    String reason = first == null ? null : first.info().condition().reason();
    json.object("reason")
        .text("description", reason)
        .time("time", first == null ? null : first.info().condition().reasonTime())
        .text("user", first == null ? "" : first.info().reasonUser())
        .endObject();
  }

  private void range(String name, NodeRow row, ToLongFunction<NodeDetails> value) {
    json.object(name)
        .number("minimum", least(row, value))
        .number("maximum", most(row, value))
        .endObject();
  }

  private static long load(NodeDetails node) {
    NodeMetrics load = node.info().load();
    return load == null ? 0 : load.loadHundredths();
  }

  private static long free(NodeDetails node) {
    NodeMetrics load = node.info().load();
    return load == null ? 0 : load.freeMemoryMib();
  }

  private static long least(NodeRow row, ToLongFunction<NodeDetails> value) {
    return row.nodes().stream().mapToLong(value).min().orElse(0);
  }

  private static long most(NodeRow row, ToLongFunction<NodeDetails> value) {
    return row.nodes().stream().mapToLong(value).max().orElse(0);
  }
}
