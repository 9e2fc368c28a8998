package io.dure.node.agent;

import io.dure.model.UserIdentity;
import io.dure.model.command.Effect;
import io.dure.node.launch.RunningStep;
import io.dure.node.login.LoginActions;
import io.dure.node.noderun.RunId;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepRequest;
import io.dure.node.usage.NamedStep;
import java.nio.file.Path;
import java.util.List;

/**
 * Does for numbered steps what takes time, and tells the loop when it is done. The loop's thread
 * calls; nothing blocks.
 */
public interface StepActions {
  /** For a daemon that takes no steps. */
  StepActions NONE =
      new StepActions() {
        @Override
        public void trust(byte[] credentialKey) {}

        @Override
        public void start(RunActions.Launch launch, StepRequest request) {}

        @Override
        public void adopt(RunActions.Launch launch) {}

        @Override
        public void refuse(Spawner.StepConnection connection, int code, String text) {}

        @Override
        public void signal(RunningStep step, int signal) {}

        @Override
        public void suspend(RunId run, RunningStep step) {}

        @Override
        public void end(
            RunningStep step, String name, Effect.TerminationReason why, List<Integer> signals) {}

        @Override
        public void look(List<NamedStep> steps) {}

        @Override
        public void tellFigures(
            Spawner.StepConnection to, int pid, boolean denied, List<NamedStep> steps) {}

        @Override
        public void attach(Spawner.StepConnection connection, RunningStep step) {}

        @Override
        public void forget(Path directory) {}
      };

  /** What does the work for logins. */
  default LoginActions logins() {
    return LoginActions.NONE;
  }

  /** The controller that leads signs its credentials with this key. */
  void trust(byte[] credentialKey);

  /** Gives a step to a shepherd. */
  void start(RunActions.Launch launch, StepRequest request);

  /** Takes over the numbered steps of a run that an earlier daemon started. */
  void adopt(RunActions.Launch launch);

  /** Tells a front end that its step is not started. */
  void refuse(Spawner.StepConnection connection, int code, String text);

  /** Gives a front end a process that writes or sends a file of a run as its owner. */
  default void moveFile(Spawner.StepConnection connection, RunId run, UserIdentity owner) {}

  /** Ends what moves files for a run. */
  default void endFiles(RunId run) {}

  /** A signal to all processes of a step. */
  void signal(RunningStep step, int signal);

  /**
   * Has all processes of a step of that run stand still; SIGCONT has them go on. The loop is told
   * where some still move, or are yet to come.
   */
  void suspend(RunId run, RunningStep step);

  /**
   * Tells the front ends that the step is being ended, then signals it.
   *
   * @param name what it is called, {@code 12.0}
   */
  void end(RunningStep step, String name, Effect.TerminationReason why, List<Integer> signals);

  /** Looks at what steps use, and remembers it. */
  void look(List<NamedStep> steps);

  /**
   * Tells a program of the processes of steps.
   *
   * @param pid of the step alone that this one belongs to, 0 for all
   */
  void tellFigures(Spawner.StepConnection to, int pid, boolean denied, List<NamedStep> steps);

  /** Makes a program one more front end of a step. */
  void attach(Spawner.StepConnection connection, RunningStep step);

  /** Removes the directory of a step whose end is on record. */
  void forget(Path directory);
}
