package io.dure.twin.report;

/**
 * Some jobs of a trace, one after the other.
 *
 * @param start the first, from 0
 * @param count how many
 */
public record TraceWindow(int start, int count) {
  /** {@code 1981:1024}. */
  public String text() {
    return start + ":" + count;
  }
}
