package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.PendingReason;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.job.NodeShare;
import io.dure.model.report.WaitCause;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.placement.JobFeasibility;
import io.dure.placement.NodeDemand;
import io.dure.rules.PartitionRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a request asks for that is not there, and what there is. All functions are pure. */
final class ShortageFinder {
  private ShortageFinder() {}

  /** What a rule of a partition is about. */
  static WaitCause ofRule(ClusterState state, PartitionConfig whole, JobSpec spec, String rule) {
    PartitionConfig partition = PartitionRules.freed(state, whole, spec);
    PartitionConfig.Limits limits = partition.limits();
    ResourceRequest asked = spec.resources();
    return switch (rule) {
      case PendingReason.ACCOUNT ->
          new WaitCause.NotAllowed(
              partition.name(), false, text(spec.account()), partition.access().allowAccounts());
      case PendingReason.QOS ->
          new WaitCause.NotAllowed(
              partition.name(), true, text(spec.qos()), partition.access().allowQos());
      case PendingReason.RESERVATION -> new WaitCause.OwnReservation("", null);
      case PendingReason.PARTITION_TIME -> {
        Duration time =
            spec.timeMin() == null ? PartitionRules.runTime(partition, spec) : spec.timeMin();
        Duration most = limits.maxTime();
        yield much(
            WaitCause.TooMuch.What.MINUTES,
            time == null ? -1 : time.toMinutes(),
            most == null ? -1 : most.toMinutes(),
            partition);
      }
      case PendingReason.MEMORY_LIMIT -> memory(state, partition, asked);
      default -> {
        int most = Math.min(limits.maxNodes(), partition.nodes().size());
        yield asked.minNodes() > most
            ? much(WaitCause.TooMuch.What.NODES_OF_JOB, asked.minNodes(), most, partition)
            : much(
                WaitCause.TooMuch.What.NODES_OF_JOB,
                asked.maxNodes(),
                limits.minNodes(),
                partition);
      }
    };
  }

  private static WaitCause memory(
      ClusterState state, PartitionConfig partition, ResourceRequest asked) {
    MemoryLimit most =
        partition.maxMemory() == null ? state.settings().jobs().maxMemory() : partition.maxMemory();
    long bound = most == null ? 0 : most.memoryMib();
    return switch (asked.memory()) {
      case MemoryRequest.PerCpu(long mib) ->
          much(WaitCause.TooMuch.What.MEMORY_OF_CPU, mib, bound, partition);
      case MemoryRequest.PerNode(long mib) ->
          much(WaitCause.TooMuch.What.MEMORY_OF_NODE, mib, bound, partition);
      case MemoryRequest.PerGpu _, MemoryRequest.Default _ ->
          much(WaitCause.TooMuch.What.MEMORY_OF_NODE, 0, bound, partition);
    };
  }

  private static WaitCause.TooMuch much(
      WaitCause.TooMuch.What what, long asked, long most, PartitionConfig partition) {
    return new WaitCause.TooMuch(what, "", asked, most, partition.name(), List.of());
  }

  private static String text(@Nullable String name) {
    return name == null ? "" : name;
  }

  /** What idle nodes of a partition lack for the request. */
  static List<WaitCause> ofNodes(ClusterState state, PartitionConfig partition, JobSpec spec) {
    ResourceRequest asked = spec.resources();
    List<NodeConfig> nodes = nodes(state, partition);
    List<WaitCause> causes = new ArrayList<>();
    String features = asked.features() == null ? "" : asked.features();
    List<NodeConfig> liked = liked(state, partition, spec, nodes);
    if (liked.size() < asked.minNodes()) {
      causes.add(
          new WaitCause.TooMuch(
              WaitCause.TooMuch.What.NODES,
              features,
              asked.minNodes(),
              liked.size(),
              partition.name(),
              features.isEmpty() ? List.of() : features(nodes)));
      return causes;
    }
    long cpus = 0;
    int mostCpus = 0;
    long mostMemory = 0;
    for (NodeConfig node : liked) {
      cpus += node.effectiveCpus();
      mostCpus = Math.max(mostCpus, node.effectiveCpus());
      mostMemory = Math.max(mostMemory, node.realMemoryMib());
    }
    int ofNode = Math.max(asked.minCpusPerNode(), asked.overcommit() ? 1 : asked.cpusPerTask());
    long ofTasks = (long) asked.tasks() * asked.cpusPerTask();
    long least = asked.maxNodes() == 1 ? Math.max(ofNode, ofTasks) : ofNode;
    if (least > mostCpus) {
      causes.add(much(WaitCause.TooMuch.What.CPUS_OF_NODE, least, mostCpus, partition));
    } else if (asked.totalCpus() > cpus) {
      causes.add(much(WaitCause.TooMuch.What.CPUS, asked.totalCpus(), cpus, partition));
    }
    long memory = memoryOfNode(asked);
    if (memory > mostMemory) {
      causes.add(much(WaitCause.TooMuch.What.MEMORY_OF_NODE, memory, mostMemory, partition));
    }
    gpus(asked, liked, partition, causes);
    if (causes.isEmpty()) {
      causes.add(much(WaitCause.TooMuch.What.TOGETHER, 0, 0, partition));
    }
    return causes;
  }

  private static long memoryOfNode(ResourceRequest asked) {
    return switch (asked.memory()) {
      case MemoryRequest.PerNode(long mib) -> mib;
      case MemoryRequest.PerCpu(long mib) ->
          mib * Math.max(asked.minCpusPerNode(), asked.cpusPerTask());
      case MemoryRequest.PerGpu _, MemoryRequest.Default _ -> 0;
    };
  }

  private static void gpus(
      ResourceRequest asked,
      List<NodeConfig> nodes,
      PartitionConfig partition,
      List<WaitCause> causes) {
    for (GresCount one : asked.gresOrNone().perNode()) {
      long most = 0;
      for (NodeConfig node : nodes) {
        most = Math.max(most, node.resources().count(one.name(), one.type()));
      }
      if (one.count() > most) {
        causes.add(
            new WaitCause.TooMuch(
                WaitCause.TooMuch.What.GPUS_OF_NODE,
                one.kind(),
                one.count(),
                most,
                partition.name(),
                kinds(one, nodes)));
      }
    }
    for (GresCount one : asked.gresOrNone().perJob()) {
      long all = 0;
      for (NodeConfig node : nodes) {
        all += node.resources().count(one.name(), one.type());
      }
      if (one.count() > all) {
        causes.add(
            new WaitCause.TooMuch(
                WaitCause.TooMuch.What.GPUS,
                one.kind(),
                one.count(),
                all,
                partition.name(),
                kinds(one, nodes)));
      }
    }
  }

  private static List<String> features(List<NodeConfig> nodes) {
    TreeSet<String> there = new TreeSet<>();
    nodes.forEach(node -> there.addAll(node.features()));
    return List.copyOf(there);
  }

  /** What sorts there are of a resource of which some sort is asked for. */
  private static List<String> kinds(GresCount asked, List<NodeConfig> nodes) {
    TreeSet<String> there = new TreeSet<>();
    for (NodeConfig node : asked.type() == null ? List.<NodeConfig>of() : nodes) {
      for (GresDevice one : node.resources().devices()) {
        if (one.name().equals(asked.name()) && one.type() != null) {
          there.add(one.name() + ":" + one.type());
        }
      }
      for (CountedGres one : node.resources().stocks()) {
        if (one.name().equals(asked.name()) && one.type() != null) {
          there.add(one.name() + ":" + one.type());
        }
      }
    }
    there.remove(asked.kind());
    return List.copyOf(there);
  }

  private static List<NodeConfig> nodes(ClusterState state, PartitionConfig partition) {
    List<NodeConfig> nodes = new ArrayList<>();
    for (String name : partition.nodes()) {
      NodeRecord node = state.node(name);
      if (node != null) {
        nodes.add(node.config());
      }
    }
    return nodes;
  }

  private static List<NodeConfig> liked(
      ClusterState state, PartitionConfig partition, JobSpec spec, List<NodeConfig> nodes) {
    try {
      NodeDemand need =
          JobFeasibility.need(
              state, PartitionRules.freed(state, partition, spec), spec.resources(), -1);
      return nodes.stream().filter(need::matches).toList();
    } catch (InvalidFeatureException e) {
      return List.of();
    }
  }

  /** What is free where the job could run. */
  static WaitCause room(ClusterState state, PartitionConfig partition, JobSpec spec) {
    String type = null;
    for (GresCount one : spec.resources().gresOrNone().all()) {
      type = one.name().equals(GresCount.GPU) ? one.type() : type;
    }
    long cpus = 0;
    long usedCpus = 0;
    long gpus = 0;
    long usedGpus = 0;
    int idle = 0;
    int count = 0;
    List<NodeConfig> liked = liked(state, partition, spec, nodes(state, partition));
    for (NodeConfig config : liked) {
      NodeRecord node = state.node(config.name());
      if (node == null || !node.available()) {
        continue;
      }
      count++;
      idle += node.shares().isEmpty() ? 1 : 0;
      cpus += config.effectiveCpus();
      usedCpus += Math.min(config.effectiveCpus(), node.allocatedCpus());
      gpus += config.resources().count(GresCount.GPU, type);
      for (NodeShare share : node.shares().values()) {
        for (GresShare one : share.gres()) {
          boolean counts =
              one.name().equals(GresCount.GPU) && (type == null || type.equals(one.type()));
          usedGpus += counts ? one.count() : 0;
        }
      }
    }
    boolean wantsGpus = spec.resources().totalGpus() > 0;
    return new WaitCause.NoRoom(
        partition.name(),
        cpus,
        cpus - usedCpus,
        wantsGpus ? gpus : 0,
        wantsGpus ? gpus - usedGpus : 0,
        idle,
        count);
  }
}
