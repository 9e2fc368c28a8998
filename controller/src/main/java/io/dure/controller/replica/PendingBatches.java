package io.dure.controller.replica;

import io.dure.controller.replica.raft.ReplicaStateMachine.Proposal;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Batches that were appended and whose end is not known yet. The log's thread, but for counts. */
final class PendingBatches {
  private static final long MOST_WAITING_BYTES = 64L << 20;
  private static final long MOST_WAITING = 2000;

  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final ArrayDeque<Proposal> pending = new ArrayDeque<>();
  private final Consumer<Throwable> bugs;

  /**
   * None yet.
   *
   * @param bugs told of an exception of an appender that heard of its batch
   */
  PendingBatches(Consumer<Throwable> bugs) {
    this.bugs = bugs;
  }

  /** Whether there is room for another. Any thread. */
  boolean accepting() {
    return waiting.get() < MOST_WAITING && waitingBytes.get() < MOST_WAITING_BYTES;
  }

  /** One is on its way to the log's thread. Any thread. */
  void count(Proposal proposal) {
    waiting.incrementAndGet();
    waitingBytes.addAndGet(proposal.bytes());
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  void add(Proposal proposal) {
    pending.add(proposal);
  }

  /** Tells the appender of the first that it is kept, and those behind that wait for it alone. */
  void kept(Proposal proposal) {
    if (pending.removeFirst() != proposal) {
      throw new IllegalStateException("a batch was kept before the one before it");
    }
    tell(proposal, null);
    while (!pending.isEmpty() && pending.getFirst().records().isEmpty()) {
      tell(pending.removeFirst(), null);
    }
  }

  void failAll(Throwable cause) {
    while (!pending.isEmpty()) {
      end(pending.removeFirst(), cause);
    }
  }

  /** Tells the appender; an exception there leaves a state that must not be built on. */
  void end(Proposal proposal, @Nullable Throwable failure) {
    try {
      tell(proposal, failure);
    } catch (RuntimeException | Error bug) {
      bugs.accept(bug);
    }
  }

  private void tell(Proposal proposal, @Nullable Throwable failure) {
    waiting.decrementAndGet();
    waitingBytes.addAndGet(-proposal.bytes());
    proposal.end(failure);
  }
}
