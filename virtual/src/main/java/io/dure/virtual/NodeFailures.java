package io.dure.virtual;

import io.dure.rules.PlannerTime;
import org.jspecify.annotations.Nullable;

/** When nodes of a virtual cluster fail and come back. Used once, by one thread. */
public interface NodeFailures {
  /** No node ever fails. */
  NodeFailures NONE =
      new NodeFailures() {
        @Override
        public long next() {
          return PlannerTime.NEVER;
        }

        @Override
        public boolean anyDown() {
          return false;
        }

        @Override
        public @Nullable Change poll(long second) {
          return null;
        }
      };

  /**
   * What happens to a node.
   *
   * @param second when
   * @param node its position
   * @param fails whether it fails; else it comes back
   */
  record Change(long second, int node, boolean fails) implements Comparable<Change> {
    @Override
    public int compareTo(Change other) {
      int byTime = Long.compare(second, other.second);
      return byTime == 0 ? Integer.compare(node, other.node) : byTime;
    }
  }

  /** When the next change comes, {@link PlannerTime#NEVER} or more for never. */
  long next();

  /** Whether a node is down. */
  boolean anyDown();

  /** The next change if it has come by then, else null. */
  @Nullable Change poll(long second);
}
