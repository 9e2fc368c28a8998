package io.dure.model.config.slurmconf;

import org.jspecify.annotations.Nullable;

/**
 * How a cluster on one machine is laid out.
 *
 * @param clusterName its name
 * @param directory where its state, logs, pid files and spools go, an absolute path
 * @param controllerPort the controller's TCP port
 * @param firstNodePort the first node's TCP port; the others follow
 * @param nodeCount how many nodes share the machine, at least 1
 * @param cpusPerNode how many CPUs each node claims; null for its share of the machine
 * @param slurmUser the user the controller runs as
 * @param slurmdUser the user the node daemons run as
 */
public record ClusterLayout(
    String clusterName,
    String directory,
    int controllerPort,
    int firstNodePort,
    int nodeCount,
    @Nullable Integer cpusPerNode,
    String slurmUser,
    String slurmdUser) {}
