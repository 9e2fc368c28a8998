package io.dure.model.reservation;

import io.dure.model.config.NodeConfig;
import java.util.BitSet;
import java.util.List;

/**
 * Some cores of a node.
 *
 * @param node its name
 * @param cores their numbers, rising
 */
public record NodeCores(String node, List<Integer> cores) {
  /** The node's other cores. */
  public BitSet others(NodeConfig.Shape shape) {
    BitSet others = new BitSet();
    others.set(0, Math.max(1, shape.sockets() * shape.coresPerSocket()));
    cores.forEach(others::clear);
    return others;
  }
}
