package io.dure.twin.policy;

/** Who may overtake a job that has to wait. */
public enum BackfillPolicy {
  /** Nobody. */
  NONE,
  /** Who does not delay the first that waits, in the order of the queue. */
  EASY,
  /** Who does not delay the first that waits, the shortest first. */
  SJBF,
  /** Who delays nobody that waits before it. */
  CONSERVATIVE,
  /** As the machine's configuration says. */
  CONF
}
