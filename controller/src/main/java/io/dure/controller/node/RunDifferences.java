package io.dure.controller.node;

import io.dure.cluster.RunReconciliation;
import java.util.Set;

/**
 * In what a node's list of runs has differed from the state. A single difference means little, for
 * messages are always under way; one that is still there with the next list is real. One thread.
 */
final class RunDifferences {
  private Set<RunReconciliation.RunMismatch> former = Set.of();

  /**
   * Takes the differences of a list.
   *
   * @return true if one of them was there before; all then count as new again, so that what is
   *     being mended has time
   */
  boolean hasLasted(Set<RunReconciliation.RunMismatch> doubts) {
    boolean lasted = doubts.stream().anyMatch(former::contains);
    former = lasted ? Set.of() : doubts;
    return lasted;
  }
}
