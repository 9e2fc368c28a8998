package io.dure.surface.json;

import io.dure.model.HostList;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes which cores and how much memory of each node a job holds. */
final class JobResourceJson {
  private final SlurmJsonWriter json;
  private final Map<String, NodeConfig.Shape> shapes = new HashMap<>();

  JobResourceJson(SlurmJsonWriter json, Response.Cluster cluster) {
    this.json = json;
    for (NodeInfo node : cluster.nodes()) {
      shapes.put(node.config().name(), node.config().shape());
    }
  }

  void write(Allocation allocation, ResourceRequest asked) {
    json.object("job_resources")
        .list("select_type")
        .endList()
        .object("nodes")
        .number("count", allocation.shares().size())
        .list("select_type")
        .endList()
        .text("list", HostList.compressInOrder(allocation.nodes()))
        .flag("whole", asked.sharing() == OversubscribeMode.EXCLUSIVE)
        .list("allocation");
    int index = 0;
    for (NodeShare share : allocation.shares()) {
      json.object()
          .number("index", index++)
          .text("name", share.node())
          .object("cpus")
          .number("count", share.cpus())
          .number("used", 0)
          .endObject()
          .object("memory")
          .number("used", 0)
          .number("allocated", share.memoryMib())
          .endObject();
      sockets(share);
      json.endObject();
    }
    json.endList()
        .endObject()
        .number("cpus", allocation.cpus())
        .maybe("threads_per_core", asked.threadsPerCore())
        .endObject();
  }

  /** Those of which the job has cores; of a node that is gone all are in the first. */
  private void sockets(NodeShare share) {
    NodeConfig.Shape shape = shapes.get(share.node());
    int size = shape == null ? Integer.MAX_VALUE : Math.max(1, shape.coresPerSocket());
    int socket = -1;
    json.list("sockets");
    for (int core : share.cores()) {
      if (core / size != socket) {
        if (socket >= 0) {
          json.endList().endObject();
        }
        socket = core / size;
        json.object().number("index", socket).list("cores");
      }
      json.object().number("index", core % size).texts("status", List.of("ALLOCATED")).endObject();
    }
    if (socket >= 0) {
      json.endList().endObject();
    }
    json.endList();
  }
}
