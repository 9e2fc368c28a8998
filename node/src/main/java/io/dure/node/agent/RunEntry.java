package io.dure.node.agent;

import io.dure.model.ExitStatus;
import io.dure.model.job.Job;
import io.dure.model.step.Step;
import io.dure.model.step.StepName;
import io.dure.node.launch.RunningStep;
import io.dure.node.login.ExternStep;
import io.dure.node.login.LoginRequest;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.noderun.RunPhase;
import io.dure.node.noderun.RunState;
import io.dure.node.usage.NamedStep;
import io.dure.protocol.StepLaunchOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run in the daemon's memory. The loop's thread alone touches it. */
public final class RunEntry {
  final RunSpool.StoredJob job;
  RunState state;

  /** The step once a shepherd keeps it. */
  @Nullable RunningStep step;

  /** Its numbered steps whose ends are not on record. */
  final TreeMap<Integer, StepEntry> steps = new TreeMap<>();

  /** The worst end that a numbered step had here, null where an earlier daemon saw some of them. */
  @Nullable ExitStatus worst = ExitStatus.OK;

  /** Logins that wait for the prolog. */
  final List<LoginRequest> logins = new ArrayList<>();

  /** The processes of logins that joined, and may be left. */
  @Nullable ExternStep extern;

  /** How its script ended while numbered steps were left, which have to end first. */
  @Nullable RunInput held;

  /** When those are killed. */
  @Nullable Instant killSteps;

  /**
   * Whether the controller has all of it but ends of its numbered steps, which it is told first.
   */
  boolean forgotten;

  /** Ends the prolog, once there is one. */
  @Nullable Runnable prolog;

  /** True while the stored state is older than this one, because the disk is full. */
  boolean unsaved;

  /** When the controller was last told of its end. */
  Instant told;

  /** Signals and messages for the step, one after the other. */
  CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

  RunEntry(RunState state, RunSpool.StoredJob job, Instant now) {
    this.state = state;
    this.job = job;
    this.told = now;
  }

  /** Whether steps and logins may still come to it. */
  boolean takesMore() {
    return state.isActive() && state.termination() == null && held == null;
  }

  /** Its steps that run. */
  List<NamedStep> running() {
    List<NamedStep> running = new ArrayList<>();
    Job of = job.job();
    RunningStep script = step;
    if (script != null && state.phase() instanceof RunPhase.Running) {
      running.add(new NamedStep(of, Step.BATCH.text(), script::processes, script, null));
    }
    ExternStep logins = extern;
    if (logins != null) {
      running.add(new NamedStep(of, ExternStep.NAME, logins, null, null));
    }
    for (StepEntry entry : steps.values()) {
      RunningStep numbered = entry.running;
      if (numbered != null && entry.end == null) {
        StepLaunchOrder order = entry.request == null ? null : entry.request.order();
        String name = StepName.text(entry.number);
        running.add(new NamedStep(of, name, numbered::processes, numbered, order));
      }
    }
    return running;
  }

  /** Which run it is. */
  public RunId id() {
    return state.id();
  }
}
