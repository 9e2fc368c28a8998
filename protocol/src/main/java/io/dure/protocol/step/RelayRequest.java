package io.dure.protocol.step;

import java.util.List;

/**
 * What a daemon is asked that shall relay between a front end and nodes.
 *
 * @param token says for which user, signed with the cluster key
 * @param width to how many others each relay passes frames on
 * @param targets the nodes; the first one is the daemon's own
 */
public record RelayRequest(String token, int width, List<RelayTarget> targets) {}
