package io.dure.model.request;

/** Whether a job may be put back into the queue after a failure of its node. */
public enum RequeuePolicy {
  /** JobRequeue of the configuration decides. */
  DEFAULT,
  YES,
  NO;

  /**
   * Whether it may.
   *
   * @param byDefault JobRequeue
   */
  public boolean allows(boolean byDefault) {
    return switch (this) {
      case YES -> true;
      case NO -> false;
      case DEFAULT -> byDefault;
    };
  }
}
