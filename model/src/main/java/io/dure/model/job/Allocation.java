package io.dure.model.job;

import io.dure.model.collection.GroupedShares;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The resources a job holds.
 *
 * @param partition the partition it runs in
 * @param shares one for each node, in node order
 * @param licenses licences held
 * @param reservation the reservation it runs in, null for none
 * @param jobsPerCore how many jobs of the partition may have each of its cores, null where it has
 *     them alone
 * @param scriptNode the node of the batch script, null for the first
 * @param resized when the job last lost a node of it, or gave one back; null for never
 * @param overtook whether it was given ahead of a job that waited for the same nodes, null where
 *     that is not known
 * @param billing what its job is billed for it in a second, in whole units; null where that is not
 *     known
 * @param reservationId the number of that reservation, null for none or where it is not known
 */
@RecordBuilder
public record Allocation(
    String partition,
    List<NodeShare> shares,
    List<License> licenses,
    @Nullable String reservation,
    @Nullable Integer jobsPerCore,
    @Nullable String scriptNode,
    @Nullable Instant resized,
    @Nullable Boolean overtook,
    @Nullable Long billing,
    @Nullable Integer reservationId)
    implements AllocationBuilder.With {

  /** An allocation without licences, outside of reservations. */
  public Allocation(String partition, List<NodeShare> shares) {
    this(partition, shares, List.of(), null, null, null, null, null, null, null);
  }

  /** The same with these licences. */
  public Allocation with(List<License> held) {
    return withLicenses(held);
  }

  /** The same with the batch script on this node, null for the first. */
  public Allocation withScriptOn(@Nullable String node) {
    return withScriptNode(node);
  }

  /** The same from then on without these nodes. */
  public Allocation without(Set<String> nodes, Instant at) {
    List<NodeShare> rest = shares.stream().filter(s -> !nodes.contains(s.node())).toList();
    return with().shares(rest).resized(at).build();
  }

  /** Whether other jobs of its partition may have its cores too. */
  public boolean sharesCores() {
    return jobsPerCore != null && jobsPerCore > 1;
  }

  /** Node names in order. */
  public List<String> nodes() {
    return GroupedShares.names(shares, NodeShare::node);
  }

  /** The node on which the batch script runs. */
  public String batchHost() {
    return scriptNode == null ? shares.getFirst().node() : scriptNode;
  }

  /** What is billed for it: where that is not known, the CPUs. */
  public long billed() {
    return billing == null ? cpus() : billing;
  }

  /** CPUs on all nodes. */
  public int cpus() {
    int cpus = 0;
    for (NodeShare share : shares) {
      cpus += share.cpus();
    }
    return cpus;
  }

  /** GPUs on all nodes. */
  public long gpus() {
    long gpus = 0;
    for (NodeShare share : shares) {
      for (GresShare one : share.gres()) {
        gpus += one.name().equals(GresCount.GPU) ? one.count() : 0;
      }
    }
    return gpus;
  }

  /** Memory on all nodes, MiB. */
  public long memoryMib() {
    long memory = 0;
    for (NodeShare share : shares) {
      memory += share.memoryMib();
    }
    return memory;
  }

  /** The share on a node, null if the node is no part of the allocation. */
  public @Nullable NodeShare shareOn(String node) {
    int index = GroupedShares.indexOf(shares, NodeShare::node, node);
    return index < 0 ? null : shares.get(index);
  }
}
