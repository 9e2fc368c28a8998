package io.dure.node.agent;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The two clocks of a daemon. Any thread may read them.
 *
 * @param wall the machine's, for what people read; it jumps when it is set
 * @param steady begins with the machine's time and never jumps, for what lasts or comes again
 */
public record DaemonClocks(InstantSource wall, InstantSource steady) {
  /** A wall clock, and a steady one that goes on from its present time. */
  public static DaemonClocks of(InstantSource wall) {
    Instant start = wall.instant();
    long began = System.nanoTime();
    return new DaemonClocks(wall, () -> start.plusNanos(System.nanoTime() - began));
  }
}
