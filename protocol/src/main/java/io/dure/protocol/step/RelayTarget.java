package io.dure.protocol.step;

/**
 * A node of a step, to which a relay passes frames on.
 *
 * @param index its number at the front end, from 0
 * @param group which launch of the front end it gets: the component of a heterogeneous step
 * @param node its name
 * @param host where its daemon is reached
 * @param port the daemon's port
 */
public record RelayTarget(int index, int group, String node, String host, int port) {}
