package io.dure.host.net;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection under a thread that has been blocked on it for too long.
 *
 * <p>A unix socket channel knows no time limit of its own, a TLS socket none for sending, and
 * neither a limit for a whole frame. A selector would serve the first, but costs a short-lived
 * command 4 ms; the thread of {@link DeadlineTimer} costs 0.1 ms and is started by the first
 * limited call only.
 */
final class ConnectionWatchdog {
  private final Closeable victim;
  private boolean watching;
  private boolean fired;
  private boolean ended;
  private long deadline;
  private DeadlineTimer.@Nullable Entry entry;

  ConnectionWatchdog(Closeable victim) {
    this.victim = victim;
  }

  /** Begins to watch; 0 nanoseconds means no limit. */
  synchronized void start(long nanos) {
    watching = nanos > 0 && !ended;
    if (!watching) {
      return;
    }
    deadline = System.nanoTime() + nanos;
    DeadlineTimer.Entry waiting = entry;
    if (waiting != null && waiting.at() - deadline <= 0) {
      // It is woken before that, and then waits for the rest.
      return;
    }
    if (waiting != null) {
      DeadlineTimer.shared().forget(waiting);
    }
    entry = DeadlineTimer.shared().enter(deadline, this::wake);
  }

  /** Stops watching; true if the connection was closed because its time was over. */
  synchronized boolean stop() {
    watching = false;
    return fired;
  }

  /** Watches no more, and nothing of it is left behind. */
  synchronized void end() {
    watching = false;
    ended = true;
    if (entry != null) {
      DeadlineTimer.shared().forget(entry);
      entry = null;
    }
  }

  private synchronized void wake() {
    entry = null;
    if (!watching) {
      return;
    }
    if (deadline - System.nanoTime() > 0) {
      entry = DeadlineTimer.shared().enter(deadline, this::wake);
      return;
    }
    watching = false;
    fired = true;
    // Apart, for all other time limits wait behind this call.
    Thread.ofVirtual().name("time is over").start(this::close);
  }

  private void close() {
    try {
      victim.close();
    } catch (IOException e) {
      // A connection that cannot be closed is closed already.
      return;
    }
  }
}
