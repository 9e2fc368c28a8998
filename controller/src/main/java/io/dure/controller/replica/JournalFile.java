package io.dure.controller.replica;

import io.dure.controller.journal.Journal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/** The journal of this machine as a member's store. */
final class JournalFile implements LogFile {
  private static final long FULL_CHECK_NANOS = 10_000_000;
  private static final long RETRY_NANOS = 1_000_000_000;

  private final Journal journal;
  private volatile CompletableFuture<Long> latest = CompletableFuture.completedFuture(0L);

  JournalFile(Journal journal) {
    this.journal = journal;
  }

  @Override
  public void append(List<byte[]> records) {
    while (!journal.accepting()) {
      // The disk is behind or full: the others go on without this member meanwhile.
      LockSupport.parkNanos(FULL_CHECK_NANOS);
    }
    latest = journal.append(records);
  }

  @Override
  public void sync() throws IOException {
    try {
      latest.join();
    } catch (CompletionException e) {
      throw new IOException("the journal ended: " + e.getCause().getMessage(), e);
    }
  }

  @Override
  public long last() {
    return journal.lastAppended();
  }

  @Override
  public void snapshot(long number, byte[] state) throws IOException, InterruptedException {
    journal.snapshot(number, state);
  }

  @Override
  public void install(long number, byte[] state) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          journal.snapshot(number, state);
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (IOException e) {
          if (journal.isClosed()) {
            throw e;
          }
          LockSupport.parkNanos(RETRY_NANOS);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
