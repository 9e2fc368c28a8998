package io.dure.node.agent;

import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.node.launch.RunningStep;
import io.dure.node.login.ExternStep;
import io.dure.node.noderun.RunId;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes what is told of a numbered step to the run that it belongs to. The loop's thread alone. */
final class StepEventRouter {
  private final StepSupervisor steps;
  private final Function<RunId, @Nullable RunEntry> runs;
  private final Consumer<RunEntry> settle;

  /**
   * Takes it to these runs.
   *
   * @param settle told of a run one of whose steps may have been its last
   */
  StepEventRouter(
      StepSupervisor steps, Function<RunId, @Nullable RunEntry> runs, Consumer<RunEntry> settle) {
    this.steps = steps;
    this.runs = runs;
    this.settle = settle;
  }

  /** A shepherd keeps a step. */
  void kept(RunId id, int number, RunningStep step) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      steps.kept(entry, number, step);
    }
  }

  /** A step has ended. */
  void over(RunId id, int number, StepEnd end) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      steps.over(entry, number, end);
      settle.accept(entry);
    }
  }

  /** The end of a step is on record. */
  void forget(RunId id, int number) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      steps.forget(entry, number);
    }
  }

  /** A step is to end, or never to start. */
  void terminate(RunId id, int number, Effect.TerminationReason why, Duration killWait) {
    RunEntry entry = runs.apply(id);
    steps.terminate(id, entry, number, why, killWait);
    if (entry != null) {
      settle.accept(entry);
    }
  }

  /** An earlier daemon has let logins into a run. */
  void loginsFound(RunId id, ExternStep step) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      steps.loginsFound(entry, step);
    }
  }

  /** No process of logins is left. */
  void loginsOver(RunId id) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      entry.extern = null;
      settle.accept(entry);
    }
  }

  /** A signal to one step. */
  void signal(RunId id, int number, int signal) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      steps.signal(entry, number, signal);
    }
  }

  /** A signal to all steps of a run. */
  void signalAll(RunEntry entry, int signal) {
    steps.signal(entry, signal);
  }
}
