package io.dure.model.config;

/**
 * An amount of memory per CPU or per node; Slurm lets a default or a limit be one or the other.
 *
 * @param scope what the amount is per
 * @param memoryMib the amount in MiB, above 0
 */
public record MemoryLimit(Scope scope, long memoryMib) {
  /** What an amount of memory is counted per. */
  public enum Scope {
    CPU,
    NODE
  }
}
