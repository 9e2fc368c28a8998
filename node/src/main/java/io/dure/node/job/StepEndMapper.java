package io.dure.node.job;

import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import io.dure.model.step.StepConsumption;
import io.dure.node.launch.LaunchStage;
import io.dure.node.launch.StepExit;
import org.jspecify.annotations.Nullable;

/** Tells the controller's words for how a step ended. */
public final class StepEndMapper {
  private StepEndMapper() {}

  /**
   * The end that a step's exit amounts to. Pure.
   *
   * @param outOfMemory whether it lost a process so
   * @param used what it used, null where that is not known
   */
  public static StepEnd of(StepExit exit, boolean outOfMemory, @Nullable StepConsumption used) {
    return switch (exit) {
      case StepExit.Exited(int code, _) ->
          new StepEnd.Ran(new ExitStatus(code, 0), outOfMemory, used);
      case StepExit.Signalled(int signal, _, _) ->
          new StepEnd.Ran(new ExitStatus(0, signal), outOfMemory, used);
      case StepExit.LaunchFailed(LaunchStage stage, int errno, String text) ->
          switch (stage) {
            // The job's own request is at fault: it has failed, and would fail elsewhere.
            case STDIN, STDOUT, STDERR ->
                new StepEnd.Ran(new ExitStatus(0, StepExit.IO_FAILURE_SIGNAL), false);
            case EXEC -> new StepEnd.Ran(new ExitStatus(errno & 0xff, 0), false);
            // A user can bring these about, so they say nothing of the node.
            case LIMITS, IDENTITY, CHDIR, MPI, CANCELLED -> new StepEnd.NotStarted(text);
            // The next job would fare no better on this node.
            case SHEPHERD, LAUNCH, CGROUP -> new StepEnd.NodeFault(text);
          };
      case StepExit.Lost(String reason, _) -> new StepEnd.Lost(reason);
    };
  }
}
