package io.dure.protocol;

import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the controller tells a node daemon, on the connection that the daemon opened. */
public sealed interface ControllerToNodeMessage {

  /**
   * The registration stands.
   *
   * @param known the runs the controller wants on this node; all others are to be ended
   * @param credentialKey the key with which the controller's credentials are checked, in bytes;
   *     none from a controller that signs none
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  record Welcome(List<Run> known, byte[] credentialKey) implements ControllerToNodeMessage {
    static final String TAG = "Welcome";

    /** Of a controller that signs no credentials. */
    public Welcome(List<Run> known) {
      this(known, new byte[0]);
    }
  }

  /** One run of a job. */
  record Run(int jobId, int run) {}

  /** The registration is refused, and why; the daemon tries again later. */
  record Rejected(String text) implements ControllerToNodeMessage {
    static final String TAG = "Rejected";
  }

  /**
   * Start a batch step; does nothing if the run is known here already.
   *
   * @param job the job in state Running
   * @param clusterName name of the cluster
   * @param texts its script and environment
   * @param components all components of the heterogeneous job that it leads, empty for none
   */
  record Launch(Job job, String clusterName, JobTexts texts, List<Job> components)
      implements ControllerToNodeMessage {
    static final String TAG = "Launch";
  }

  /** End the run and clean up. */
  record Terminate(
      int jobId, int run, Effect.TerminationReason why, int killWaitSeconds, @Nullable Job job)
      implements ControllerToNodeMessage {
    static final String TAG = "Terminate";
  }

  /** Signal processes of the run. */
  record Signal(int jobId, int run, int signal, Effect.Scope scope)
      implements ControllerToNodeMessage {
    static final String TAG = "Signal";
  }

  /** Let the processes of the run stand still. */
  record Suspend(int jobId, int run) implements ControllerToNodeMessage {
    static final String TAG = "Suspend";
  }

  /** Let them go on. */
  record Resume(int jobId, int run) implements ControllerToNodeMessage {
    static final String TAG = "Resume";
  }

  /** The run's end is on record; it may be forgotten. */
  record Forget(int jobId, int run) implements ControllerToNodeMessage {
    static final String TAG = "Forget";
  }

  /** End a step, or see to it that it is never started. */
  record TerminateStep(
      int jobId, int run, int step, Effect.TerminationReason why, int killWaitSeconds)
      implements ControllerToNodeMessage {
    static final String TAG = "TerminateStep";
  }

  /** Signal the tasks of a step. */
  record SignalStep(int jobId, int run, int step, int signal) implements ControllerToNodeMessage {
    static final String TAG = "SignalStep";
  }

  /** The end of a step is on record; it may be forgotten. */
  record ForgetStep(int jobId, int run, int step) implements ControllerToNodeMessage {
    static final String TAG = "ForgetStep";
  }

  /** What a {@link Command.StepPartsEnded} told is on record. */
  record ConfirmStepParts(int jobId, int run, int step, long batch)
      implements ControllerToNodeMessage {
    static final String TAG = "ConfirmStepParts";
  }

  /** Write a line to the job's standard error. */
  record Notify(int jobId, int run, String text) implements ControllerToNodeMessage {
    static final String TAG = "Notify";
  }

  /** End the daemon; jobs go on. */
  record Shutdown() implements ControllerToNodeMessage {
    static final String TAG = "Shutdown";
  }

  /** Read the configuration again. */
  record Reconfigure() implements ControllerToNodeMessage {
    static final String TAG = "Reconfigure";
  }

  /** Boot the machine, by RebootProgram. */
  record Reboot() implements ControllerToNodeMessage {
    static final String TAG = "Reboot";
  }

  /** Sent at least every few seconds, so that a dead connection is noticed. */
  record KeepAlive(@Nullable String nothing) implements ControllerToNodeMessage {
    static final String TAG = "Beat";
  }

  /**
   * The answer to {@link NodeToControllerMessage.JobsOfUser}.
   *
   * @param clusterName name of the cluster
   * @param jobs those that run on the node or are suspended there, without texts and steps
   */
  record UserJobs(int question, String clusterName, List<Job> jobs)
      implements ControllerToNodeMessage {
    static final String TAG = "UserJobs";
  }
}
