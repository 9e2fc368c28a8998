package io.dure.model.command;

import java.util.List;

/**
 * Something to do once the events of the same decision are durable. Each may be done again after a
 * restart and changes nothing then.
 */
public sealed interface Effect {

  /** Something that a node's daemon does. */
  sealed interface OnNode extends Effect {
    /** The node concerned. */
    String node();
  }

  /** Run PrologSlurmctld for a run; answered by {@link Command.PrologEnded}. */
  record RunProlog(int jobId, int run) implements Effect {}

  /** Run EpilogSlurmctld for a run; answered by {@link Command.EpilogEnded}. */
  record RunEpilog(int jobId, int run) implements Effect {}

  /** Start the batch step of a run on its batch host. */
  record Launch(String node, int jobId, int run) implements OnNode {}

  /** End whatever of the run is there: SIGTERM, KillWait, SIGKILL, epilog; then say it is clean. */
  record Terminate(String node, int jobId, int run, TerminationReason why) implements OnNode {}

  /** Signal the processes of a run. */
  record Signal(String node, int jobId, int run, int signal, Scope scope) implements OnNode {}

  /** Let the processes of a run stand still. */
  record Suspend(String node, int jobId, int run) implements OnNode {}

  /** Let them go on. */
  record Resume(String node, int jobId, int run) implements OnNode {}

  /** The end of the run is on record: the node may forget it. */
  record Forget(String node, int jobId, int run) implements OnNode {}

  /**
   * End a step: SIGTERM, KillWait, SIGKILL. Where it was not launched it never is, and that is told
   * as its end.
   */
  record TerminateStep(String node, int jobId, int run, int step, TerminationReason why)
      implements OnNode {}

  /** Signal the tasks of a step. */
  record SignalStep(String node, int jobId, int run, int step, int signal) implements OnNode {}

  /** The end of a step on a node is on record: the node may forget it. */
  record ForgetStep(String node, int jobId, int run, int step) implements OnNode {}

  /** The ends that a node has collected of a step are on record. */
  record ConfirmStepParts(String node, int jobId, int run, int step, long batch)
      implements OnNode {}

  /** Write a line to the job's standard error. */
  record Notify(String node, int jobId, int run, String text) implements OnNode {}

  /** Have the node's daemon run RebootProgram. */
  record Reboot(String node) implements Effect {}

  /** Run SuspendProgram, ResumeProgram or ResumeFailProgram for some nodes. */
  record SwitchPower(PowerAction action, List<String> nodes) implements Effect {
    /** A program for some nodes. */
    public SwitchPower {
      nodes = List.copyOf(nodes);
    }
  }

  /** What a program is to do with the power of nodes. */
  enum PowerAction {
    SUSPEND,
    RESUME,
    /** It is told of nodes that did not come. */
    RESUME_FAILED
  }

  /** Why a run is ended, for the line in its output. */
  enum TerminationReason {
    CANCELLED,
    TIME_LIMIT,
    REQUEUED,
    NODE_FAILURE,
    ENDED,
    PREEMPTED,
    /** Its job goes on without the node: it is not asked first. */
    RESIZED
  }

  /** Which processes a signal is for. */
  enum Scope {
    /** The batch shell alone. */
    BATCH_SHELL,
    /** Steps, not the batch shell: nothing while a job has no steps of its own. */
    STEPS,
    /** Everything of the job. */
    ALL
  }

  /** The program of a trigger is to be run, with what it is told. */
  record RunTrigger(int id, String program, String told) implements Effect {}
}
