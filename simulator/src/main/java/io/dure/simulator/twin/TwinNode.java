package io.dure.simulator.twin;

import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.SchedulerNode;

/** A node that is only described. */
record TwinNode(NodeConfig config, boolean available, IntMap<NodeShare> shares)
    implements SchedulerNode {

  TwinNode holding(int job, NodeShare share) {
    return new TwinNode(config, available, shares.with(job, share));
  }

  TwinNode releasing(int job) {
    return new TwinNode(config, available, shares.without(job));
  }

  TwinNode taking(boolean jobs) {
    return new TwinNode(config, jobs, shares);
  }
}
