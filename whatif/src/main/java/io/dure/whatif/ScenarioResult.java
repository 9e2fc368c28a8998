package io.dure.whatif;

import io.dure.twin.result.ReplayResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What comes of one supposition, or of none.
 *
 * @param title what is supposed
 * @param fates of all jobs that the others have as well, in the same order
 * @param submitted of the jobs that were submitted here alone
 * @param interruptions what befell jobs while they ran, since the begin
 * @param digest equal for equal schedules
 * @param size what there is
 * @param window the time that is looked at
 * @param remarks what keeps a change from having an effect, in sentences
 */
record ScenarioResult(
    String title,
    List<WhatIfJobResult> fates,
    List<WhatIfJobResult> submitted,
    ReplayResult.Interruptions interruptions,
    String digest,
    Size size,
    TimeWindow window,
    List<String> remarks) {
  ScenarioResult {
    remarks = List.copyOf(remarks);
    fates = List.copyOf(fates);
    submitted = List.copyOf(submitted);
  }

  /**
   * What there is.
   *
   * @param cpus CPUs of all nodes
   * @param gpus GPUs of all nodes
   * @param openCpus CPUs of the nodes on which jobs may start
   * @param openGpus GPUs of the nodes on which jobs may start
   */
  record Size(int cpus, long gpus, int openCpus, long openGpus) {}

  long begin() {
    return window.from().getEpochSecond();
  }

  long end() {
    return window.to().getEpochSecond();
  }

  /** Part of the CPUs in use, 0 to 1. */
  double cpusInUse() {
    double held = 0;
    for (WhatIfJobResult fate : all()) {
      held += fate.heldWithin(begin(), end()) * fate.held().cpus();
    }
    return size.cpus() == 0 ? 0 : held / (window.seconds() * size.cpus());
  }

  /** Part of the GPUs in use, 0 to 1. */
  double gpusInUse() {
    double held = 0;
    for (WhatIfJobResult fate : all()) {
      held += fate.heldWithin(begin(), end()) * (double) fate.held().gpus();
    }
    return size.gpus() == 0 ? 0 : held / (window.seconds() * size.gpus());
  }

  private List<WhatIfJobResult> all() {
    List<WhatIfJobResult> all = new ArrayList<>(fates);
    all.addAll(submitted);
    return all;
  }

  /** The jobs at those places. */
  List<WhatIfJobResult> at(List<Integer> places) {
    return places.stream().map(fates::get).toList();
  }

  /** How many were refused, by what was said. */
  Map<String, Integer> refused(List<Integer> places) {
    Map<String, Integer> refused = new TreeMap<>();
    for (WhatIfJobResult fate : at(places)) {
      if (fate.refused() != null) {
        refused.merge(fate.refused(), 1, Integer::sum);
      }
    }
    return refused;
  }

  /** The places of jobs by what they have in common. */
  static Map<String, List<Integer>> grouped(
      List<Integer> places,
      List<WhatIfJobResult> fates,
      Function<WhatIfJobResult.JobOwnerFacts, String> by) {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int place : places) {
      groups.computeIfAbsent(by.apply(fates.get(place).who()), _ -> new ArrayList<>()).add(place);
    }
    return groups;
  }
}
