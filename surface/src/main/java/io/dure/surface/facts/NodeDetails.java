package io.dure.surface.facts;

import io.dure.model.config.NodeConfig;
import io.dure.protocol.NodeInfo;

/** A node with what follows from its state. Immutable. */
public final class NodeDetails {

  private final NodeInfo info;
  private final SlurmNodeState state;

  /** What is seen of a node. */
  public NodeDetails(NodeInfo info) {
    this.info = info;
    this.state = SlurmNodeState.of(info);
  }

  /** What the controller told. */
  public NodeInfo info() {
    return info;
  }

  /** Its description. */
  public NodeConfig config() {
    return info.config();
  }

  /** What it is. */
  public SlurmNodeState state() {
    return state;
  }

  /** Its name. */
  public String name() {
    return info.config().name();
  }

  /** How many CPUs it has. */
  public int cpus() {
    return info.config().shape().cpus();
  }

  /** How many CPUs jobs may still get. */
  public int idleCpus() {
    return state.isUsable() ? Math.max(0, cpus() - info.allocatedCpus()) : 0;
  }

  /** How many CPUs are neither allocated nor usable. */
  public int otherCpus() {
    return state.isUsable() ? 0 : Math.max(0, cpus() - info.allocatedCpus());
  }

  /** Whether jobs hold a part of it. */
  public boolean isAllocated() {
    return state.isBusy();
  }

  /** Whether it is free and takes jobs. */
  public boolean isIdle() {
    return !state.isBusy() && state.isUsable();
  }
}
