package io.dure.core.controller;

import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.controller.records.CoreSet;
import io.dure.core.model.NodeCondition;
import io.dure.core.model.NodeFacts;
import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.SchedulerNode;
import java.time.Instant;
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
    implements SchedulerNode {

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

  /** True if the scheduler may start jobs here. */
  @Override
  public boolean available() {
    return responding() && !condition.down() && !condition.drain() && !condition.fail();
  }

  /** CPUs that somebody holds: those of cores that jobs share count once. */
  public int allocatedCpus() {
    NodeConfig.Shape shape = config.shape();
    int cores = Math.max(1, Math.min(shape.cpus(), shape.sockets() * shape.coresPerSocket()));
    return Math.min(usedCpus, usedCores.size() * Math.max(1, shape.cpus() / cores));
  }

  NodeRecord withConfig(NodeConfig next) {
    return new NodeRecord(
        next,
        condition,
        facts,
        silentSince,
        lastBusy,
        shares,
        usedCpus,
        usedMemoryMib,
        usedCores,
        dynamic);
  }

  NodeRecord withCondition(NodeCondition next) {
    return new NodeRecord(
        config,
        next,
        facts,
        silentSince,
        lastBusy,
        shares,
        usedCpus,
        usedMemoryMib,
        usedCores,
        dynamic);
  }

  NodeRecord registered(NodeFacts next, Instant at) {
    return new NodeRecord(
        config, condition, next, null, at, shares, usedCpus, usedMemoryMib, usedCores, dynamic);
  }

  NodeRecord silent(Instant since) {
    return new NodeRecord(
        config,
        condition,
        facts,
        since,
        lastBusy,
        shares,
        usedCpus,
        usedMemoryMib,
        usedCores,
        dynamic);
  }

  NodeRecord holding(int jobId, NodeShare share) {
    return new NodeRecord(
        config,
        condition,
        facts,
        silentSince,
        lastBusy,
        shares.with(jobId, share),
        usedCpus + share.cpus(),
        usedMemoryMib + share.memoryMib(),
        usedCores.plus(share.cores()),
        dynamic);
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
    return new NodeRecord(
        config,
        condition,
        facts,
        silentSince,
        at == null ? lastBusy : at,
        left,
        usedCpus - share.cpus(),
        usedMemoryMib - share.memoryMib(),
        cores,
        dynamic);
  }
}
