package io.dure.node.noderun;

import io.dure.model.command.StepEnd;
import org.jspecify.annotations.Nullable;

/**
 * How far a run has come on this node; stored in its directory, so types only grow at their end.
 */
public sealed interface RunPhase {

  /** The prolog runs; nothing of the job has been started. */
  record Preparing() implements RunPhase {
    static final String TAG = "Preparing";
  }

  /** The step is being given to a shepherd; it may or may not have begun. */
  record Starting() implements RunPhase {
    static final String TAG = "Starting";
  }

  /** A shepherd keeps the step. */
  record Running() implements RunPhase {
    static final String TAG = "Running";
  }

  /** No script of the job runs here; its numbered steps may. */
  record Hosting() implements RunPhase {
    static final String TAG = "Hosting";
  }

  /**
   * No process of the job is left; the epilog runs.
   *
   * @param end how the step ended, null if the job's step was on another node
   */
  record Ended(@Nullable StepEnd end) implements RunPhase {
    static final String TAG = "Ended";
  }

  /**
   * Nothing is left on the node; waits to be forgotten.
   *
   * @param end as in {@link Ended}
   * @param epilogError what failed, null if nothing did
   */
  record Cleaned(@Nullable StepEnd end, @Nullable String epilogError) implements RunPhase {
    static final String TAG = "Cleaned";
  }

  /** How the script ended, null if it has not, or runs on another node. */
  default @Nullable StepEnd scriptEnd() {
    return switch (this) {
      case Preparing _, Starting _, Running _, Hosting _ -> null;
      case Ended(StepEnd end) -> end;
      case Cleaned(StepEnd end, _) -> end;
    };
  }
}
