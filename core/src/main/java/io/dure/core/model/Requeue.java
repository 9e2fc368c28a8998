package io.dure.core.model;

/** Whether a job may be put back into the queue after a failure of its node. */
public enum Requeue {
  /** JobRequeue of the configuration decides. */
  DEFAULT,
  YES,
  NO
}
