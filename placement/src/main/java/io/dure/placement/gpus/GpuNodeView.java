package io.dure.placement.gpus;

import io.dure.placement.gres.GresLoad;
import org.jspecify.annotations.Nullable;

/** A node as jobs hold it. */
public interface GpuNodeView {
  /** CPUs that nobody has. */
  int freeCpus();

  /** Memory that nobody has, MiB. */
  long freeMemoryMib();

  /** What is held of its generic resources, null where it has none. */
  @Nullable GresLoad gres();
}
