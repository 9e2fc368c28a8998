package io.dure.protocol;

import io.dure.model.config.NodeConfig;
import io.dure.model.gres.GresShare;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as it is now.
 *
 * @param config its description
 * @param condition what is held against it
 * @param facts what its daemon said, null if it never registered
 * @param responding whether its daemon is connected
 * @param lastBusy when a job last ended there
 * @param allocatedCpus CPUs held by jobs
 * @param allocatedMemoryMib memory held by jobs, MiB
 * @param completing true if a job that ended is being cleaned away there
 * @param load load and free memory, null where not heard
 * @param partitions names of the partitions it is in
 * @param reasonUser name of who set the reason, empty for none
 * @param planned true if the scheduler keeps it for a waiting job
 * @param allocatedGres generic resources held by jobs
 * @param trackedTres what the cluster counts beside the usual resources, {@code gres/gpu}
 * @param reservation name of the reservation that it is in now, null for none
 * @param maintenance whether that is for work on it
 */
@RecordBuilder
public record NodeInfo(
    NodeConfig config,
    NodeCondition condition,
    @Nullable NodeFacts facts,
    boolean responding,
    @Nullable Instant lastBusy,
    int allocatedCpus,
    long allocatedMemoryMib,
    boolean completing,
    @Nullable NodeMetrics load,
    List<String> partitions,
    String reasonUser,
    boolean planned,
    List<GresShare> allocatedGres,
    List<String> trackedTres,
    @Nullable String reservation,
    boolean maintenance)
    implements NodeInfoBuilder.With {

  /** Without what drivers tell of each GPU. */
  NodeInfo withoutGpus() {
    return facts == null || facts.gpus().isEmpty()
        ? this
        : withFacts(facts.with().gpus(List.of()).build());
  }

  /**
   * The same in a reservation.
   *
   * @param name its name
   * @param isMaintenance whether it is for work on the node
   */
  public NodeInfo reserved(String name, boolean isMaintenance) {
    return with().reservation(name).maintenance(isMaintenance).build();
  }
}
