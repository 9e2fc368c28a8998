package io.dure.journal;

import io.dure.journal.segment.AppendBatch;
import io.dure.journal.segment.JournalFrame;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Batches between appending threads and the writing thread. Any thread. */
final class AppendQueue {
  private final ReentrantLock lock = new ReentrantLock();

  /** For the thread that writes. */
  private final Condition changed = lock.newCondition();

  /** For threads that wait until something is durable. */
  private final Condition advanced = lock.newCondition();

  private final ArrayDeque<AppendBatch> waiting = new ArrayDeque<>();
  private final long limit;
  private long bytes;
  private long lastAppended;
  private long lastDurable;
  private boolean closing;
  private boolean woken;
  private @Nullable Throwable ended;

  AppendQueue(long limit, long last) {
    this.limit = limit;
    lastAppended = last;
    lastDurable = last;
  }

  /**
   * Takes a batch; see {@link Journal#append}.
   *
   * @param urgent whether the thread that writes is woken for it
   */
  CompletableFuture<Long> add(List<byte[]> records, boolean urgent) {
    long size = 0;
    for (byte[] record : records) {
      if (record.length > JournalFrame.MAX_PAYLOAD) {
        throw new IllegalArgumentException("record of " + record.length + " bytes");
      }
      size += JournalFrame.lengthOf(record);
    }
    if (size > 2L * JournalFrame.MAX_PAYLOAD) {
      throw new IllegalArgumentException("batch of " + size + " bytes");
    }
    lock.lock();
    try {
      if (closing || ended != null) {
        throw new IllegalStateException("the journal is closed", ended);
      }
      if (bytes >= limit) {
        throw new JournalFullException(bytes + " bytes wait for the disk");
      }
      AppendBatch batch =
          new AppendBatch(List.copyOf(records), lastAppended + 1, size, new CompletableFuture<>());
      lastAppended = batch.last();
      bytes += size;
      waiting.add(batch);
      if (urgent) {
        changed.signalAll();
      }
      return batch.done();
    } finally {
      lock.unlock();
    }
  }

  boolean accepting() {
    lock.lock();
    try {
      return bytes < limit;
    } finally {
      lock.unlock();
    }
  }

  long lastAppended() {
    lock.lock();
    try {
      return lastAppended;
    } finally {
      lock.unlock();
    }
  }

  long lastDurable() {
    lock.lock();
    try {
      return lastDurable;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something is to be written, or a call of {@link #wake}; false if none will be. */
  boolean await() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closing && !woken) {
        changed.awaitUninterruptibly();
      }
      woken = false;
      return !waiting.isEmpty() || !closing;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for that at most so long; whether something is to be written. */
  boolean awaitWithin(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (waiting.isEmpty() && !closing && left > 0) {
        left = changed.awaitNanos(left);
      }
      return !waiting.isEmpty();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the journal's thread is never interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /** Has the thread that writes look again. */
  void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What waits now, at most that many bytes unless the first has more; perhaps nothing. */
  List<AppendBatch> takeNow(long mostBytes) {
    lock.lock();
    try {
      List<AppendBatch> round = new ArrayList<>();
      long size = 0;
      for (AppendBatch next = waiting.peek(); next != null; next = waiting.peek()) {
        if (!round.isEmpty() && size + next.bytes() > mostBytes) {
          break;
        }
        size += next.bytes();
        round.add(waiting.remove());
      }
      return round;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing waits. */
  boolean isEmpty() {
    lock.lock();
    try {
      return waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** These are durable now; their memory is free again. */
  void durable(List<AppendBatch> round) {
    lock.lock();
    try {
      for (AppendBatch batch : round) {
        bytes -= batch.bytes();
        lastDurable = batch.last();
      }
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
    for (AppendBatch batch : round) {
      batch.done().complete(batch.last());
    }
  }

  /** Waits before the next attempt; false once the journal is closing. */
  boolean pause(Duration delay) {
    lock.lock();
    try {
      long left = delay.toNanos();
      while (left > 0 && !closing) {
        left = changed.awaitNanos(left);
      }
      return !closing;
    } catch (InterruptedException e) {
      throw new IllegalStateException("the journal's thread is never interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until that record is durable. */
  void awaitDurable(long sequence) throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      if (sequence > lastAppended) {
        throw new IllegalArgumentException("record " + sequence + " was never appended");
      }
      while (lastDurable < sequence) {
        if (ended != null) {
          throw new IOException("record " + sequence + " could not be made durable", ended);
        }
        advanced.await();
      }
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The writing thread has ended: nothing that still waits becomes durable. */
  void end(List<AppendBatch> unwritten, Throwable cause) {
    List<AppendBatch> lost = new ArrayList<>(unwritten);
    lock.lock();
    try {
      ended = cause;
      lost.addAll(waiting);
      waiting.clear();
      bytes = 0;
      changed.signalAll();
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
    for (AppendBatch batch : lost) {
      batch.done().completeExceptionally(cause);
    }
  }
}
