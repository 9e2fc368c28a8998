package io.dure.simulator.twin.published;

import io.dure.simulator.twin.report.Distribution;

/** A number of a replay that was published. */
public enum Figure {
  SLOWDOWN_MEAN("mean bounded slowdown"),
  SLOWDOWN_P99("p99 bounded slowdown"),
  WAIT_MEAN("mean wait, s"),
  WAIT_MAX("longest wait, s");

  private final String text;

  Figure(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }

  /** The number, among those of a replay. */
  public double of(Distribution boundedSlowdown, Distribution waitSeconds) {
    return switch (this) {
      case SLOWDOWN_MEAN -> boundedSlowdown.mean();
      case SLOWDOWN_P99 -> boundedSlowdown.p99();
      case WAIT_MEAN -> waitSeconds.mean();
      case WAIT_MAX -> waitSeconds.max();
    };
  }
}
