package io.dure.core.config;

import org.jspecify.annotations.Nullable;

/**
 * Default and largest memory of jobs, MiB; of a pair at most one is set.
 *
 * @param defaultPerCpuMib DefMemPerCPU, null where not set
 * @param defaultPerNodeMib DefMemPerNode, null where not set
 * @param maxPerCpuMib MaxMemPerCPU, null where not set
 * @param maxPerNodeMib MaxMemPerNode, null where not set
 */
public record MemoryLimits(
    @Nullable Long defaultPerCpuMib,
    @Nullable Long defaultPerNodeMib,
    @Nullable Long maxPerCpuMib,
    @Nullable Long maxPerNodeMib) {
  /** Nothing set. */
  public static final MemoryLimits NONE = new MemoryLimits(null, null, null, null);
}
