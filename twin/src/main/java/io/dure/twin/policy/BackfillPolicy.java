package io.dure.twin.policy;

/** Which jobs may overtake a job that has to wait. */
public enum BackfillPolicy {
  /** None. */
  NONE,
  /** Jobs that do not delay the first that waits, in the order of the queue. */
  EASY,
  /** Jobs that do not delay the first that waits, the shortest first. */
  SJBF,
  /** Jobs that delay none that waits before them. */
  CONSERVATIVE,
  /** As the machine's configuration says. */
  CONF
}
