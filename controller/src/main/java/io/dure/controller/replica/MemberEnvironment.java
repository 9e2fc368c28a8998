package io.dure.controller.replica;

import io.dure.controller.replica.raft.RaftExecutor;
import io.dure.host.log.LibraryLogging;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.ItemSpool;
import java.io.IOException;

/** What else a member needs of its machine and its process; a simulation has its own. */
public interface MemberEnvironment extends AutoCloseable {
  /** The log's thread. */
  RaftExecutor turns();

  /** Opens the journal; see {@link RecoveredJournal#open}. */
  RecoveredJournal journal(JournalListener listener) throws IOException;

  /** Where a snapshot that another member sends is put until it is stored. */
  default ItemSpool spool() {
    return ItemSpool.inMemory();
  }

  /** Moves the journal away, durably or not, and says where it is then. */
  String setAside() throws IOException;

  /** Whether that was ever done. */
  boolean wasSetAside() throws IOException;

  /** A name that no other disk has. */
  String newDisk();

  /** Sets the receiver of MicroRaft's errors. */
  void complaints(LibraryLogging.Sink sink);

  /** Has all that was put into the journal written: at once, or soon by the journal's thread. */
  void write(Journal journal) throws IOException;

  /**
   * Lets time pass before another attempt at what the disk refused.
   *
   * @throws IOException if there will be none
   */
  void pause(Journal journal, long nanos) throws IOException;

  @Override
  void close();
}
