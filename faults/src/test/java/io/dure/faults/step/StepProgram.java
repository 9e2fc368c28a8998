package io.dure.faults.step;

import io.dure.model.ExitStatus;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.step.StepShare;
import io.dure.model.step.TaskProgram;
import io.dure.protocol.StepLaunchOrder;
import java.util.List;

/**
 * What the tasks of a step do.
 *
 * @param seconds how long they run
 * @param exit how the first of them ends, and with it those on its node; all others end with 0
 * @param stubborn whether they ignore SIGTERM
 */
public record StepProgram(int seconds, int exit, boolean stubborn) {

  /** So many GPUs on each node. */
  public static GresRequest gpus(int count) {
    return GresRequest.NONE.with().perNode(List.of(new GresCount("gpu", null, count))).build();
  }

  /** As it is sent to nodes. */
  List<TaskProgram> sent() {
    return List.of(TaskProgram.ofAll(List.of("" + seconds, "" + exit, Boolean.toString(stubborn))));
  }

  /** As it was sent to a node. */
  static StepProgram of(StepLaunchOrder order) {
    List<String> words = order.programs().getFirst().arguments();
    return new StepProgram(
        Integer.parseInt(words.get(0)),
        Integer.parseInt(words.get(1)),
        Boolean.parseBoolean(words.get(2)));
  }

  /** How its tasks on a node end by themselves. */
  ExitStatus exitOf(StepShare share) {
    return share.ranks().contains(0) ? new ExitStatus(exit, 0) : ExitStatus.OK;
  }
}
