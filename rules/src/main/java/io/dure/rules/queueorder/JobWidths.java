package io.dure.rules.queueorder;

import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.job.Job;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.PartitionRules;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.util.Objects;
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

  /** What nodes have together, but for those that do not exist yet. */
  private static final class Machine {
    private double nodes;
    private double cpus;
    private double gpus;
    private double memoryMib;
    private int threads = 1;

    void add(SchedulerNode node) {
      NodeConfig config = node.config();
      if (config.state() == NodeConfig.State.FUTURE && !node.isExpected()) {
        return;
      }
      nodes++;
      cpus += config.shape().cpus();
      gpus += config.resources().count(GresCount.GPU, null);
      memoryMib += config.realMemoryMib() - config.memSpecLimitMib();
      NodeConfig.Shape shape = config.shape();
      boolean ofThreads = shape.cpus() > shape.sockets() * shape.coresPerSocket();
      threads = Math.max(threads, ofThreads ? shape.threadsPerCore() : 1);
    }

    double cpus() {
      return Math.max(1, cpus);
    }

    double gpus() {
      return Math.max(1, gpus);
    }

    /**
     * What a job asks for as a part of it, by what it asks for most of. Above 1, or without an end,
     * where the job cannot run.
     *
     * @param fewest the fewest nodes that a job gets
     */
    double part(Job job, boolean whole, int fewest) {
      ResourceRequest asked = job.spec().resources();
      long gpusAsked = asked.totalGpus();
      double part = cpus(asked) / cpus();
      part = Math.max(part, gpusAsked == 0 ? 0 : gpusAsked / gpus);
      boolean allMemory = asked.memory() instanceof MemoryRequest.PerNode(long mib) && mib == 0;
      if (nodes > 0) {
        double ofNodes = Math.max(fewest, leastNodes(asked)) / nodes;
        part = Math.max(part, whole || allMemory ? ofNodes : 0);
        part = Math.max(part, memoryMib(asked) / Math.max(1, memoryMib));
      }
      return part;
    }

    /** CPUs that it takes, all threads of a core where its tasks share none. */
    private double cpus(ResourceRequest asked) {
      Integer ofCore = asked.more().tasksPerCore();
      boolean alone =
          Objects.equals(asked.threadsPerCore(), 1)
              || "nomultithread".equals(asked.more().laid().hint())
              || (ofCore != null && ofCore == 1 && asked.cpusPerTask() == 1);
      return (double) asked.neededCpus() * (alone ? threads : 1);
    }

    private static double leastNodes(ResourceRequest asked) {
      Integer most = asked.tasksPerNode();
      return Math.max(
          asked.minNodes(), most == null ? 1 : Math.ceilDiv(asked.tasks(), Math.max(1, most)));
    }

    private static double memoryMib(ResourceRequest asked) {
      return switch (asked.memory()) {
        case MemoryRequest.PerNode(long mib) -> (double) mib * asked.minNodes();
        case MemoryRequest.PerCpu(long mib) -> (double) mib * asked.neededCpus();
        case MemoryRequest.PerGpu(long mib) -> (double) mib * asked.totalGpus();
        case MemoryRequest.Default _ -> 0;
      };
    }
  }

  /** CPUs of the cluster, at least 1. */
  double cpus() {
    return cluster.cpus();
  }

  /** GPUs of the cluster, at least 1. */
  double gpus() {
    return cluster.gpus();
  }

  /**
   * What a job asks for most of, CPUs, memory, whole nodes or GPUs, as so many CPUs of the cluster.
   */
  double of(Job job) {
    boolean whole = true;
    for (String name : job.spec().partitions()) {
      Site site = site(name);
      whole = whole && site != null && isWhole(site, job);
    }
    return Math.max(1, Math.min(1, cluster.part(job, whole, 1)) * cluster.cpus());
  }

  /**
   * What a job asks for as a part of what a partition has, 0 to 1: in the one of its partitions in
   * which that part is smallest, of those that have that much.
   */
  double part(Job job) {
    double smallest = 1;
    for (String name : job.spec().partitions()) {
      Site site = site(name);
      if (site != null) {
        int fewest = Math.max(1, site.partition.limits().minNodes());
        double part = site.machine.part(job, isWhole(site, job), fewest);
        smallest = part <= 1 ? Math.min(smallest, part) : smallest;
      }
    }
    return smallest;
  }

  private boolean isWhole(Site site, Job job) {
    return PartitionRules.givesWholeNodes(
        view.settings().scheduling().unit(), site.partition, job.spec().resources());
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
    if (partition.nodes().size() == view.nodes().size()) {
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
