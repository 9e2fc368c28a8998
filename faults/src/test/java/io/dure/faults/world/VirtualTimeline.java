package io.dure.faults.world;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;

/**
 * Virtual time: what is to happen, in the order of its moments. What is due at the same moment
 * happens in the order in which it was planned.
 */
final class VirtualTimeline {
  /** When every world begins. */
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final PriorityQueue<Moment> queue = new PriorityQueue<>();
  private long now;
  private long planned;
  private long hash;

  private record Moment(long at, long order, String what, Runnable action)
      implements Comparable<Moment> {
    @Override
    public int compareTo(Moment other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** Microseconds since the beginning. */
  long micros() {
    return now;
  }

  /** The true time. */
  Instant now() {
    return START.plusNanos(now * 1000);
  }

  /** Plans something that long from now; {@code what} is its name in the hash of the run. */
  void after(long micros, String what, Runnable action) {
    at(now + Math.max(0, micros), what, action);
  }

  /** Plans something at a moment, now if that is over. */
  void at(long micros, String what, Runnable action) {
    queue.add(new Moment(Math.max(now, micros), planned++, what, action));
  }

  /** Lets the next thing happen; false if nothing is left before the end. */
  boolean step(long end) {
    Moment next = queue.peek();
    if (next == null || next.at() > end) {
      now = Math.max(now, end);
      return false;
    }
    queue.remove();
    now = next.at();
    note(next.what(), next.order());
    next.action().run();
    return true;
  }

  /** Makes something part of the run's hash. */
  void note(String what, long value) {
    hash = (Long.rotateLeft(hash, 7) ^ now ^ (value * MIX) ^ what.hashCode()) * MIX;
  }

  /** The hash of all that has happened. */
  long hash() {
    return hash;
  }

  static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
