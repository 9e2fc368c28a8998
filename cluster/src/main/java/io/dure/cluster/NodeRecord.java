package io.dure.cluster;

import io.dure.cluster.derived.CoreSet;
import io.dure.model.collection.IntMap;
import io.dure.model.config.NodeConfig;
import io.dure.model.gres.NodeGres;
import io.dure.model.job.NodeShare;
import io.dure.model.node.CommandLineFacts;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeLife;
import io.dure.model.node.NodeNotes;
import io.dure.rules.SchedulerNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as the controller knows it.
 *
 * @param config how it is described
 * @param condition what is held against it
 * @param facts what its daemon said last, null if it never registered
 * @param silentSince since when its daemon cannot be reached, null while it can
 * @param lastBusy when a job last ended here, or the node registered
 * @param shares what jobs hold here, by job id
 * @param usedCpus CPUs held
 * @param usedMemoryMib memory held, MiB
 * @param usedCores cores held
 * @param dynamic true if it was added while running, not by the configuration
 */
@RecordBuilder
public record NodeRecord(
    NodeConfig config,
    NodeCondition condition,
    @Nullable NodeFacts facts,
    @Nullable Instant silentSince,
    @Nullable Instant lastBusy,
    IntMap<NodeShare> shares,
    int usedCpus,
    long usedMemoryMib,
    CoreSet usedCores,
    boolean dynamic)
    implements SchedulerNode, NodeRecordBuilder.With {

  /** A node of which nothing was heard yet. */
  static NodeRecord fresh(
      NodeConfig config, NodeCondition condition, Instant since, boolean dynamic) {
    return new NodeRecord(
        config, condition, null, since, null, IntMap.empty(), 0, 0, CoreSet.EMPTY, dynamic);
  }

  /** Node name. */
  public String name() {
    return config.name();
  }

  /** True if its daemon is connected. */
  public boolean responding() {
    return silentSince == null;
  }

  @Override
  public NodeLife life() {
    return condition.life(responding());
  }

  @Override
  public boolean exists() {
    return facts != null || config.state() != NodeConfig.State.FUTURE;
  }

  /** CPUs that jobs hold: those of cores that jobs share count once. */
  public int allocatedCpus() {
    NodeConfig.Shape shape = config.shape();
    int cores = Math.max(1, Math.min(shape.cpus(), shape.sockets() * shape.coresPerSocket()));
    return Math.min(usedCpus, usedCores.size() * Math.max(1, shape.cpus() / cores));
  }

  NodeRecord registered(NodeFacts next, Instant at) {
    return with()
        .config(noted(with(config, next), next.told()))
        .condition(condition.registered(facts == null || next.isBootedSince(facts)))
        .facts(next)
        .silentSince(null)
        .lastBusy(at)
        .build();
  }

  /** With what the daemon says of it; an operator's word stands until the daemon says it again. */
  private static NodeConfig noted(NodeConfig config, @Nullable CommandLineFacts line) {
    if (line == null) {
      return config;
    }
    NodeNotes told = line.notes();
    NodeNotes known = config.notes();
    return config.withNotes(
        new NodeNotes(
            known.comment(),
            told.extra().isEmpty() ? known.extra() : told.extra(),
            told.instanceId().isEmpty() ? known.instanceId() : told.instanceId(),
            told.instanceType().isEmpty() ? known.instanceType() : told.instanceType()));
  }

  /** With another description, and what its daemon told beside that. */
  NodeRecord configured(NodeConfig next) {
    return withConfig(facts == null ? next : with(next, facts));
  }

  private NodeConfig with(NodeConfig next, NodeFacts told) {
    NodeGres resources = next.resources();
    NodeGres completed =
        resources.withNearCores(facts == null ? List.of() : facts.nearCores(), told.nearCores());
    return completed.equals(resources) ? next : next.with(completed);
  }

  NodeRecord holding(int jobId, NodeShare share) {
    return with()
        .shares(shares.with(jobId, share))
        .usedCpus(usedCpus + share.cpus())
        .usedMemoryMib(usedMemoryMib + share.memoryMib())
        .usedCores(usedCores.plus(share.cores()))
        .build();
  }

  NodeRecord releasing(int jobId, @Nullable Instant at) {
    NodeShare share = shares.get(jobId);
    if (share == null) {
      return this;
    }
    IntMap<NodeShare> left = shares.without(jobId);
    CoreSet cores = CoreSet.EMPTY;
    for (NodeShare other : left.values()) {
      cores = cores.plus(other.cores());
    }
    return with()
        .lastBusy(at == null ? lastBusy : at)
        .shares(left)
        .usedCpus(usedCpus - share.cpus())
        .usedMemoryMib(usedMemoryMib - share.memoryMib())
        .usedCores(cores)
        .build();
  }
}
