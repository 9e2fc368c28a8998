package io.dure.model.command;

import io.dure.model.ExitStatus;
import org.jspecify.annotations.Nullable;

/** How a batch step ended on its node. */
public sealed interface StepEnd {

  /**
   * The script ran and ended.
   *
   * @param exit its status
   * @param outOfMemory true if the kernel killed something of it for its memory
   */
  record Ran(ExitStatus exit, boolean outOfMemory) implements StepEnd {
    static final String TAG = "Ran";
  }

  /** It could not be started; the node is well. */
  record NotStarted(String text) implements StepEnd {
    static final String TAG = "NotStarted";
  }

  /** The prolog failed, so nothing was started; the node is to be drained. */
  record PrologFailed(String text) implements StepEnd {
    static final String TAG = "PrologFailed";
  }

  /**
   * It was lost: its keeper was killed, or its record is gone. {@code text} is null or says why.
   */
  record Lost(@Nullable String text) implements StepEnd {
    static final String TAG = "Lost";
  }

  /**
   * It could not be started for the node's sake; the node is to be drained, and the job may be
   * started elsewhere.
   *
   * @param text what the node lacks
   */
  record NodeFault(String text) implements StepEnd {
    static final String TAG = "NodeFault";
  }
}
