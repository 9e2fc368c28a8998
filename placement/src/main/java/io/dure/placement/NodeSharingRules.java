package io.dure.placement;

import io.dure.model.config.NodeConfig;
import io.dure.model.gres.GresRequest;
import io.dure.placement.cores.CoreLoad;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The jobs that a job would meet on a node, and whether they may share it. */
final class NodeSharingRules {
  private NodeSharingRules() {}

  /**
   * Whether the job may run beside those that are there. Jobs that share their cores and jobs that
   * do not keep apart; only in its own partition a job that does not share may use the cores that
   * are left. Where a job has a device no other can get all of them.
   *
   * @param sharers how many of them share their cores, or stand still and have none
   */
  static boolean agree(
      NodeDemand need, List<NodeAllocation> holdings, List<NodeAllocation> promises, int sharers) {
    if (need.allGres() && haveGres(holdings)) {
      return false;
    }
    if (need.together() != null) {
      return sharers == holdings.size() + promises.size();
    }
    return sharers == 0 || agrees(need, holdings) && agrees(need, promises);
  }

  private static boolean agrees(NodeDemand need, List<NodeAllocation> holdings) {
    for (NodeAllocation holding : holdings) {
      Integer together = holding.together();
      if (together != null
          && together > 1
          && !holding.partition().equals(need.partition().name())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Cores on which the job would only stand still for jobs of higher partitions, and those that
   * others of its tier or a higher one are to have back; null for none.
   */
  static @Nullable BitSet barred(NodeDemand need, List<NodeAllocation> holdings) {
    int tier = need.partition().priorityTier();
    BitSet barred = new BitSet();
    for (NodeAllocation holding : holdings) {
      boolean above = holding.together() != null && holding.tier() > tier;
      if (above && need.makesWay() && need.together() != null) {
        holding.share().cores().forEach(barred::set);
      }
      if (holding.tier() >= tier) {
        holding.awaited().forEach(barred::set);
      }
    }
    return barred.isEmpty() ? null : barred;
  }

  /** Cores that are kept for jobs with GPUs, and those beyond {@link #beyondSocket}. */
  static @Nullable BitSet beyond(
      NodeDemand need,
      List<NodeAllocation> holdings,
      CoreLoad load,
      NodeConfig node,
      @Nullable BitSet barred) {
    BitSet all = barred;
    if (!node.gpuCores().isEmpty() && GresRequest.gpus(need.request().gresOrNone().all()) == 0) {
      BitSet kept = new BitSet();
      node.gpuCores().forEach(kept::set);
      if (all != null) {
        kept.or(all);
      }
      all = kept;
    }
    NodeConfig.Shape shape = node.shape();
    int perCore = shape.cpus() / Math.max(1, load.size());
    return need.cpusPerSocket() == Integer.MAX_VALUE
        ? all
        : beyondSocket(need, holdings, load, perCore, all);
  }

  /**
   * The free cores of each socket beyond what the partition's jobs may still have of it.
   *
   * @param barred what is barred besides, null for nothing
   */
  static BitSet beyondSocket(
      NodeDemand need,
      List<NodeAllocation> holdings,
      CoreLoad load,
      int cpusPerCore,
      @Nullable BitSet barred) {
    BitSet beyond = barred == null ? new BitSet() : (BitSet) barred.clone();
    int most = need.cpusPerSocket() / Math.max(1, cpusPerCore);
    int[] own = onCores(holdings, need.partition().name(), load.size());
    for (int first = 0; first < load.size(); first += load.perSocket()) {
      int end = Math.min(load.size(), first + load.perSocket());
      int left = most;
      for (int core = first; core < end; core++) {
        left -= own[core] > 0 ? 1 : 0;
      }
      for (int core = first; core < end; core++) {
        if (load.isFree(core) && !beyond.get(core) && --left < 0) {
          beyond.set(core);
        }
      }
    }
    return beyond;
  }

  /** Whether another user's job is there where one of the two wants no other users. */
  static boolean foreign(NodeDemand need, List<NodeAllocation> holdings) {
    for (NodeAllocation holding : holdings) {
      if ((need.onlyOwnUser() || holding.onlyOwnUser()) && holding.uid() != need.uid()) {
        return true;
      }
    }
    return false;
  }

  /** Whether any job has generic resources: a suspended job keeps them without any core. */
  private static boolean haveGres(List<NodeAllocation> holdings) {
    for (NodeAllocation holding : holdings) {
      if (!holding.share().gres().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** CPUs that jobs of a partition hold. */
  static int cpus(List<NodeAllocation> holdings, String partition) {
    int cpus = 0;
    for (NodeAllocation holding : holdings) {
      cpus += holding.partition().equals(partition) ? holding.share().cpus() : 0;
    }
    return cpus;
  }

  /** Cores that jobs of a partition hold, each as often as it is held. */
  static int cores(List<NodeAllocation> holdings, String partition) {
    int cores = 0;
    for (NodeAllocation holding : holdings) {
      cores += holding.partition().equals(partition) ? holding.share().cores().size() : 0;
    }
    return cores;
  }

  /** How many jobs of a partition hold each core. */
  static int[] onCores(List<NodeAllocation> holdings, String partition, int count) {
    int[] jobs = new int[count];
    for (NodeAllocation holding : holdings) {
      if (holding.partition().equals(partition)) {
        for (int core : holding.share().cores()) {
          if (core >= 0 && core < count) {
            jobs[core]++;
          }
        }
      }
    }
    return jobs;
  }

  /** Takes one out; false if it is not there. */
  @SuppressWarnings("ReferenceEquality") // that very holding; comparing shares would be slow
  static boolean remove(List<NodeAllocation> from, NodeAllocation holding) {
    for (int i = 0; i < from.size(); i++) {
      if (from.get(i) == holding) {
        from.remove(i);
        return true;
      }
    }
    return false;
  }
}
