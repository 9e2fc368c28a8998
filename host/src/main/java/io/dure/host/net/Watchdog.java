package io.dure.host.net;

import java.io.Closeable;
import java.io.IOException;

/**
 * Closes a connection under a thread that has been blocked on it for too long.
 *
 * <p>A unix socket channel knows no time limit of its own, a TLS socket none for sending, and
 * neither a limit for a whole frame. A selector would serve the first, but costs a short-lived
 * command 4 ms; a thread costs 0.1 ms and is started by the first limited call only. It is woken
 * for a deadline before the one that it sleeps towards, not for each of the many that are met.
 */
final class Watchdog {
  private final Closeable victim;
  private boolean started;
  private boolean watching;
  private boolean fired;
  private boolean ended;
  private boolean resting;
  private long alarm;
  private long deadline;

  Watchdog(Closeable victim) {
    this.victim = victim;
  }

  /** Begins to watch; 0 nanoseconds means no limit. */
  synchronized void start(long nanos) {
    watching = nanos > 0;
    if (!watching) {
      return;
    }
    deadline = System.nanoTime() + nanos;
    if (started) {
      if (resting || deadline - alarm < 0) {
        notifyAll();
      }
      return;
    }
    started = true;
    // A daemon has thousands of connections, and a command no use for a scheduler of its own.
    Thread.Builder builder =
        Thread.currentThread().isVirtual() ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    builder.name("connection time limit").start(this::watch);
  }

  /** Stops watching; true if the connection was closed because its time was over. */
  synchronized boolean stop() {
    watching = false;
    return fired;
  }

  /** Lets the thread go. */
  synchronized void end() {
    watching = false;
    ended = true;
    notifyAll();
  }

  private void watch() {
    try {
      if (!expired()) {
        return;
      }
      victim.close();
    } catch (InterruptedException | IOException e) {
      // Nobody interrupts this thread, and a connection that cannot be closed is closed already.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean expired() throws InterruptedException {
    while (!ended) {
      long left = deadline - System.nanoTime();
      if (!watching) {
        resting = true;
        wait();
        resting = false;
      } else if (left <= 0) {
        fired = true;
        return true;
      } else {
        alarm = deadline;
        wait(left / 1_000_000, (int) (left % 1_000_000));
      }
    }
    return false;
  }
}
