package io.dure.host.user;

import java.util.List;

/**
 * One entry of the group database.
 *
 * @param name group name
 * @param gid group number, an unsigned 32-bit value in an int
 * @param members login names listed in the group; users whose primary group it is are not among
 *     them
 */
public record GroupEntry(String name, int gid, List<String> members) {
  /** Keeps its own copy of the members. */
  public GroupEntry {
    members = List.copyOf(members);
  }
}
