package io.dure.rest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Families of partitions: their jobs, and their nodes. */
final class PartitionFamilies {
  static final String LABEL = "partition";

  private static final String NAME = "slurm_partition_";

  private final JobCensus jobs;
  private final NodeCensus nodes;
  private final List<MetricFamily> families = new ArrayList<>();

  private PartitionFamilies(JobCensus jobs, NodeCensus nodes) {
    this.jobs = jobs;
    this.nodes = nodes;
  }

  /** {@code slurm_partitions}, {@code slurm_partition_...}. */
  static List<MetricFamily> of(JobCensus jobs, NodeCensus nodes) {
    PartitionFamilies made = new PartitionFamilies(jobs, nodes);
    int partitions = nodes.partitions().size();
    made.families.add(
        MetricFamily.gauge("slurm_partitions", "Number of partitions.").is(partitions));
    made.ofJobs();
    made.ofNodes();
    return made.families;
  }

  private void ofJobs() {
    for (JobCount one : JobCount.values()) {
      // Slurm tells the nodes that jobs hold of the cluster, users and accounts only.
      if (one != JobCount.NODES_ALLOC) {
        jobs(one.ending(), one.help() + " in a partition.", tally -> tally.of(one));
      }
    }
    jobs("_max_job_nodes", "The most nodes that a pending job may take.", JobTally::mostNodes);
    jobs(
        "_max_job_nodes_nohold",
        "The most nodes that a pending job may take which is not held.",
        JobTally::mostNodesNotHeld);
    jobs(
        "_min_job_nodes",
        "The most nodes that a pending job needs at least.",
        JobTally::leastNodes);
    jobs(
        "_min_job_nodes_nohold",
        "The most nodes that a pending job needs at least which is not held.",
        JobTally::leastNodesNotHeld);
    jobs(
        "_wait_part_node_limit",
        "Number of pending jobs that ask for more nodes than the partition gives a job.",
        JobTally::overNodeLimit);
  }

  private void ofNodes() {
    for (NodeCount one : NodeCount.values()) {
      nodes("nodes" + one.partitionEnding(), one.help() + ".", tally -> tally.of(one));
    }
    resources("nodes_cpus_alloc", "CPUs that jobs hold.", NodeResources::allocatedCpus);
    resources("nodes_cpus_efctv", "CPUs for jobs.", NodeResources::effectiveCpus);
    resources("nodes_cpus_idle", "CPUs that a job could have.", NodeResources::idleCpus);
    resources("nodes_mem_alloc", "Memory that jobs hold, MiB.", NodeResources::allocatedMib);
    resources("nodes_mem_avail", "Memory for jobs, MiB.", NodeResources::effectiveMib);
    resources("nodes_mem_free", "Memory that systems have free, MiB.", NodeResources::freeMib);
    resources("nodes_mem_tot", "Memory of the nodes, MiB.", NodeResources::memoryMib);
    resources("cpus", "CPUs of a partition's nodes.", NodeResources::cpus);
    nodes("nodes", "Number of nodes of a partition.", NodeTally::nodes);
  }

  private void jobs(String ending, String help, ToLongFunction<JobTally> value) {
    MetricFamily family = MetricFamily.gauge(NAME + "jobs" + ending, help);
    for (String name : nodes.partitions().keySet()) {
      family.of(LABEL, name, value.applyAsLong(jobs.ofPartition(name)));
    }
    families.add(family);
  }

  private void nodes(String ending, String help, ToLongFunction<NodeTally> value) {
    MetricFamily family = MetricFamily.gauge(NAME + ending, help);
    nodes.partitions().forEach((name, tally) -> family.of(LABEL, name, value.applyAsLong(tally)));
    families.add(family);
  }

  private void resources(String ending, String help, ToLongFunction<NodeResources> value) {
    nodes(ending, help, tally -> value.applyAsLong(tally.resources()));
  }
}
