package io.dure.faults.world;

import io.dure.host.log.LibraryLogging;
import org.jspecify.annotations.Nullable;

/**
 * What MicroRaft says of errors goes to one place in the whole program; here it is told to the
 * controller whose turn it is in the world of this thread.
 */
final class RaftErrorRouter {
  private static final ThreadLocal<LibraryLogging.@Nullable Sink> PRESENT = new ThreadLocal<>();

  private RaftErrorRouter() {}

  /** From now on all are heard. */
  static void hear() {
    LibraryLogging.sendTo(RaftErrorRouter::heard);
  }

  /** From now on it is that one's turn. */
  static void of(LibraryLogging.@Nullable Sink sink) {
    PRESENT.set(sink);
  }

  private static void heard(String message, @Nullable Throwable cause) {
    LibraryLogging.Sink sink = PRESENT.get();
    if (sink != null) {
      sink.error(message, cause);
    }
  }
}
