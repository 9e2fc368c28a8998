package io.dure.controller.service;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether what the controller remembers fills its memory: further jobs must be rejected then,
 * instead of ending the controller. A collection that runs beside the program counts garbage that
 * it has not yet removed, and on a busy machine that may be most of the memory. So its word is a
 * suspicion, and only what a whole collection leaves is believed. One is asked for when there is a
 * suspicion, which needs that much new garbage first; and while memory is full, not more often than
 * {@link #AGAIN}, since nothing else may tell that it is not any more. Any thread.
 */
final class HeapGuard {
  private static final double FULL = 0.7;

  /** For how long memory that was found full is taken to be full. */
  static final Duration AGAIN = Duration.ofSeconds(10);

  /** The memory of a program. */
  interface Memory {
    /** Whether more than the bound was in use after the last collection of any kind. */
    boolean seemsFull();

    /** Collects all that nothing refers to; returns once it is done. */
    void collect();
  }

  /** What this process keeps for long. */
  private record LongLived(@Nullable MemoryPoolMXBean pool) implements Memory {
    @Override
    public boolean seemsFull() {
      return pool != null && pool.isCollectionUsageThresholdExceeded();
    }

    @Override
    public void collect() {
      System.gc();
    }
  }

  private final Memory memory;
  private final LongSupplier nanos;
  private boolean full;
  private long confirmed;

  HeapGuard() {
    this(new LongLived(longLived()), System::nanoTime);
  }

  HeapGuard(Memory memory, LongSupplier nanos) {
    this.memory = memory;
    this.nanos = nanos;
  }

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
    return memory.seemsFull() && surelyFull();
  }

  private synchronized boolean surelyFull() {
    if (full && nanos.getAsLong() - confirmed < AGAIN.toNanos()) {
      return memory.seemsFull();
    }
    // Another thread may have had it collected meanwhile.
    if (memory.seemsFull()) {
      memory.collect();
      full = memory.seemsFull();
      confirmed = nanos.getAsLong();
    } else {
      full = false;
    }
    return full;
  }
}
