package io.dure.simulator.twin;

import java.util.List;

/**
 * What came of a replay.
 *
 * @param results one for each job, in the order of the trace
 * @param cpus the machine's CPUs
 * @param digest SHA-256 of all starts in their order, with time, job and what it was given; equal
 *     schedules have equal digests
 */
public record Schedule(List<JobResult> results, int cpus, String digest) {
  public Schedule {
    results = List.copyOf(results);
  }
}
