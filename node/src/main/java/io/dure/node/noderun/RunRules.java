package io.dure.node.noderun;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of a run on its node: Preparing, Starting, Running, Ended, Cleaned. Pure: the daemon
 * stores the state that comes out, then performs the actions. Every input may come in every phase,
 * and again: what it has brought about already it does not bring about twice.
 */
public final class RunRules {
  /** What a node says of a step that outlives SIGKILL, in Slurm's words. */
  private static final String UNKILLABLE = "Kill task failed";

  private RunRules() {}

  /** The controller wants a run launched that is not known here. */
  public static RunDecision launch(RunId id, RunPolicy policy) {
    RunState state = new RunState(id, new RunPhase.Preparing(), null, false);
    return prepare(state, policy);
  }

  /** A numbered step is to be started of a run that is not known here. */
  public static RunDecision host(RunId id, RunPolicy policy) {
    return prepare(new RunState(id, new RunPhase.Preparing(), null, false, false, true), policy);
  }

  /**
   * The controller wants a run ended that is not known here: its step was on another node, or the
   * launch never arrived. The epilog belongs to every node of a job.
   */
  public static RunDecision terminateUnknown(RunId id, RunPolicy policy) {
    RunState state = new RunState(id, new RunPhase.Ended(null), null, false);
    return policy.epilog()
        ? new RunDecision(state, List.of(new RunAction.RunEpilog()))
        : new RunDecision(null, List.of(new RunAction.Report(state.cleaned(null))));
  }

  /** What becomes of a known run. */
  public static RunDecision on(RunState state, RunInput input, Instant now, RunPolicy policy) {
    return switch (input) {
      case RunInput.LaunchedAgain _ -> tell(state);
      case RunInput.Restored _ -> restored(state, policy);
      case RunInput.PrologEnded(String failure) -> prologEnded(state, failure, policy);
      case RunInput.StepStarted _ -> stepStarted(state);
      case RunInput.StepEnded(StepEnd end) ->
          state.isStarted() ? ended(state, end, policy) : same(state);
      case RunInput.StepsGone _ ->
          state.phase() instanceof RunPhase.Hosting && state.termination() != null
              ? ended(state, null, policy)
              : same(state);
      case RunInput.EpilogEnded(String failure) ->
          state.phase() instanceof RunPhase.Ended(StepEnd end)
              ? cleaned(state, end, failure)
              : same(state);
      case RunInput.Terminate(Effect.TerminationReason why, Duration killWait) ->
          terminate(state, why, now, now.plus(killWait));
      case RunInput.Unwanted(Duration killWait) -> unwanted(state, now, now.plus(killWait));
      case RunInput.Forget _ -> forget(state);
      case RunInput.Tick _ -> tick(state, now, policy);
      case RunInput.Suspend _ -> suspend(state, true);
      case RunInput.Resume _ -> suspend(state, false);
      case RunInput.StillMoves _ -> state.suspended() ? suspend(state, true) : same(state);
    };
  }

  /** Before its step has begun the wish is kept until then; what is to end is left alone. */
  private static RunDecision suspend(RunState state, boolean suspended) {
    if (!state.isActive() || state.termination() != null) {
      return same(state);
    }
    RunAction action = suspended ? new RunAction.SuspendStep() : new RunAction.ResumeStep();
    boolean running =
        state.phase() instanceof RunPhase.Running || state.phase() instanceof RunPhase.Hosting;
    return new RunDecision(state.suspended(suspended), running ? List.of(action) : List.of());
  }

  private static RunDecision same(RunState state) {
    return new RunDecision(state, List.of());
  }

  private static RunDecision tell(RunState state) {
    return new RunDecision(state, reports(state.news()));
  }

  private static List<RunAction> reports(List<Command.NodeCommand> news) {
    List<RunAction> actions = new ArrayList<>();
    for (Command.NodeCommand command : news) {
      actions.add(new RunAction.Report(command));
    }
    return actions;
  }

  private static RunDecision prepare(RunState state, RunPolicy policy) {
    return policy.prolog()
        ? new RunDecision(state, List.of(new RunAction.RunProlog()))
        : prologEnded(state, null, policy);
  }

  /** What was under way when the daemon ended is done again; a step is started once only. */
  private static RunDecision restored(RunState state, RunPolicy policy) {
    return switch (state.phase()) {
      case RunPhase.Preparing _ -> prepare(state, policy);
      case RunPhase.Starting _ -> new RunDecision(state, List.of(new RunAction.StartStep()));
      case RunPhase.Running _ -> new RunDecision(state, List.of(new RunAction.AdoptStep()));
      case RunPhase.Ended(StepEnd end) ->
          policy.epilog()
              ? new RunDecision(state, List.of(new RunAction.RunEpilog()))
              : cleaned(state, end, null);
      case RunPhase.Hosting _, RunPhase.Cleaned _ -> same(state);
    };
  }

  private static RunDecision prologEnded(
      RunState state, @Nullable String failure, RunPolicy policy) {
    if (!(state.phase() instanceof RunPhase.Preparing)) {
      return same(state);
    }
    boolean hosts = state.hosts();
    if (state.termination() != null) {
      StepEnd end = hosts ? null : new StepEnd.NotStarted("ended before it was started");
      return first(new RunAction.TerminateStep(), ended(state, end, policy));
    }
    if (failure != null) {
      StepEnd end = hosts ? null : new StepEnd.PrologFailed(failure);
      return first(new RunAction.RefuseSteps(failure), ended(state, end, policy));
    }
    return hosts
        ? new RunDecision(state.in(new RunPhase.Hosting()), List.of(new RunAction.AdmitSteps()))
        : new RunDecision(state.in(new RunPhase.Starting()), List.of(new RunAction.StartStep()));
  }

  /** With an action that comes before the others: numbered steps that wait for the prolog. */
  private static RunDecision first(RunAction action, RunDecision decision) {
    List<RunAction> actions = new ArrayList<>(List.of(action));
    actions.addAll(decision.actions());
    return new RunDecision(decision.next(), actions);
  }

  private static RunDecision stepStarted(RunState state) {
    if (!state.isStarted()) {
      return same(state);
    }
    RunState running = state.in(new RunPhase.Running());
    List<RunAction> actions = reports(running.news());
    RunTermination termination = running.termination();
    if (termination != null) {
      // Taken over from an earlier daemon, it may have been announced already.
      boolean announced = state.phase() instanceof RunPhase.Running;
      actions.addAll(endingOf(termination, announced));
    }
    if (running.suspended()) {
      actions.add(new RunAction.SuspendStep());
    } else if (termination == null && state.phase() instanceof RunPhase.Running) {
      // Taken over from an earlier daemon: the wish to resume may have come before the step.
      actions.add(new RunAction.ResumeStep());
    }
    return new RunDecision(running, actions);
  }

  private static List<RunAction> endingOf(RunTermination termination, boolean announced) {
    List<RunAction> actions = new ArrayList<>();
    if (!announced) {
      actions.add(new RunAction.Announce(termination.why()));
    }
    actions.add(new RunAction.TerminateStep());
    return actions;
  }

  private static RunDecision ended(RunState state, @Nullable StepEnd end, RunPolicy policy) {
    if (!policy.epilog()) {
      return cleaned(state, end, null);
    }
    RunState next = state.in(new RunPhase.Ended(end));
    List<RunAction> actions = state.released() ? new ArrayList<>() : reports(next.news());
    actions.add(new RunAction.RunEpilog());
    return new RunDecision(next, actions);
  }

  private static RunDecision cleaned(
      RunState state, @Nullable StepEnd end, @Nullable String error) {
    RunState next = state.in(new RunPhase.Cleaned(end, error));
    boolean endIsTold = state.phase() instanceof RunPhase.Ended;
    List<Command.NodeCommand> news = endIsTold ? List.of(state.cleaned(error)) : next.news();
    // A node is told to be clean even if how the step ended is not asked for.
    List<RunAction> actions = reports(state.released() ? List.of(state.cleaned(error)) : news);
    return new RunDecision(state.released() ? null : next, actions);
  }

  private static RunDecision terminate(
      RunState state, Effect.TerminationReason why, Instant now, Instant killAt) {
    RunTermination before = state.termination();
    return switch (state.phase()) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _, RunPhase.Hosting _ -> {
        if (before != null) {
          Instant earlier = killAt.isBefore(before.killAt()) ? killAt : before.killAt();
          yield same(state.ending(before.withKillAt(earlier)));
        }
        RunTermination termination = new RunTermination(why, now, killAt, false);
        List<RunAction> actions =
            switch (state.phase()) {
              case RunPhase.Running _ -> endingOf(termination, false);
              case RunPhase.Hosting _ -> List.of(new RunAction.TerminateStep());
              case RunPhase.Preparing _,
                  RunPhase.Starting _,
                  RunPhase.Ended _,
                  RunPhase.Cleaned _ ->
                  List.of();
            };
        yield new RunDecision(state.ending(termination), actions);
      }
      case RunPhase.Ended _, RunPhase.Cleaned _ -> tell(state);
    };
  }

  private static RunDecision unwanted(RunState state, Instant now, Instant killAt) {
    return switch (state.phase()) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _, RunPhase.Hosting _ ->
          terminate(state.release(), Effect.TerminationReason.ENDED, now, killAt);
      case RunPhase.Ended _ -> same(state.release());
      case RunPhase.Cleaned _ -> new RunDecision(null, List.of());
    };
  }

  private static RunDecision forget(RunState state) {
    return switch (state.phase()) {
      // The controller forgets only what has ended: this is a mistake, and the next registration
      // settles it.
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _, RunPhase.Hosting _ ->
          same(state);
      case RunPhase.Ended _ -> same(state.release());
      case RunPhase.Cleaned _ -> new RunDecision(null, List.of());
    };
  }

  private static RunDecision tick(RunState state, Instant now, RunPolicy policy) {
    RunTermination termination = state.termination();
    if (termination == null || now.isBefore(termination.killAt())) {
      return same(state);
    }
    return switch (state.phase()) {
      case RunPhase.Preparing _ -> new RunDecision(state, List.of(new RunAction.KillProlog()));
      case RunPhase.Running _, RunPhase.Hosting _ -> kill(state, termination, now, policy);
      case RunPhase.Starting _, RunPhase.Ended _, RunPhase.Cleaned _ -> same(state);
    };
  }

  private static RunDecision kill(
      RunState state, RunTermination termination, Instant now, RunPolicy policy) {
    RunAction kill = new RunAction.KillStep();
    Instant patience = termination.killAt().plus(policy.unkillableAfter());
    if (termination.unfitReported() || now.isBefore(patience)) {
      return new RunDecision(state, List.of(kill));
    }
    RunAction report = new RunAction.Report(new Command.NodeUnfit(UNKILLABLE));
    return new RunDecision(state.ending(termination.reported()), List.of(kill, report));
  }
}
