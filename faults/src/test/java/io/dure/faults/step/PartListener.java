package io.dure.faults.step;

/** A front end, as nodes see it. */
public interface PartListener {
  /** Whether its process lives. */
  boolean isAlive();

  /** A node has begun its part. */
  void begun(String node);

  /** A node starts nothing. */
  void refused(String node, String why);

  /** The tasks of a node have ended, or the connection to it broke. */
  void left(String node);
}
