package io.dure.controller;

import io.dure.core.config.ClusterConfig;
import io.dure.core.controller.Command;
import java.io.Closeable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** When, and with which state, this controller leads. */
interface Reign extends Closeable {
  /** Begins to lead, or to keep the state until it is this controller's turn. */
  void start(ClusterConfig config, Command.Recovery recovery)
      throws InterruptedException, ExecutionException;

  /** Leads with another configuration from now on, or keeps it until it leads. */
  void configure(ClusterConfig config) throws InterruptedException, ExecutionException;

  /** What leads, null in standby. Any thread. */
  @Nullable Leadership leadership();
}
