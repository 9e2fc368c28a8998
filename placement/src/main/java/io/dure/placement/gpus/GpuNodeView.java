package io.dure.placement.gpus;

import io.dure.placement.gres.GresLoad;
import org.jspecify.annotations.Nullable;

/** A node as jobs hold it. */
public interface GpuNodeView {
  /** Free CPUs. */
  int freeCpus();

  /** Free memory, MiB. */
  long freeMemoryMib();

  /** What is held of its generic resources, null where it has none. */
  @Nullable GresLoad gres();
}
