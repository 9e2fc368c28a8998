package io.dure.node.noderun;

import io.dure.model.command.Command;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a run is in its life on this node.
 *
 * @param id which run
 * @param phase how far it has come
 * @param termination the wish to end it, null for none
 * @param released true if the controller needs no more news of its end: it is removed once clean
 * @param suspended true if its processes are to stand still
 * @param hosts true if no script of the job runs here, only numbered steps
 */
public record RunState(
    RunId id,
    RunPhase phase,
    @Nullable RunTermination termination,
    boolean released,
    boolean suspended,
    boolean hosts) {

  /** A run of a script that is not suspended. */
  public RunState(
      RunId id, RunPhase phase, @Nullable RunTermination termination, boolean released) {
    this(id, phase, termination, released, false, false);
  }

  RunState in(RunPhase next) {
    return new RunState(id, next, termination, released, suspended, hosts);
  }

  /** What is to end goes on until then. */
  RunState ending(RunTermination next) {
    return new RunState(id, phase, next, released, false, hosts);
  }

  RunState release() {
    return new RunState(id, phase, termination, true, suspended, hosts);
  }

  RunState suspended(boolean next) {
    return new RunState(id, phase, termination, released, next, hosts);
  }

  /** What the node tells of the run when it registers. */
  public RunReport report() {
    boolean ending = termination != null;
    return switch (phase) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _, RunPhase.Hosting _ ->
          new RunReport(id.jobId(), id.run(), null, false, ending, suspended);
      case RunPhase.Ended(StepEnd end) -> new RunReport(id.jobId(), id.run(), end, false, ending);
      case RunPhase.Cleaned(StepEnd end, String error) ->
          new RunReport(id.jobId(), id.run(), end, error == null, ending);
    };
  }

  /** What the controller must hear of the run, however often, until it says that it has. */
  public List<Command.NodeCommand> news() {
    return switch (phase) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Hosting _ -> List.of();
      case RunPhase.Running _ -> List.of(new Command.StepLaunched(id.jobId(), id.run()));
      case RunPhase.Ended(StepEnd end) -> end == null ? List.of() : List.of(ended(end, false));
      case RunPhase.Cleaned(StepEnd end, String error) ->
          end == null
              ? List.of(cleaned(error))
              : error == null
                  ? List.of(ended(end, true))
                  : List.of(ended(end, false), cleaned(error));
    };
  }

  /** When time alone changes something; null for never. */
  public @Nullable Instant wakeAt() {
    RunTermination end = termination;
    return switch (phase) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _, RunPhase.Hosting _ ->
          end == null ? null : end.killAt();
      case RunPhase.Ended _, RunPhase.Cleaned _ -> null;
    };
  }

  /** Whether its step has been given to a shepherd, or is about to be, and has not ended. */
  public boolean isStarted() {
    return switch (phase) {
      case RunPhase.Starting _, RunPhase.Running _ -> true;
      case RunPhase.Preparing _, RunPhase.Hosting _, RunPhase.Ended _, RunPhase.Cleaned _ -> false;
    };
  }

  /** Whether processes of the job may be on the node. */
  public boolean isActive() {
    return switch (phase) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _, RunPhase.Hosting _ ->
          true;
      case RunPhase.Ended _, RunPhase.Cleaned _ -> false;
    };
  }

  Command.NodeCommand ended(StepEnd end, boolean clean) {
    return new Command.StepEnded(id.jobId(), id.run(), end, clean);
  }

  Command.NodeCommand cleaned(@Nullable String error) {
    return new Command.NodeCleaned(id.jobId(), id.run(), error);
  }
}
