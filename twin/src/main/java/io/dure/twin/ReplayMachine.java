package io.dure.twin;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.gres.GresCount;
import io.dure.model.reservation.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The machine on which a trace is replayed; never changes. */
public final class ReplayMachine {
  /** CPUs that a node may have. */
  private static final int MOST_OF_NODE = 65_533;

  private final ClusterConfig config;
  private final Map<String, Integer> positions = new HashMap<>();
  private final int cpus;
  private final long gpus;
  private final boolean wholeNodes;
  private final List<Reservation> reservations;

  /** Nodes that take no jobs; true for those on which nothing can run at all. */
  private final Map<String, Boolean> closed = new HashMap<>();

  private ReplayMachine(ClusterConfig config, boolean wholeNodes, List<Reservation> reservations) {
    this.config = config;
    this.wholeNodes = wholeNodes;
    this.reservations = List.copyOf(reservations);
    int sum = 0;
    long sumOfGpus = 0;
    for (NodeConfig node : config.nodes()) {
      positions.put(node.name(), positions.size());
      sum += node.shape().cpus();
      sumOfGpus += node.resources().count(GresCount.GPU, null);
    }
    cpus = sum;
    gpus = sumOfGpus;
  }

  /**
   * Processors of which each job gets some, whichever: one node, or as few nodes of about the same
   * size as it takes where they are more than a node may have.
   */
  public static ReplayMachine ofProcessors(int count) {
    int nodes = Math.ceilDiv(count, MOST_OF_NODE);
    if (nodes <= 1) {
      return made("NodeName=machine " + processors(count), false);
    }
    int each = count / nodes;
    int larger = count % nodes;
    String smaller = "NodeName=machine[%d-%d] %s".formatted(larger + 1, nodes, processors(each));
    return made(
        larger == 0
            ? smaller
            : "NodeName=machine[1-%d] %s%n%s".formatted(larger, processors(each + 1), smaller),
        false);
  }

  /** Nodes of which each job gets whole ones. */
  public static ReplayMachine ofWholeNodes(int count) {
    return made("NodeName=n[1-" + count + "] " + processors(1), true);
  }

  /** Nodes with so many processors each, of which each job gets some, on whichever nodes. */
  public static ReplayMachine ofNodes(int count, int each) {
    return made("NodeName=n[1-" + count + "] " + processors(each), false);
  }

  /** The nodes and partitions of a configuration. */
  public static ReplayMachine of(ClusterConfig config) {
    return new ReplayMachine(config, false, List.of());
  }

  /** A cluster as its controller knows it: some nodes may take no jobs, some be reserved. */
  public static ReplayMachine of(ClusterState state) {
    ClusterConfig config = state.config();
    List<NodeConfig> nodes = new ArrayList<>();
    state.nodes().values().forEach(node -> nodes.add(node.config()));
    ClusterConfig now =
        new ClusterConfig(
            config.path(),
            config.settings(),
            config.values(),
            nodes,
            state.partitions(),
            config.topology(),
            config.topologies());
    ReplayMachine machine = new ReplayMachine(now, false, state.reservations());
    for (NodeRecord node : state.nodes().values()) {
      if (!node.available()) {
        machine.closed.put(node.name(), node.condition().down());
      }
    }
    return machine;
  }

  private static String processors(int count) {
    return "CPUs=" + count + " Sockets=1 CoresPerSocket=1 ThreadsPerCore=" + count;
  }

  private static ReplayMachine made(String nodes, boolean wholeNodes) {
    String text =
        "ClusterName=twin\nSlurmctldHost=twin\nSelectType=select/cons_tres\n"
            + "SelectTypeParameters=CR_CPU\nMaxTasksPerNode=65533\n"
            + (nodes + "\n")
            + "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n";
    ParsedConfig parsed = SlurmConfParser.parseAlone("/slurm.conf", text);
    if (parsed.hasErrors()) {
      throw new IllegalArgumentException(parsed.errors().toString());
    }
    return new ReplayMachine(parsed.config(), wholeNodes, List.of());
  }

  /** What holds on it. */
  public ClusterSettings settings() {
    return config.settings();
  }

  @Nullable Topology topology() {
    return config.topology();
  }

  List<NamedTopology> topologies() {
    return config.topologies();
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

  /** Whether jobs may start on a node. */
  boolean takesJobs(String node) {
    return !closed.containsKey(node);
  }

  /** Whether nothing runs on a node any more. */
  boolean isDown(String node) {
    return closed.getOrDefault(node, false);
  }

  /** CPUs of the nodes on which jobs may start. */
  public int openCpus() {
    int sum = 0;
    for (NodeConfig node : config.nodes()) {
      sum += takesJobs(node.name()) ? node.shape().cpus() : 0;
    }
    return sum;
  }

  /** GPUs of the nodes on which jobs may start. */
  public long openGpus() {
    long sum = 0;
    for (NodeConfig node : config.nodes()) {
      sum += takesJobs(node.name()) ? node.resources().count(GresCount.GPU, null) : 0;
    }
    return sum;
  }

  /** Reservations as they are at the beginning. */
  List<Reservation> reservations() {
    return reservations;
  }

  /** GPUs of all nodes. */
  public long gpus() {
    return gpus;
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
