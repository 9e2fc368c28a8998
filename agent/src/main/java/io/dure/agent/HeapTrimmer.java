package io.dure.agent;

/**
 * Keeps the heap small: left alone it would grow to its bound before what is old is looked at. One
 * thread.
 */
final class HeapTrimmer {
  private static final long ALWAYS_FINE = 96L << 20;
  private static final int GROWTH = 2;

  private long kept;

  /** Collects what is garbage if there may be much of it. */
  void look() {
    if (used() > Math.max(ALWAYS_FINE, GROWTH * kept)) {
      System.gc();
      kept = used();
    }
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
