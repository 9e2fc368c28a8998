package io.dure.rest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Families of nodes. */
final class NodeFamilies {
  private static final long MIB = 1 << 20;

  private NodeFamilies() {}

  /** {@code slurm_node_...} of each node, {@code slurm_nodes...} of all. */
  static List<MetricFamily> of(NodeCensus census) {
    List<MetricFamily> all = new ArrayList<>();
    all.add(each(census, "cpus", "CPUs of a node.", NodeResources::cpus));
    all.add(each(census, "cpus_alloc", "CPUs that jobs hold.", NodeResources::allocatedCpus));
    all.add(each(census, "cpus_effective", "CPUs for jobs.", NodeResources::effectiveCpus));
    all.add(each(census, "cpus_idle", "CPUs that a job could have.", NodeResources::idleCpus));
    all.add(
        each(census, "memory_alloc_bytes", "Memory that jobs hold.", r -> r.allocatedMib() * MIB));
    all.add(
        each(census, "memory_effective_bytes", "Memory for jobs.", r -> r.effectiveMib() * MIB));
    all.add(
        each(
            census,
            "memory_free_bytes",
            "Memory that the system has free, 0 where unknown.",
            r -> r.freeMib() * MIB));
    all.add(each(census, "memory_bytes", "Memory of a node.", r -> r.memoryMib() * MIB));
    all.add(MetricFamily.gauge("slurm_nodes", "Number of nodes.").is(census.all().nodes()));
    for (NodeCount one : NodeCount.values()) {
      if (!one.ending().isEmpty()) {
        all.add(
            MetricFamily.gauge("slurm_nodes" + one.ending(), one.help() + ".")
                .is(census.all().of(one)));
      }
    }
    return all;
  }

  private static MetricFamily each(
      NodeCensus census, String name, String help, ToLongFunction<NodeResources> value) {
    MetricFamily family = MetricFamily.gauge("slurm_node_" + name, help);
    census
        .nodes()
        .forEach((node, resources) -> family.of("node", node, value.applyAsLong(resources)));
    return family;
  }
}
