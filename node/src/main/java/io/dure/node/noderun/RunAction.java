package io.dure.node.noderun;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;

/** What the node daemon does once the new state of a run is stored. */
public sealed interface RunAction {

  /** Run the prolog; answered by {@link RunInput.PrologEnded}. */
  record RunProlog() implements RunAction {}

  /** End the prolog; it is answered as if it had failed. */
  record KillProlog() implements RunAction {}

  /**
   * Give the step to a shepherd, or take it over if one has it already; answered by {@link
   * RunInput.StepStarted} and, once it is over, by {@link RunInput.StepEnded}.
   */
  record StartStep() implements RunAction {}

  /** Take over a step that an earlier daemon started; answered like {@link StartStep}. */
  record AdoptStep() implements RunAction {}

  /** Start the numbered steps that wait for the prolog, where no script is started. */
  record AdmitSteps() implements RunAction {}

  /** Those that wait for the prolog will not start: it failed so. */
  record RefuseSteps(String failure) implements RunAction {}

  /** Write the line that says why the job is ended to its standard error. */
  record Announce(Effect.TerminationReason why) implements RunAction {}

  /** SIGCONT and SIGTERM to every process of the step. */
  record TerminateStep() implements RunAction {}

  /** SIGKILL to every process of the step. */
  record KillStep() implements RunAction {}

  /** Run the epilog; answered by {@link RunInput.EpilogEnded}. */
  record RunEpilog() implements RunAction {}

  /** Tell the controller, if it is there now. */
  record Report(Command.NodeCommand command) implements RunAction {}

  /** SIGSTOP to every process of the step, until none is left that moves. */
  record SuspendStep() implements RunAction {}

  /** SIGCONT to every process of the step. */
  record ResumeStep() implements RunAction {}
}
