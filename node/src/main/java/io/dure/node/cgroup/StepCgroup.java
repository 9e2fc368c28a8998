package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The control groups of one step. Any thread may use it; a group that is gone reads as empty. */
public interface StepCgroup {
  /**
   * The directories whose {@code cgroup.procs} the step's first process must join; empty without
   * control groups.
   */
  List<Path> directories();

  /** The pids in the groups now. */
  List<Long> processes();

  /** Kills every process in the groups; it does not wait for their end. */
  void kill();

  /**
   * How many of the step's processes the kernel has killed for want of memory; 0 where that cannot
   * be told.
   */
  long oomKills();

  /** Memory of the step that no file backs, in bytes; 0 where that cannot be told. */
  long memoryBytes();

  /**
   * Processor time of all its processes outside the kernel, microseconds; 0 where that is unknown.
   */
  long userMicros();

  /** That in the kernel. */
  long systemMicros();

  /**
   * Removes the groups, and the job's when this was its last step. Processes that are just ending
   * are waited for a little.
   *
   * @return false when processes are still in there
   * @throws IOException when the system refuses for another reason
   */
  boolean remove() throws IOException;
}
