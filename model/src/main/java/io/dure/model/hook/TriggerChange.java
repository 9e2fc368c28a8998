package io.dure.model.hook;

import org.jspecify.annotations.Nullable;

/** A change of the triggers that a user asks for. */
public sealed interface TriggerChange {
  /** One more. */
  record SetTrigger(Trigger.Wish wish) implements TriggerChange {
    static final String TAG = "SetTrigger";
  }

  /**
   * Those to which all of this applies are removed.
   *
   * @param id its number, null for any
   * @param jobId the job that they are about, null for any
   * @param user name or number of the user that set them, null for any
   */
  record ClearTriggers(@Nullable Integer id, @Nullable Integer jobId, @Nullable String user)
      implements TriggerChange {
    static final String TAG = "ClearTriggers";
  }
}
