package io.dure.protocol.step;

import io.dure.model.command.StepPartEnds;
import io.dure.model.step.StepConsumption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the daemons of a step's nodes tell each other. */
public sealed interface NodePeerMessage {
  /**
   * A step has ended on some nodes below the one that is told, which passes it on to the
   * controller.
   *
   * @param batch a number that the answer repeats
   * @param used what it used on all of these nodes, null where that is not known
   */
  record PartsEnded(
      int jobId,
      int run,
      int step,
      long batch,
      List<StepPartEnds> parts,
      @Nullable StepConsumption used)
      implements NodePeerMessage {
    static final String TAG = "PartsEnded";
  }

  /** What that told is on record. */
  record Confirmed(int jobId, int run, int step, long batch) implements NodePeerMessage {
    static final String TAG = "Confirmed";
  }

  /** The node does not collect the ends of that step: the controller is to be told itself. */
  record Declined(int jobId, int run, int step, long batch) implements NodePeerMessage {
    static final String TAG = "Declined";
  }
}
