package io.dure.controller.service;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import org.jspecify.annotations.Nullable;

/**
 * Whether what the controller remembers fills its memory, as the last collection of garbage found:
 * further jobs must be rejected then, instead of ending the controller. Any thread.
 */
final class HeapGuard {
  private static final double FULL = 0.7;

  private final @Nullable MemoryPoolMXBean pool = longLived();

  private static @Nullable MemoryPoolMXBean longLived() {
    MemoryPoolMXBean found = null;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      boolean bounded = pool.getUsage() != null && pool.getUsage().getMax() > 0;
      if (pool.getType() == MemoryType.HEAP
          && bounded
          && pool.isUsageThresholdSupported()
          && pool.isCollectionUsageThresholdSupported()) {
        found = pool;
      }
    }
    if (found != null) {
      found.setCollectionUsageThreshold((long) (FULL * found.getUsage().getMax()));
    }
    return found;
  }

  /** True if there is no room for more jobs. */
  boolean full() {
    return pool != null && pool.isCollectionUsageThresholdExceeded();
  }
}
