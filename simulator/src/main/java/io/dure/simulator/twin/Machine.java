package io.dure.simulator.twin;

import io.dure.core.config.ClusterConfig;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.SlurmConf;
import io.dure.core.config.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The machine on which a trace is replayed; never changes. */
public final class Machine {
  private final ClusterConfig config;
  private final Map<String, Integer> positions = new HashMap<>();
  private final int cpus;
  private final boolean wholeNodes;

  private Machine(ClusterConfig config, boolean wholeNodes) {
    this.config = config;
    this.wholeNodes = wholeNodes;
    int sum = 0;
    for (NodeConfig node : config.nodes()) {
      positions.put(node.name(), positions.size());
      sum += node.shape().cpus();
    }
    cpus = sum;
  }

  /** Processors of which each job gets some, whichever: one node. */
  public static Machine ofProcessors(int count) {
    return made("NodeName=machine " + processors(count), false);
  }

  /** Nodes of which each job gets whole ones. */
  public static Machine ofWholeNodes(int count) {
    return made("NodeName=n[1-" + count + "] " + processors(1), true);
  }

  /** Nodes with so many processors each, of which each job gets some, on whichever nodes. */
  public static Machine ofNodes(int count, int each) {
    return made("NodeName=n[1-" + count + "] " + processors(each), false);
  }

  /** The nodes and partitions of a configuration. */
  public static Machine of(ClusterConfig config) {
    return new Machine(config, false);
  }

  private static String processors(int count) {
    return "CPUs=" + count + " Sockets=1 CoresPerSocket=1 ThreadsPerCore=" + count;
  }

  private static Machine made(String nodes, boolean wholeNodes) {
    String text =
        "ClusterName=twin\nSlurmctldHost=twin\nSelectType=select/cons_tres\n"
            + "SelectTypeParameters=CR_CPU\nMaxTasksPerNode=65533\n"
            + (nodes + "\n")
            + "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n";
    ParsedConfig parsed = SlurmConf.parse("/slurm.conf", _ -> text);
    if (parsed.hasErrors()) {
      throw new IllegalArgumentException(parsed.errors().toString());
    }
    return new Machine(parsed.config(), wholeNodes);
  }

  Settings settings() {
    return config.settings();
  }

  @Nullable Topology topology() {
    return config.topology();
  }

  /** The partitions, in order. */
  public List<PartitionConfig> partitions() {
    return config.partitions();
  }

  /** The partition of that name, null if there is none. */
  @Nullable PartitionConfig partition(String name) {
    for (PartitionConfig partition : config.partitions()) {
      if (partition.name().equals(name)) {
        return partition;
      }
    }
    return null;
  }

  /** The cluster's name. */
  public String name() {
    return config.settings().controller().clusterName();
  }

  /** The partition of jobs that name none. */
  public @Nullable PartitionConfig defaultPartition() {
    return config.defaultPartition();
  }

  List<NodeConfig> nodes() {
    return config.nodes();
  }

  /** A node's position, -1 if there is none of that name. */
  int position(String name) {
    return positions.getOrDefault(name, -1);
  }

  /** Nodes. */
  public int nodeCount() {
    return positions.size();
  }

  /** CPUs of all nodes. */
  public int cpus() {
    return cpus;
  }

  /** Whether a trace that knows processors only counts nodes by them. */
  boolean countsWholeNodes() {
    return wholeNodes;
  }
}
