package io.dure.controller;

import io.dure.model.command.Command;
import io.dure.model.config.ClusterConfig;
import io.dure.protocol.Response;
import java.io.Closeable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** When, and with which state, this controller leads. */
interface ControllerRole extends Closeable {
  /** Begins to lead, or to keep the state until it is this controller's turn. */
  void start(ClusterConfig config, Command.Recovery recovery)
      throws InterruptedException, ExecutionException;

  /** Leads with another configuration from now on, or keeps it until it leads. */
  void configure(ClusterConfig config) throws InterruptedException, ExecutionException;

  /** What leads, null in standby. Any thread. */
  @Nullable LeaderServices leadership();

  /** How the controllers fare that keep the state. */
  Response.Replicas replicas();

  /**
   * Lets the controller at that host lead, and waits until it does.
   *
   * @return what is in the way, null if nothing was
   */
  @Nullable String handOver(String host) throws InterruptedException;
}
