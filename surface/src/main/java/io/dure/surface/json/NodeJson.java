package io.dure.surface.json;

import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeLife;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.facts.TresFormat;
import java.util.List;

/** Writes a node with the members that Slurm's data parser gives it, in its order. */
final class NodeJson {

  private final SlurmJsonWriter json;
  private final String cluster;
  private final String noGres;

  NodeJson(SlurmJsonWriter json, Response.Cluster cluster) {
    this.json = json;
    this.cluster = cluster.clusterName();
    this.noGres = GresFormat.none(cluster.gresTypes(), "");
  }

  void write(NodeInfo node) {
    NodeConfig config = node.config();
    NodeFacts facts = node.facts();
    NodeMetrics load = node.load();
    json.object()
        .text("architecture", facts == null ? "" : facts.arch())
        .text("burstbuffer_network_address", "")
        .number("boards", config.shape().boards())
        .time("boot_time", facts == null ? null : facts.bootTime())
        .text("cluster_name", cluster)
        .number("cores", config.shape().coresPerSocket())
        .number("specialized_cores", 0)
        .number("cpu_binding", 0)
        .number("cpu_load", load == null ? 0 : load.loadHundredths())
        .maybe("free_mem", load == null ? null : Long.valueOf(load.freeMemoryMib()))
        .number("cpus", config.shape().cpus())
        .number("effective_cpus", config.shape().cpus())
        .text("specialized_cpus", "")
        .text("extra", config.notes().extra())
        .texts("features", config.availableFeatures())
        .texts("active_features", config.features())
        .text("gpu_spec", "")
        .text("gres", GresFormat.ofNode(config, ""))
        .text("gres_drained", "N/A")
        .text("gres_used", GresFormat.used(config, node.allocatedGres(), noGres))
        .text("instance_id", config.notes().instanceId())
        .text("instance_type", config.notes().instanceType())
        .time("last_busy", node.lastBusy())
        .text("mcs_label", "")
        .number("specialized_memory", config.memSpecLimitMib())
        .text("name", config.name())
        .texts("next_state_after_reboot", List.of(nextState(node.condition())))
        .text("address", config.address())
        .text("hostname", config.hostName())
        .texts("state", SlurmNodeState.of(node).words())
        .text("operating_system", facts == null ? "" : facts.os())
        .text("owner", "")
        .texts("partitions", node.partitions())
        .number("port", config.port())
        .number("real_memory", config.realMemoryMib())
        .text("comment", config.notes().comment());
    held(node);
    json.time("slurmd_start_time", facts == null ? null : facts.daemonStart())
        .number("sockets", config.shape().sockets())
        .number("threads", config.shape().threadsPerCore())
        .number("temporary_disk", config.tmpDiskMib())
        .number("weight", config.weight())
        .text("topology", config.topology())
        .text(
            "tres",
            TresFormat.ofNode(
                    config.shape().cpus(), config.realMemoryMib() - config.memSpecLimitMib())
                + GresFormat.tres(node.trackedTres(), GresFormat.counts(config.resources())))
        .text("version", facts == null ? "" : facts.version())
        .endObject();
  }

  /** Why it takes no jobs, and what jobs hold. */
  private void held(NodeInfo node) {
    int idle = Math.max(0, node.config().shape().cpus() - node.allocatedCpus());
    json.text("reason", node.condition().reason())
        .time("reason_changed_at", node.condition().reasonTime())
        .text("reason_set_by_user", node.reasonUser())
        .maybe("resume_after", (Integer) null)
        .text("reservation", node.reservation())
        .number("alloc_memory", node.allocatedMemoryMib())
        .number("alloc_cpus", node.allocatedCpus())
        .number("alloc_idle_cpus", idle)
        .text(
            "tres_used",
            TresFormat.held(node.allocatedCpus(), node.allocatedMemoryMib())
                + GresFormat.tres(node.trackedTres(), GresFormat.counts(node.allocatedGres())))
        .fraction("tres_weighted", node.allocatedCpus());
  }

  private static String nextState(NodeCondition condition) {
    return condition.away() instanceof NodeLife.Rebooting reboot
        ? switch (reboot.next()) {
          case RESUME -> "RESUME";
          case DOWN -> "DOWN";
          case AS_BEFORE -> "INVALID";
        }
        : "INVALID";
  }
}
