package io.dure.surface.facts;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;

/** The clusters that {@code --clusters} names, of which only one's own is known. */
public final class ClusterNameCheck {

  private ClusterNameCheck() {}

  /**
   * Checks that no other cluster is meant.
   *
   * @param own name of the cluster that answers
   * @throws CommandException naming the first cluster that is not it
   */
  public static void check(List<String> names, String own) throws CommandException {
    for (String name : names) {
      if (!name.equalsIgnoreCase(own) && !name.equalsIgnoreCase("all")) {
        throw unknown(name);
      }
    }
  }

  /** The failure of a call for a cluster that is not this one. */
  public static CommandException unknown(String name) {
    return CommandException.error("No cluster '" + name + "' known by database.")
        .and(
            StderrMessage.error(
                "'"
                    + name
                    + "' can't be reached now, or it is an invalid entry for --cluster.  "
                    + "Use 'sacctmgr list clusters' to see available clusters."));
  }
}
