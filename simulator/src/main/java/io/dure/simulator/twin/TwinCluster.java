package io.dure.simulator.twin;

import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import java.util.function.UnaryOperator;

/** The twin's present: what waits, what runs, what is held. For one thread. */
final class TwinCluster {
  private final Machine machine;
  private IntMap<TwinNode> nodes = IntMap.empty();
  private IntMap<Job> pending = IntMap.empty();
  private IntMap<Job> active = IntMap.empty();

  TwinCluster(Machine machine) {
    this.machine = machine;
    int position = 0;
    for (NodeConfig node : machine.nodes()) {
      nodes = nodes.with(position++, new TwinNode(node, true, IntMap.empty()));
    }
  }

  TwinView view() {
    return new TwinView(machine, nodes, pending, active);
  }

  IntMap<Job> pending() {
    return pending;
  }

  IntMap<Job> active() {
    return active;
  }

  TwinNode node(int position) {
    return nodes.require(position);
  }

  void queue(Job job) {
    pending = pending.with(job.id(), job);
  }

  void unqueue(int job) {
    pending = pending.without(job);
  }

  /** The job holds what it was given. */
  void start(Job running, Allocation allocation) {
    pending = pending.without(running.id());
    active = active.with(running.id(), running);
    for (NodeShare share : allocation.shares()) {
      change(share.node(), node -> node.holding(running.id(), share));
    }
  }

  /** What the job held is free. */
  void end(int job, Allocation allocation) {
    active = active.without(job);
    for (NodeShare share : allocation.shares()) {
      change(share.node(), node -> node.releasing(job));
    }
  }

  /** Lets a node take jobs, or none. */
  void setAvailable(int position, boolean available) {
    nodes = nodes.with(position, nodes.require(position).taking(available));
  }

  private void change(String name, UnaryOperator<TwinNode> change) {
    int position = machine.position(name);
    nodes = nodes.with(position, change.apply(nodes.require(position)));
  }
}
