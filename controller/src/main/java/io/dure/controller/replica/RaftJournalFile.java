package io.dure.controller.replica;

import io.dure.controller.replica.raft.JournalRaftStore.RaftLogFile;
import io.dure.journal.Journal;
import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/** A member's records in a real journal. */
final class RaftJournalFile implements RaftLogFile {
  private static final long FULL_CHECK_NANOS = 10_000_000;
  private static final long RETRY_NANOS = 1_000_000_000;

  private final Journal journal;
  private final AdminNotices notes;
  private final MemberEnvironment around;
  private CompletableFuture<Long> newest = CompletableFuture.completedFuture(0L);
  private volatile boolean closed;

  RaftJournalFile(Journal journal, AdminNotices notes, MemberEnvironment around) {
    this.journal = journal;
    this.notes = notes;
    this.around = around;
  }

  @Override
  public void append(List<byte[]> records) throws IOException {
    while (!journal.accepting()) {
      // Appending wakes no thread, so the journal's may be at rest.
      around.write(journal);
      LockSupport.parkNanos(FULL_CHECK_NANOS);
    }
    try {
      newest = journal.put(records);
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void sync() throws IOException {
    try {
      around.write(journal);
      newest.get();
    } catch (ExecutionException e) {
      throw new IOException("the journal ended: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public long last() {
    return journal.lastAppended();
  }

  @Override
  public void snapshot(long number, SnapshotItems state) throws IOException, InterruptedException {
    around.write(journal);
    var _ = journal.snapshot(number, state);
  }

  @Override
  public ItemSpool spool() {
    return around.spool();
  }

  @Override
  public SnapshotItems install(long number, SnapshotItems state) throws IOException {
    boolean said = false;
    while (true) {
      try {
        around.write(journal);
        return journal.snapshot(number, state);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (IOException e) {
        if (closed) {
          throw e;
        }
        if (!said) {
          notes.error("replication: could not store state, retrying: " + e.getMessage());
          said = true;
        }
        around.pause(journal, RETRY_NANOS);
      }
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    journal.close();
  }
}
