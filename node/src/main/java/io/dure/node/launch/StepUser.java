package io.dure.node.launch;

import java.util.List;

/**
 * The user that a step runs as, as the node's user database tells.
 *
 * @param name the login name
 * @param uid the user id, an unsigned 32-bit number
 * @param gid the group the job runs under, which need not be the login group
 * @param groups all supplementary groups
 */
public record StepUser(String name, int uid, int gid, List<Integer> groups) {
  public StepUser {
    groups = List.copyOf(groups);
  }
}
