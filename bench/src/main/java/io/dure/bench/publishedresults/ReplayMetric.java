package io.dure.bench.publishedresults;

import io.dure.twin.report.DistributionSummary;

/** A number of a replay that was published. */
public enum ReplayMetric {
  SLOWDOWN_MEAN("mean bounded slowdown"),
  SLOWDOWN_P99("p99 bounded slowdown"),
  WAIT_MEAN("mean wait, s"),
  WAIT_MAX("longest wait, s");

  private final String text;

  ReplayMetric(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }

  /** The number, among those of a replay. */
  public double of(DistributionSummary boundedSlowdown, DistributionSummary waitSeconds) {
    return switch (this) {
      case SLOWDOWN_MEAN -> boundedSlowdown.mean();
      case SLOWDOWN_P99 -> boundedSlowdown.p99();
      case WAIT_MEAN -> waitSeconds.mean();
      case WAIT_MAX -> waitSeconds.max();
    };
  }
}
