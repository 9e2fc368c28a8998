package io.dure.faults.step;

import io.dure.node.noderun.RunId;
import java.util.Comparator;

/**
 * A numbered step of a run; on a node, its part there.
 *
 * @param run the run
 * @param step its number
 */
public record PartId(RunId run, int step) implements Comparable<PartId> {
  private static final Comparator<PartId> ORDER =
      Comparator.comparing(PartId::run).thenComparingInt(PartId::step);

  /** How the story calls it. */
  public String text() {
    return "step " + run.text() + "." + step;
  }

  @Override
  public int compareTo(PartId other) {
    return ORDER.compare(this, other);
  }
}
