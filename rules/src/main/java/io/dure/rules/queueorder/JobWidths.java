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
import org.jspecify.annotations.Nullable;

/** How much of a cluster, and of its partitions, jobs ask for at one time. One thread. */
final class JobWidths {
  private final SchedulerView view;
  private final Machine cluster;
  private final TreeMap<String, Site> partitions = new TreeMap<>();

  JobWidths(SchedulerView view) {
    this.view = view;
    Machine all = new Machine();
    view.nodes().values().forEach(all::add);
    cluster = all;
  }

  /** A partition and what its nodes have together. */
  private record Site(PartitionConfig partition, Machine machine) {}

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
   * What a job asks for as a part of what a partition has, 0 to 1: in the one of its partitions in
   * which that part is smallest.
   */
  double part(Job job) {
    double part = 1;
    for (String name : job.spec().partitions()) {
      Site site = site(name);
      if (site != null) {
        boolean whole =
            PartitionRules.givesWholeNodes(
                view.settings().scheduling().unit(), site.partition, job.spec().resources());
        part = Math.min(part, site.machine.width(job, whole) / site.machine.cpus());
      }
    }
    return part;
  }

  private @Nullable Site site(String name) {
    Site known = partitions.get(name);
    PartitionConfig partition = known == null ? view.partition(name) : null;
    if (partition == null) {
      return known;
    }
    Site site = new Site(partition, machine(partition));
    partitions.put(name, site);
    return site;
  }

  private Machine machine(PartitionConfig partition) {
    if (partition.nodes().size() == cluster.nodes) {
      return cluster;
    }
    Machine machine = new Machine();
    for (String name : partition.nodes()) {
      SchedulerNode node = view.nodeNamed(name);
      if (node != null) {
        machine.add(node);
      }
    }
    return machine;
  }
}
