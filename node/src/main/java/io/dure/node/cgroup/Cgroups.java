package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Path;
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
   * What is not confined and why, as a sentence for the node's record; empty when CPUs and memory
   * both are.
   */
  String shortcomings();

  /**
   * Makes the groups of a step. The confinement of a job's first step is the job's as well; later
   * ones must lie within.
   *
   * @throws IOException when the system refuses, for instance for a CPU that does not exist;
   *     nothing is left behind then
   */
  StepCgroup create(long jobId, String step, StepConfinement confinement) throws IOException;

  /** The groups of a step made earlier, by whichever daemon. */
  StepCgroup existing(long jobId, String step);

  /**
   * The jobs that have groups now, in order: after a restart, those without a run are to be
   * removed.
   */
  List<Long> jobs();

  /** Removes the node's own groups if no job is in them: when the node is taken down. */
  void leave();

  /**
   * The best that this machine allows: version 2 where it offers CPUs or memory, else version 1,
   * else version 2 for tracking alone, else none. It finds out by making the node's own groups.
   *
   * @param nodeName a name that no other node daemon of this machine has
   */
  static Cgroups detect(String nodeName) {
    return CgroupMounts.read(Path.of("/proc/self/mountinfo")).choose(nodeName);
  }

  /** No control groups, for the given reason. */
  static Cgroups none(String reason) {
    return new NoCgroups(reason);
  }
}
