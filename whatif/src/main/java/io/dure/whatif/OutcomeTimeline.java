package io.dure.whatif;

import io.dure.twin.result.JobResult;
import java.util.Arrays;

/** What happens in the parts of the time that is looked at. */
final class OutcomeTimeline {
  private final ScenarioResult outcome;
  private final double width;
  private final double[] cpus;
  private final double[] gpus;
  private final double[] waiting;

  OutcomeTimeline(ScenarioResult outcome, int parts) {
    this.outcome = outcome;
    width = outcome.window().seconds() / parts;
    cpus = new double[parts];
    gpus = new double[parts];
    waiting = new double[parts];
    outcome.fates().forEach(this::add);
    outcome.submitted().forEach(this::add);
  }

  private void add(WhatIfJobResult fate) {
    long end = outcome.end();
    Long start = fate.start();
    if (fate.refused() != null) {
      return;
    }
    add(waiting, fate.submit(), start == null ? end : start, 1);
    if (start != null) {
      long over = fate.end() == null ? end : fate.end();
      add(cpus, start, over, fate.held().cpus());
      add(gpus, start, over, (double) fate.held().gpus());
      for (JobResult.Pause pause : fate.pauses()) {
        add(cpus, pause.from(), pause.to(), -fate.held().cpus());
        add(gpus, pause.from(), pause.to(), (double) -fate.held().gpus());
      }
    }
  }

  private void add(double[] sums, long from, long to, double weight) {
    double begin = (double) Math.max(0, from - outcome.begin());
    double end = (double) (Math.min(to, outcome.end()) - outcome.begin());
    for (int i = (int) (begin / width); i < sums.length && i * width < end; i++) {
      double within = Math.min(end, (i + 1) * width) - Math.max(begin, i * width);
      sums[i] += Math.max(0, within) * weight / width;
    }
  }

  private static double[] percent(double[] sums, double whole) {
    return Arrays.stream(sums).map(sum -> whole == 0 ? 0 : 100 * sum / whole).toArray();
  }

  /** CPUs in use in each part, of 100. */
  double[] cpus() {
    return percent(cpus, outcome.size().cpus());
  }

  /** GPUs in use in each part, of 100. */
  double[] gpus() {
    return percent(gpus, (double) outcome.size().gpus());
  }

  /** How many jobs wait in each part. */
  double[] waiting() {
    return waiting.clone();
  }
}
