package io.dure.protocol;

import io.dure.model.command.Command;
import io.dure.model.command.RunReport;
import io.dure.model.node.NodeMetrics;
import java.util.List;

/** What a node daemon tells the controller. The first message of a connection is Hello. */
public sealed interface NodeToControllerMessage {

  /**
   * First frame: proves which node is calling.
   *
   * @param token a node token signed with the cluster key, naming the node
   * @param version Dure's version there
   */
  record Hello(String token, String version) implements NodeToControllerMessage {
    static final String TAG = "Hello";
  }

  /** Registration, or news of a step; kept and sent again until a Forget or Welcome answers it. */
  record Report(Command.NodeCommand command) implements NodeToControllerMessage {
    static final String TAG = "Report";
  }

  /** Sent every few seconds. */
  record Heartbeat(NodeMetrics load) implements NodeToControllerMessage {
    static final String TAG = "Heartbeat";
  }

  /**
   * All runs that the daemon knows of; sent beside each heartbeat, so that what was lost on a
   * connection that stands is found out.
   */
  record Inventory(List<RunReport> runs) implements NodeToControllerMessage {
    static final String TAG = "Inventory";
  }

  /**
   * Asks for the jobs of a user that run on the node, for a login there; answered by {@link
   * ControllerToNodeMessage.UserJobs}, unless another daemon has become the node.
   *
   * @param question a number that the answer repeats
   */
  record JobsOfUser(int question, int uid) implements NodeToControllerMessage {
    static final String TAG = "JobsOfUser";
  }
}
