package io.dure.controller.server;

import java.util.List;

/** What an operator may ask of the program itself. */
public interface Administration {
  /**
   * Reads the configuration again.
   *
   * @return what is wrong with it, empty if it is in force now
   */
  List<String> reconfigure() throws InterruptedException;

  /** Ends the controller after this call returned, the node daemons too if asked. */
  void shutdown(boolean nodesToo);

  /** The lines of {@code scontrol show config}. */
  List<String> configuration();

  /** Name of the machine. */
  String hostName();
}
