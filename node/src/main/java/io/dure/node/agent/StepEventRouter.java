package io.dure.node.agent;

import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.node.launch.RunningStep;
import io.dure.node.login.ExternStep;
import io.dure.node.noderun.RunId;
import io.dure.node.peer.NodePeerLinks;
import io.dure.node.peer.StepEndTree;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.step.NodePeerMessage;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes what is told of a numbered step to the run that it belongs to. The loop's thread alone. */
final class StepEventRouter {
  private final StepSupervisor steps;
  private final StepEndTree ends;
  private final Function<RunId, @Nullable RunEntry> runs;
  private final Consumer<RunEntry> settle;

  /**
   * Takes it to these runs.
   *
   * @param settle told of a run one of whose steps may have been its last
   */
  StepEventRouter(
      StepSupervisor steps,
      StepEndTree ends,
      Function<RunId, @Nullable RunEntry> runs,
      Consumer<RunEntry> settle) {
    this.steps = steps;
    this.ends = ends;
    this.runs = runs;
    this.settle = settle;
  }

  /** The controller says something of a step. */
  void received(ControllerToNodeMessage message) {
    if (message instanceof ControllerToNodeMessage.TerminateStep end) {
      terminate(
          new RunId(end.jobId(), end.run()),
          end.step(),
          end.why(),
          Duration.ofSeconds(Math.max(0, end.killWaitSeconds())));
    } else if (message instanceof ControllerToNodeMessage.SignalStep signal) {
      signal(new RunId(signal.jobId(), signal.run()), signal.step(), signal.signal());
    } else if (message instanceof ControllerToNodeMessage.ForgetStep over) {
      forget(new RunId(over.jobId(), over.run()), over.step());
    } else if (message instanceof ControllerToNodeMessage.ConfirmStepParts parts) {
      confirm(new RunId(parts.jobId(), parts.run()), parts.step(), parts.batch());
    }
  }

  /** The daemon of another node of a step says something. */
  void said(NodePeerLinks.Caller from, NodePeerMessage message) {
    switch (message) {
      case NodePeerMessage.PartsEnded news -> ends.heard(from, news);
      case NodePeerMessage.Confirmed(int jobId, int run, int step, long batch) ->
          confirm(new RunId(jobId, run), step, batch);
      case NodePeerMessage.Declined(int jobId, int run, int step, long batch) ->
          ends.declined(new RunId(jobId, run), step, batch);
    }
  }

  private void confirm(RunId id, int step, long batch) {
    if (ends.confirmed(id, step, batch)) {
      forget(id, step);
    }
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
  private void forget(RunId id, int number) {
    RunEntry entry = runs.apply(id);
    if (entry != null) {
      steps.forget(entry, number);
      settle.accept(entry);
    }
  }

  /** A step is to end, or never to start. */
  private void terminate(RunId id, int number, Effect.TerminationReason why, Duration killWait) {
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
  private void signal(RunId id, int number, int signal) {
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
