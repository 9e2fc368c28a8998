package io.dure.node.agent;

import io.dure.core.node.RunState;
import io.dure.host.script.ScriptRun;
import io.dure.node.launch.RunningStep;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run in the daemon's memory. The loop's thread alone touches it. */
final class RunEntry {
  final RunStore.StoredJob job;
  RunState state;

  /** The step once a shepherd keeps it. */
  @Nullable RunningStep step;

  /** The prolog while it runs. */
  @Nullable ScriptRun prolog;

  /** True while the stored state is older than this one, because the disk is full. */
  boolean unsaved;

  /** When the controller was last told of its end. */
  Instant told;

  /** Signals and messages for the step, one after the other. */
  CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

  RunEntry(RunState state, RunStore.StoredJob job, Instant now) {
    this.state = state;
    this.job = job;
    this.told = now;
  }
}
