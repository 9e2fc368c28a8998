package io.dure.node.agent;

import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.launch.SignalScope;
import io.dure.node.noderun.RunId;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does for a run what takes time, and tells the loop when it is done. The loop's thread calls;
 * nothing blocks unless it says so.
 */
public interface RunActions {
  /** What is needed to start a run's step, and to start it again. */
  record Launch(RunId id, RunSpool.StoredJob job, NodeLocalConfig setup, Path directory) {}

  /** Runs the prolog; the result ends it, which is then told as its end. */
  Runnable prolog(Launch launch);

  /**
   * Runs the epilog.
   *
   * @param end how the script ended, null if it was on another node
   * @param worst the worst end of a numbered step here, null if it is not known
   */
  void epilog(Launch launch, @Nullable StepEnd end, @Nullable ExitStatus worst);

  /** Gives the step to a shepherd, or takes it over from one. */
  void start(Launch launch);

  /** Whether the run's step has ended and left a record of how. */
  boolean hasEnded(Launch launch);

  /** Takes over a step that an earlier daemon started. */
  void adopt(Launch launch);

  /** Writes a line to the job's standard error. */
  void write(RunEntry entry, NodeLocalConfig setup, String line);

  /** SIGTERM to the step, as soon as it has a process. */
  void terminate(RunEntry entry);

  /** SIGKILL to the step. */
  void kill(RunEntry entry);

  /** Runs UnkillableStepProgram, where there is one: the step outlives SIGKILL. */
  void unkillable(Launch launch);

  /** Lets the processes of the step stand still, also those that it makes meanwhile. */
  void suspend(RunEntry entry);

  /** Lets them go on. */
  void resume(RunEntry entry);

  /** Looks how much memory the step has, and kills it where the site says so. */
  void watch(RunEntry entry, NodeLocalConfig setup);

  /** A signal to the step. */
  void signal(RunEntry entry, int signal, SignalScope scope);

  /** Kills what runs of unknown jobs. Blocks, because the job may come again. */
  void sweep(Set<Long> known);

  /**
   * Ends the processes of a run whose record cannot be read, for they would be unknown from then
   * on. Blocks for a while.
   */
  void killUnreadableRun(Path runDirectory);
}
