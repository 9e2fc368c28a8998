package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;

/**
 * Access to the cluster's state: takes commands, and shows what is durable. Any thread may call.
 */
public interface StateAccess {
  /** Has a command decided and its listener told. Waits while too many commands wait already. */
  void submit(Command command, Caller caller, ReplyListener asker) throws InterruptedException;

  /** The newest durable state. */
  ClusterState published();
}
