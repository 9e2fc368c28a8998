package io.dure.faults.step;

import io.dure.model.command.StepEnd;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepIdentity;
import io.dure.node.step.StepRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The tasks of a step on a node: its directory, its processes, and the record of their end. */
public final class SimulatedPart {
  private final PartId id;
  final StepRequest request;
  final StepProgram program;
  final Path directory;

  /** The boot of the machine in which its directory was made, and when. */
  final int boot;

  final long made;

  /** Where output goes to; null once that is gone. */
  @Nullable PartListener front;

  /** Whether a shepherd has begun it. */
  boolean begun;

  /** How it ended, null while it has not. */
  @Nullable StepEnd end;

  /** How it would have ended, had its processes not stood still. */
  @Nullable StepEnd due;

  private boolean dying;
  private boolean stopped;
  private long since;

  SimulatedPart(PartId id, StepRequest request, Path directory, int boot, long made) {
    this.id = id;
    this.request = request;
    this.program = StepProgram.of(request.order());
    this.directory = directory;
    this.boot = boot;
    this.made = made;
    this.since = made;
  }

  /** What it is a part of. */
  public PartId id() {
    return id;
  }

  /** Whether it has processes. */
  public boolean lives() {
    return begun && end == null;
  }

  /** Whether its processes stand still. */
  public boolean isStopped() {
    return stopped;
  }

  /** Whether something has told it to end. */
  public boolean isDying() {
    return dying;
  }

  void stopped(boolean now) {
    stopped = now;
  }

  void dying() {
    dying = true;
  }

  /** When it began or ended. */
  public long since() {
    return since;
  }

  void begins(long now) {
    begun = true;
    since = now;
  }

  void ends(StepEnd how, long now) {
    end = how;
    since = now;
  }

  /** As the daemon knows it. */
  RunningStep running() {
    String node = request.share().node();
    StepIdentity identity =
        new StepIdentity(
            id.run().jobId(),
            Integer.toString(id.step()),
            node,
            request.job().owner().uid(),
            List.of(),
            "");
    return new RunningStep(new StepDirectory(directory), identity, new CompletableFuture<>());
  }
}
