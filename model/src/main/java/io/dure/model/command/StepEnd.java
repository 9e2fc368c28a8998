package io.dure.model.command;

import io.dure.model.ExitStatus;
import io.dure.model.step.StepConsumption;
import org.jspecify.annotations.Nullable;

/** How a step ended on a node. */
public sealed interface StepEnd {

  /**
   * The script ran and ended.
   *
   * @param exit its status
   * @param outOfMemory true if the kernel killed something of it for its memory
   * @param used what it used there, null where that is not known, or told elsewhere
   */
  record Ran(ExitStatus exit, boolean outOfMemory, @Nullable StepConsumption used)
      implements StepEnd {
    static final String TAG = "Ran";

    /** Of what it used nothing is known. */
    public Ran(ExitStatus exit, boolean outOfMemory) {
      this(exit, outOfMemory, null);
    }

    /** As it is logged: with what it used where that is known. */
    @Override
    public String toString() {
      String more = used == null ? "" : ", used=" + used;
      return "Ran[exit=" + exit + ", outOfMemory=" + outOfMemory + more + "]";
    }
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

  /** What it used, null where that is not known. */
  default @Nullable StepConsumption consumption() {
    return this instanceof Ran ran ? ran.used() : null;
  }

  /** The same without what it used, so that ends of several nodes may be alike. */
  default StepEnd alone() {
    return this instanceof Ran(ExitStatus exit, boolean outOfMemory, StepConsumption used)
            && used != null
        ? new Ran(exit, outOfMemory)
        : this;
  }
}
