package io.dure.model.job;

/** Why a pending job is held until it is released. */
public enum Hold {
  NONE("None"),
  USER("JobHeldUser"),
  ADMIN("JobHeldAdmin"),
  MAX_REQUEUE("JobHoldMaxRequeue"),
  LAUNCH_FAILURE("launch failed requeued held"),
  SPECIAL_EXIT("JobHeldUser"),
  /** The reservation that it was to run in is gone. */
  RESERVATION_DELETED("ReservationDeleted");

  private final String reason;

  Hold(String reason) {
    this.reason = reason;
  }

  /** The pending reason as Slurm spells it. */
  public String reason() {
    return reason;
  }
}
