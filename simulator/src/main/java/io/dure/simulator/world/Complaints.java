package io.dure.simulator.world;

import io.dure.controller.replica.logging.RaftLogging;
import org.jspecify.annotations.Nullable;

/**
 * What MicroRaft says of errors goes to one place in the whole program; here it is told to the
 * controller whose turn it is in the world of this thread.
 */
final class Complaints {
  private static final ThreadLocal<RaftLogging.@Nullable Sink> PRESENT = new ThreadLocal<>();

  private Complaints() {}

  /** From now on all are heard. */
  static void hear() {
    RaftLogging.to(Complaints::heard);
  }

  /** From now on it is that one's turn. */
  static void of(RaftLogging.@Nullable Sink sink) {
    PRESENT.set(sink);
  }

  private static void heard(String message, @Nullable Throwable cause) {
    RaftLogging.Sink sink = PRESENT.get();
    if (sink != null) {
      sink.error(message, cause);
    }
  }
}
