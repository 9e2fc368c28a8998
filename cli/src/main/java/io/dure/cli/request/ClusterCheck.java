package io.dure.cli.request;

import io.dure.cli.command.ControllerConnection;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import java.io.IOException;

/** The clusters that {@code --clusters} names: only the one that the configuration describes. */
public final class ClusterCheck {

  private ClusterCheck() {}

  /**
   * Asks the controller whether it is the cluster meant.
   *
   * @param names the argument of {@code --clusters}
   * @throws CommandException if it is another one
   * @throws IOException if the controller does not answer
   */
  public static void check(String names, ControllerConnection connection)
      throws CommandException, IOException {
    Response response = connection.ask(new Request.ShowCluster());
    if (names.equalsIgnoreCase("all")
        || !(response instanceof Response.Cluster cluster)
        || names.equals(cluster.clusterName())) {
      return;
    }
    throw unknown(names);
  }

  static CommandException unknown(String names) {
    return CommandException.error(
        "'"
            + names
            + "' can't be reached now, or it is an invalid entry for --cluster.  Use"
            + " 'sacctmgr list clusters' to see available clusters.");
  }
}
