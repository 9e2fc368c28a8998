package io.dure.model.history;

import io.dure.model.job.Allocation;
import io.dure.model.request.ResourceRequest;

/**
 * What a run asked for and what it held: whole nodes where it asked for a part of each, CPUs for
 * its memory.
 *
 * @param askedCpus CPUs that it asked for, at least 1
 * @param cpus CPUs that it held, at least 1
 * @param askedGpus GPUs that it asked for
 * @param gpus GPUs that it held
 */
public record RunResources(long askedCpus, long cpus, long askedGpus, long gpus) {
  public RunResources {
    askedCpus = Math.max(1, askedCpus);
    cpus = Math.max(1, cpus);
  }

  /** What a request asked for and got with an allocation. */
  public static RunResources of(ResourceRequest asked, Allocation held) {
    return new RunResources(asked.neededCpus(), held.cpus(), asked.totalGpus(), held.gpus());
  }
}
