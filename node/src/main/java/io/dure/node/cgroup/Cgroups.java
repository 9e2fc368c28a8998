package io.dure.node.cgroup;

import java.io.IOException;
import java.util.List;

/**
 * The control groups of this node: {@code dure/NODE/job_N/step_S} in each hierarchy that serves.
 * Any thread may use it.
 */
public interface Cgroups {
  /** Which interface of the kernel is used. */
  enum Version {
    V1,
    V2,
    NONE
  }

  Version version();

  /**
   * What is not confined and why, as a sentence for the node's record; empty when CPUs, memory and
   * processes are.
   */
  String shortcomings();

  /** Why steps cannot be kept from devices; empty where they can. */
  String deviceShortcomings();

  /**
   * Makes the groups of a step, and those of its job where there are none yet.
   *
   * @param ofJob the confinement of the job, in which those of its steps must lie
   * @throws IOException when the system refuses, for instance for a CPU that does not exist;
   *     nothing is left behind then
   */
  StepCgroup create(long jobId, String step, StepConfinement ofJob, StepConfinement confinement)
      throws IOException;

  /** The same for a step that has all that its job has. */
  default StepCgroup create(long jobId, String step, StepConfinement confinement)
      throws IOException {
    return create(jobId, step, confinement, confinement);
  }

  /**
   * A step is about to be started: what the kernel needs time for before processes can join groups
   * may begin. Does not block.
   */
  default void expectStep() {}

  /** The groups of a step made earlier, by whichever daemon. */
  StepCgroup existing(long jobId, String step);

  /**
   * The jobs that have groups now, in order: after a restart, those without a run are to be
   * removed.
   */
  List<Long> jobs();

  /** Removes the node's own groups if no job is in them: when its daemon stops. */
  void leave();
}
