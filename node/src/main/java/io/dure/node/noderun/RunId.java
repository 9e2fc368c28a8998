package io.dure.node.noderun;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job, as the node daemon names it.
 *
 * @param jobId job id, at least 1
 * @param run run number of the launch
 */
public record RunId(int jobId, int run) implements Comparable<RunId> {
  private static final Comparator<RunId> ORDER =
      Comparator.comparingInt(RunId::jobId).thenComparingInt(RunId::run);

  /** {@code 12.1}: the name of its directory. */
  public String text() {
    return jobId + "." + run;
  }

  /** The run of that {@link #text}; null if it is none. */
  public static @Nullable RunId parse(String text) {
    int dot = text.indexOf('.');
    try {
      RunId id =
          dot < 0
              ? null
              : new RunId(
                  Integer.parseInt(text.substring(0, dot)),
                  Integer.parseInt(text.substring(dot + 1)));
      return id != null && id.text().equals(text) ? id : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public int compareTo(RunId other) {
    return ORDER.compare(this, other);
  }
}
