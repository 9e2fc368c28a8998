package io.dure.rules.queueorder;

import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
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

  /** What nodes have together and at most each, but for those that do not exist yet. */
  private final class Machine {
    private double nodes;
    private double cpus;
    private double cores;
    private double gpus;
    private double memoryMib;
    private long mostCpus;
    private long mostGpus;
    private long mostMemoryMib;

    void add(SchedulerNode node) {
      if (!node.exists()) {
        return;
      }
      NodeConfig config = node.config();
      NodeConfig.Shape shape = config.shape();
      long ofNode = config.resources().count(GresCount.GPU, null);
      long memory = config.realMemoryMib() - config.memSpecLimitMib();
      nodes++;
      cpus += shape.cpus();
      cores += Math.min(shape.cpus(), shape.sockets() * shape.coresPerSocket());
      gpus += ofNode;
      memoryMib += memory;
      mostCpus = Math.max(mostCpus, shape.cpus());
      mostGpus = Math.max(mostGpus, ofNode);
      mostMemoryMib = Math.max(mostMemoryMib, memory);
    }

    double cpus() {
      return Math.max(1, cpus);
    }

    /**
     * What a job asks for as a part of it, by what it asks for most of. Above 1, or without an end,
     * where the job cannot run.
     *
     * @param fewest the fewest nodes that a job gets
     */
    double part(Job job, boolean whole, int fewest) {
      ResourceRequest asked = job.spec().resources();
      if (nodes == 0 || exceedsEach(asked)) {
        return Double.POSITIVE_INFINITY;
      }
      long gpusAsked = asked.totalGpus();
      double least = Math.max(fewest, leastNodes(asked));
      double part = asked.neededCpus() / (hasCoresAlone(asked) ? Math.max(1, cores) : cpus());
      part = Math.max(part, gpusAsked == 0 ? 0 : gpusAsked / gpus);
      part = Math.max(part, whole || wantsAllMemory(asked) ? least / nodes : 0);
      return Math.max(part, memoryMib(asked, least) / Math.max(1, memoryMib));
    }

    /** Whether no node has what it asks for on each. */
    private boolean exceedsEach(ResourceRequest asked) {
      long cpusOfEach =
          Math.max(asked.minCpusPerNode(), asked.overcommit() ? 1 : asked.cpusPerTask());
      return cpusOfEach > mostCpus
          || GresRequest.gpus(asked.gresOrNone().perNode()) > mostGpus
          || memoryMib(asked, 1) > 0
              && asked.memory() instanceof MemoryRequest.PerNode(long mib)
              && mib > mostMemoryMib;
    }
  }

  /** Whether its tasks share no core, so that it takes all threads of each. */
  private boolean hasCoresAlone(ResourceRequest asked) {
    Integer ofCore = asked.more().tasksPerCore();
    boolean oneTask = ofCore == null ? view.settings().resources().oneTaskPerCore() : ofCore == 1;
    return Objects.equals(asked.threadsPerCore(), 1) || oneTask && asked.cpusPerTask() == 1;
  }

  private boolean isMemoryGiven() {
    return view.settings().scheduling().memoryConsumable();
  }

  /** A job that names no memory, where none is set for such jobs, gets all of its nodes. */
  private boolean wantsAllMemory(ResourceRequest asked) {
    return isMemoryGiven()
        && switch (asked.memory()) {
          case MemoryRequest.Default _ -> true;
          case MemoryRequest.PerNode(long mib) -> mib == 0;
          case MemoryRequest.PerCpu _, MemoryRequest.PerGpu _ -> false;
        };
  }

  private double memoryMib(ResourceRequest asked, double nodes) {
    if (!isMemoryGiven()) {
      return 0;
    }
    return switch (asked.memory()) {
      case MemoryRequest.PerNode(long mib) -> (double) mib * nodes;
      case MemoryRequest.PerCpu(long mib) -> (double) mib * asked.neededCpus();
      case MemoryRequest.PerGpu(long mib) -> (double) mib * asked.totalGpus();
      case MemoryRequest.Default _ -> 0;
    };
  }

  private static double leastNodes(ResourceRequest asked) {
    Integer most = asked.tasksPerNode();
    int ofTasks = most == null ? 1 : Math.ceilDiv(asked.tasks(), Math.max(1, most));
    return Math.max(Math.max(asked.minNodes(), asked.requiredNodes().size()), ofTasks);
  }

  /** CPUs of the cluster, at least 1. */
  double cpus() {
    return cluster.cpus();
  }

  /** GPUs of the cluster. */
  double gpus() {
    return cluster.gpus;
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
   * which that part is smallest, of those with a node that has what it asks for on each.
   */
  double part(Job job) {
    double smallest = 1;
    for (String name : job.spec().partitions()) {
      Site site = site(name);
      if (site != null) {
        int fewest = Math.max(1, site.partition.limits().minNodes());
        smallest = Math.min(smallest, site.machine.part(job, isWhole(site, job), fewest));
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
