package io.dure.rules.queueorder;

import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Job;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.PartitionRules;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.util.TreeMap;

/** How much of a cluster, and of its partitions, jobs ask for at one time. One thread. */
final class JobWidths {
  private final SchedulerView view;
  private final Machine cluster;
  private final TreeMap<String, Machine> partitions = new TreeMap<>();

  JobWidths(SchedulerView view) {
    this.view = view;
    Machine all = new Machine();
    view.nodes().values().forEach(all::add);
    cluster = all;
  }

  /** What nodes have together. */
  private static final class Machine {
    private double nodes;
    private double cpus;
    private double gpus;

    void add(SchedulerNode node) {
      NodeConfig config = node.config();
      nodes++;
      cpus += config.shape().cpus();
      gpus += config.resources().count(GresCount.GPU, null);
    }

    double cpus() {
      return Math.max(1, cpus);
    }

    /** What a job asks for most of, as so many CPUs. */
    double width(Job job, boolean whole) {
      ResourceRequest asked = job.spec().resources();
      double width = Math.max(1, asked.totalCpus());
      if (whole && nodes > 0) {
        width = Math.max(width, asked.minNodes() / nodes * cpus());
      }
      return gpus == 0 ? width : Math.max(width, SimilarRunKey.gpus(asked) / gpus * cpus());
    }
  }

  /** CPUs of the cluster, at least 1. */
  double cpus() {
    return cluster.cpus();
  }

  /** What a job asks for most of, CPUs, whole nodes or GPUs, as so many CPUs of the cluster. */
  double of(Job job) {
    return cluster.width(job, job.spec().resources().sharing() == OversubscribeMode.EXCLUSIVE);
  }

  /**
   * The part of the nodes that a job may have which it asks for, 0 to 1: that of the partition in
   * which it is smallest.
   */
  double part(Job job) {
    double part = 1;
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition != null) {
        boolean whole =
            PartitionRules.givesWholeNodes(
                view.settings().scheduling().unit(), partition, job.spec().resources());
        Machine machine = machine(partition);
        part = Math.min(part, machine.width(job, whole) / machine.cpus());
      }
    }
    return part;
  }

  private Machine machine(PartitionConfig partition) {
    Machine known = partitions.get(partition.name());
    if (known != null) {
      return known;
    }
    Machine machine = partition.nodes().size() == cluster.nodes ? cluster : new Machine();
    if (machine != cluster) {
      for (String name : partition.nodes()) {
        SchedulerNode node = view.nodeNamed(name);
        if (node != null) {
          machine.add(node);
        }
      }
    }
    partitions.put(partition.name(), machine);
    return machine;
  }
}
