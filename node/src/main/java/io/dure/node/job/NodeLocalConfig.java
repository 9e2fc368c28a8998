package io.dure.node.job;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.SlurmdParameters.SocketKind;
import io.dure.model.config.step.JobContainer;
import io.dure.model.config.topology.Topology;
import io.dure.node.noderun.RunPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The configuration as it concerns this node.
 *
 * @param confPath the configuration file
 * @param node the node's own description
 * @param settings the cluster's settings
 * @param topology how the network joins the nodes, null where that is not known
 */
public record NodeLocalConfig(
    String confPath, NodeConfig node, ClusterSettings settings, @Nullable Topology topology) {

  /** A node of which it is not known how it is joined with others. */
  public NodeLocalConfig(String confPath, NodeConfig node, ClusterSettings settings) {
    this(confPath, node, settings, null);
  }

  /** The switches above it and the node itself, or its block, joined by points. */
  String topologyAddress() {
    return topology == null
        ? nodeName()
        : Stream.concat(topology.above(nodeName()).stream(), Stream.of(nodeName()))
            .collect(Collectors.joining("."));
  }

  /** The kinds of these. */
  String topologyPattern() {
    String above =
        switch (topology) {
          case Topology.Tree _ -> "switch.";
          case Topology.Blocks _ -> "block.";
          case null -> "";
        };
    int depth = topology == null ? 0 : topology.above(nodeName()).size();
    return above.repeat(depth) + "node";
  }

  /** The node's name in the cluster. */
  public String nodeName() {
    return node.name();
  }

  /** The directory of the daemon's state. */
  public Path spool() {
    return Path.of(node.fill(settings.daemon().spoolDir())).toAbsolutePath();
  }

  /**
   * The name of this node's control groups: two clusters on one machine may have nodes and jobs of
   * the same name, but never the same spool.
   */
  public String groupName() {
    CRC32 sum = new CRC32();
    sum.update(spool().toString().getBytes(StandardCharsets.UTF_8));
    return nodeName() + "-" + Long.toHexString(sum.getValue());
  }

  /** How many processes and threads a job may have here, as {@code SlurmdParameters} say it. */
  @Nullable Integer jobProcesses() {
    Integer mine = node.parameters().jobProcesses();
    return mine == null ? settings.daemon().jobProcesses() : mine;
  }

  /** What counts as a socket of this node. */
  public SocketKind sockets() {
    SocketKind mine = node.parameters().sockets();
    SocketKind usual = settings.daemon().sockets();
    return mine != null ? mine : Objects.requireNonNullElse(usual, SocketKind.PACKAGE);
  }

  /** Which directories each job has for itself here, null for none. */
  public JobContainer.@Nullable OnNode container() {
    JobContainer container = settings.steps().container();
    return container == null ? null : container.of(nodeName());
  }

  /** What it says about runs. */
  public RunPolicy policy() {
    return new RunPolicy(
        !settings.scripts().prolog().isEmpty(),
        !settings.scripts().epilog().isEmpty() || container() != null,
        settings.daemon().unkillableStepTimeout());
  }
}
