package io.dure.host.gpu;

import java.util.Set;

/**
 * Numbers of the errors that NVIDIA's driver reports.
 *
 * @see <a href="https://docs.nvidia.com/deploy/xid-errors/">XID errors</a>
 */
final class Xid {
  /**
   * Graphics exception, page fault, preemptive removal, video exceptions, stopped by a debugger.
   */
  private static final Set<Long> OF_THE_PROGRAM = Set.of(13L, 31L, 43L, 45L, 68L, 109L);

  private Xid() {}

  /** Whether a program causes it as a rule, so that it says nothing of the GPU. */
  static boolean isOfTheProgram(long xid) {
    return OF_THE_PROGRAM.contains(xid);
  }
}
