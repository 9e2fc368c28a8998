package io.dure.controller.service;

import io.dure.protocol.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator may ask of the program itself. */
public interface ControllerAdmin {
  /**
   * Reads the configuration again.
   *
   * @return whether it is in force now, and what is to be said of it
   */
  Reconfiguration reconfigure() throws InterruptedException;

  /**
   * What came of reading the configuration again.
   *
   * @param inForce whether it is in force; if not, that of before is
   * @param lines what is wrong with it, or which of it has no effect
   */
  record Reconfiguration(boolean inForce, List<String> lines) {}

  /** The controller is about to end: the node daemons are told to, too, if asked. */
  void shutdown(boolean nodesToo);

  /** The lines of {@code scontrol show config}. */
  List<String> configuration();

  /** The files of the configuration in force, slurm.conf first. */
  List<Response.ConfigFile> configFiles();

  /**
   * Tells more or less in the log until the controller ends.
   *
   * @param level a word or number of Slurm's
   * @return whether there is such a level
   */
  boolean setLogLevel(String level);

  /**
   * Lets the log tell more or less of parts of the controller, until the configuration is read
   * again.
   *
   * @param changes flags, each with + or - before it
   * @return which of them is none, null if all are done
   */
  @Nullable String setDebugFlags(List<String> changes);

  /**
   * Signs a token of {@code auth/jwt}.
   *
   * @return null where this controller has nothing to sign it with
   */
  @Nullable String token(String user, int seconds);

  /** Name of the machine. */
  String hostName();

  /** How the controllers fare. */
  Response.Replicas replicas();

  /**
   * Lets another controller lead, and waits until one does.
   *
   * @param index among the configuration's hosts, -1 for the first that does not lead
   * @return what is in the way, null if it leads now
   */
  @Nullable String takeOver(int index) throws InterruptedException;
}
