package io.dure.surface.show;

import io.dure.model.config.NodeConfig;
import io.dure.model.gres.GresShare;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.model.node.NodeNotes;
import io.dure.protocol.NodeInfo;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.facts.TresFormat;
import io.dure.surface.print.PlainText;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sinfo.NodeColumnValues;
import java.util.ArrayList;
import java.util.List;

/**
 * The record of a node.
 *
 * @param times how moments are printed
 * @param details whether generic resources in use are shown
 * @param gresTypes names of the generic resources that the cluster gives out
 */
public record NodeRecordText(TimestampFormat times, boolean details, List<String> gresTypes) {

  private static final NodeMetrics NO_POWER = new NodeMetrics(0, 0);

  private static final int USUAL_PORT = 6818;
  private static final String NONE = "None";
  private static final String ABSENT = "(null)";

  public RecordText record(NodeInfo node) {
    NodeConfig config = node.config();
    NodeFacts facts = node.facts();
    RecordText record = new RecordText();
    record.line(
        "NodeName",
        config.name()
            + (facts == null ? " " : " Arch=" + facts.arch() + " ")
            + "CoresPerSocket="
            + config.shape().coresPerSocket()
            + " ");
    processors(record, node);
    record
        .line("NodeAddr", config.address())
        .and(
            "NodeHostName",
            config.hostName()
                + (config.port() == USUAL_PORT ? "" : " Port=" + config.port())
                + (facts == null ? "" : " Version=" + facts.version()));
    if (facts != null) {
      record.line("OS", facts.os() + " ");
    }
    memory(record, node);
    record
        .line("State", SlurmNodeState.of(node).complete())
        .and("ThreadsPerCore", config.shape().threadsPerCore())
        .and("TmpDisk", config.tmpDiskMib())
        .and("Weight", config.weight())
        .and("Owner", "N/A")
        .and("MCS_label", "N/A");
    if (!node.partitions().isEmpty()) {
      record.line("Partitions", String.join(",", node.partitions()) + " ");
    }
    moments(record, node);
    long usable = config.realMemoryMib() - config.memSpecLimitMib();
    record.line(
        "CfgTRES",
        TresFormat.ofNode(config.effectiveCpus(), usable)
            + GresFormat.tres(node.trackedTres(), GresFormat.counts(config.resources())));
    record.line(
        "AllocTRES",
        TresFormat.held(node.allocatedCpus(), node.allocatedMemoryMib())
            + GresFormat.tres(node.trackedTres(), GresFormat.counts(node.allocatedGres())));
    NodeMetrics power = node.load() == null ? NO_POWER : node.load();
    record.line("CurrentWatts=" + power.currentWatts() + " AveWatts=" + power.averageWatts());
    reason(record, node);
    notes(record, config.notes());
    record.lineIf(node.reservation() != null, "ReservationName=" + node.reservation());
    record.lineIf(!config.topology().isEmpty(), "Topology=" + config.topology());
    String parameters = config.parameters().text();
    record.lineIf(!parameters.isEmpty(), "Parameters=" + PlainText.of(parameters));
    return record;
  }

  private void processors(RecordText record, NodeInfo node) {
    NodeConfig config = node.config();
    NodeMetrics load = node.load();
    record
        .line("CPUAlloc", node.allocatedCpus())
        .and("CPUEfctv", config.effectiveCpus())
        .and("CPUTot", config.shape().cpus())
        .and("CPULoad", load == null ? "N/A" : NodeColumnValues.hundredths(load.loadHundredths()));
    record.line("AvailableFeatures=" + listed(config.availableFeatures()));
    record.line("ActiveFeatures=" + listed(config.features()));
    record.line("Gres=" + GresFormat.ofNode(config, ABSENT));
    record.lineIf(details, "GresDrain=N/A");
    record.lineIf(
        details,
        "GresUsed="
            + GresFormat.used(config, node.allocatedGres(), GresFormat.none(gresTypes, ABSENT)));
    if (details && node.facts() != null) {
      NodeGpuText.lines(node.facts().gpus(), load).forEach(record::line);
    }
  }

  private static String listed(List<String> features) {
    return features.isEmpty() ? ABSENT : String.join(",", features);
  }

  private static void notes(RecordText record, NodeNotes notes) {
    record.lineIf(!notes.comment().isEmpty(), "Comment=" + PlainText.of(notes.comment()));
    record.lineIf(!notes.extra().isEmpty(), "Extra=" + PlainText.of(notes.extra()));
    record.lineIf(!notes.instanceId().isEmpty(), "InstanceId=" + PlainText.of(notes.instanceId()));
    record.lineIf(
        !notes.instanceType().isEmpty(), "InstanceType=" + PlainText.of(notes.instanceType()));
  }

  private void moments(RecordText record, NodeInfo node) {
    NodeFacts facts = node.facts();
    record
        .line("BootTime", times.formatOr(facts == null ? null : facts.bootTime(), NONE))
        .and("SlurmdStartTime", times.formatOr(facts == null ? null : facts.daemonStart(), NONE));
    record
        .line("LastBusyTime", times.formatOr(node.lastBusy(), NONE))
        .and("ResumeAfterTime", "None");
  }

  private static void memory(RecordText record, NodeInfo node) {
    NodeConfig config = node.config();
    NodeMetrics load = node.load();
    record
        .line("RealMemory", config.realMemoryMib())
        .and("AllocMem", node.allocatedMemoryMib())
        .and("FreeMem", load == null ? "N/A" : Long.toString(load.freeMemoryMib()))
        .and("Sockets", config.shape().sockets())
        .and("Boards", config.shape().boards());
    if (!config.specializedCores().isEmpty()) {
      int cores = config.specializedCores().size();
      record.line("CoreSpecCount", cores).and("CPUSpecList", specialized(config));
    }
    record.lineIf(config.memSpecLimitMib() > 0, "MemSpecLimit=" + config.memSpecLimitMib());
  }

  /** The CPUs of the cores that are kept from jobs. */
  private static String specialized(NodeConfig config) {
    int cores = Math.max(1, config.shape().sockets() * config.shape().coresPerSocket());
    int threads = Math.max(1, config.shape().cpus() / cores);
    List<Integer> cpus = new ArrayList<>();
    for (int core : config.specializedCores()) {
      for (int thread = 0; thread < threads; thread++) {
        cpus.add(core * threads + thread);
      }
    }
    return GresShare.ranges(cpus);
  }

  private void reason(RecordText record, NodeInfo node) {
    String reason = node.condition().reason();
    if (reason == null || reason.isEmpty()) {
      return;
    }
    String author =
        node.condition().reasonTime() == null
            ? ""
            : " [" + node.reasonUser() + "@" + times.format(node.condition().reasonTime()) + "]";
    List<String> lines = (reason + author).lines().toList();
    record.line("Reason", lines.getFirst());
    lines.subList(1, lines.size()).forEach(record::below);
  }
}
