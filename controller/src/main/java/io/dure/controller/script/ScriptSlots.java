package io.dure.controller.script;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;

/**
 * How many programs of a kind may run at a time; the others wait, in the order in which they came.
 * Long waits are logged once, and again only after the queue was empty. Any thread.
 */
final class ScriptSlots {
  private final String kind;
  private final int most;
  private final Duration patience;
  private final Logger log;
  private final Queue<Ticket> waiting = new ConcurrentLinkedQueue<>();
  private final Semaphore free;
  private final Semaphore toTell = new Semaphore(1);

  /** The wish for a place. */
  static final class Ticket {
    private final CompletableFuture<Boolean> granted = new CompletableFuture<>();

    /** Waits no more; nothing if the place is granted already. */
    void withdraw() {
      granted.complete(false);
    }
  }

  /**
   * All free.
   *
   * @param kind what the programs are called in the log
   * @param most how many of them
   * @param patience how long one may wait before it is logged
   */
  ScriptSlots(String kind, int most, Duration patience, Logger log) {
    this.kind = kind;
    this.most = most;
    this.free = new Semaphore(most);
    this.patience = patience;
    this.log = log;
  }

  /** Waits for a place; true if it is granted and has to be given back, false if withdrawn. */
  boolean take(Ticket ticket) throws InterruptedException {
    waiting.add(ticket);
    serve();
    try {
      boolean granted;
      try {
        granted = ticket.granted.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        complain();
        granted = ticket.granted.get();
      }
      if (!granted) {
        leave(ticket);
      }
      return granted;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a ticket is granted or withdrawn", e);
    }
  }

  private void leave(Ticket ticket) {
    waiting.remove(ticket);
    serve();
  }

  /** Passes a granted place on to the next in the queue. */
  void giveBack() {
    free.release();
    serve();
  }

  /** Called after each change of free places or of the queue, so that no ticket is overlooked. */
  private void serve() {
    while (!waiting.isEmpty() && free.tryAcquire()) {
      Ticket next = waiting.poll();
      if (next == null || !next.granted.complete(true)) {
        free.release();
      }
    }
    if (waiting.isEmpty()) {
      toTell.drainPermits();
      toTell.release();
    }
  }

  private void complain() {
    int behind = waiting.size();
    if (behind > 0 && toTell.tryAcquire()) {
      log.error(
          "%s: limit of %d at a time reached, %d waiting; check for programs that hang"
              .formatted(kind, most, behind));
    }
  }
}
