package io.dure.node.launch;

/** The processes that a signal to a step reaches. */
public enum SignalScope {
  /** The script's own process alone: {@code scancel --batch}, {@code --signal=B:...}. */
  BATCH_SHELL,
  /** Every process of the step, the script's included: {@code scancel --full}, the end of a job. */
  WHOLE_STEP,
  /** Those that the shepherd has started, as with {@code SignalChildrenProcesses=no}. */
  TASKS
}
