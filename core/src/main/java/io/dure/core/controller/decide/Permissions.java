package io.dure.core.controller.decide;

import io.dure.core.controller.Caller;
import io.dure.core.model.Job;

/** Who may do what. */
final class Permissions {
  private Permissions() {}

  /** Owners and operators may change a job. */
  static boolean mayChange(Caller.User who, Job job) {
    return who.operator() || who.identity().uid() == job.owner().uid();
  }
}
