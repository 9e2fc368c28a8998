package io.dure.node;

import io.dure.host.log.DaemonLog;
import io.dure.host.process.ProgramPages;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The heap of a process, which the nodes that it serves share. A collection stops all of them, so
 * one node's growth is not measured against the heap of all, and nodes that are done at about the
 * same time are waited for. Any thread.
 */
final class SharedHeap {
  /** No node has asked for so long, where there are several. */
  private static final Duration GATHERED = Duration.ofSeconds(10);

  /** The first that has asked waits at most for so long. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final DaemonLog log;
  private final AtomicInteger nodes = new AtomicInteger();
  private final AtomicBoolean givesBack = new AtomicBoolean();
  private volatile long asked;

  SharedHeap(DaemonLog log) {
    this.log = log;
  }

  /** One more node is served. */
  void add() {
    nodes.incrementAndGet();
  }

  /** A node's part of what the heap takes now, in bytes. */
  long share() {
    return Runtime.getRuntime().totalMemory() / Math.max(1, nodes.get());
  }

  /** Gives back what work has left behind; the heap shrinks with it. Returns at once. */
  void giveBack() {
    asked = System.nanoTime();
    if (givesBack.getAndSet(true)) {
      return;
    }
    Thread.ofVirtual()
        .name("give back")
        .start(() -> {
          try {
            if (nodes.get() > 1) {
              gather();
            }
            System.gc();
            log.debug("gave back " + (ProgramPages.release() >> 10) + " KiB of mapped files");
          } catch (IOException e) {
            log.debug("pages of mapped files stay: " + e.getMessage());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            givesBack.set(false);
          }
        });
  }

  private void gather() throws InterruptedException {
    long latest = System.nanoTime() + LONGEST.toNanos();
    for (long left = left(latest); left > 0; left = left(latest)) {
      Thread.sleep(Duration.ofNanos(left));
    }
  }

  private long left(long latest) {
    long now = System.nanoTime();
    return Math.min(asked + GATHERED.toNanos() - now, latest - now);
  }
}
