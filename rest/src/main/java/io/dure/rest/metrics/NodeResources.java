package io.dure.rest.metrics;

import io.dure.model.config.NodeConfig;
import io.dure.surface.facts.NodeDetails;

/**
 * CPUs, and memory in MiB, of a node or of several.
 *
 * @param cpus all
 * @param effectiveCpus without those that are kept from jobs
 * @param allocatedCpus held by jobs
 * @param idleCpus that a job could have now
 * @param memoryMib all
 * @param effectiveMib without what is kept from jobs
 * @param allocatedMib held by jobs
 * @param freeMib free as the system tells it, 0 where that was not heard
 */
record NodeResources(
    long cpus,
    long effectiveCpus,
    long allocatedCpus,
    long idleCpus,
    long memoryMib,
    long effectiveMib,
    long allocatedMib,
    long freeMib) {
  static final NodeResources NONE = new NodeResources(0, 0, 0, 0, 0, 0, 0, 0);

  static NodeResources of(NodeDetails node) {
    NodeConfig config = node.config();
    var load = node.info().load();
    return new NodeResources(
        node.cpus(),
        config.effectiveCpus(),
        node.info().allocatedCpus(),
        node.idleCpus(),
        config.realMemoryMib(),
        config.realMemoryMib() - config.memSpecLimitMib(),
        node.info().allocatedMemoryMib(),
        load == null ? 0 : load.freeMemoryMib());
  }

  /** The sum of both. */
  NodeResources plus(NodeResources other) {
    return new NodeResources(
        cpus + other.cpus,
        effectiveCpus + other.effectiveCpus,
        allocatedCpus + other.allocatedCpus,
        idleCpus + other.idleCpus,
        memoryMib + other.memoryMib,
        effectiveMib + other.effectiveMib,
        allocatedMib + other.allocatedMib,
        freeMib + other.freeMib);
  }
}
