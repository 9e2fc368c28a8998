package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftMapper.Endpoint;
import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.SnapshotItems;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What MicroRaft wants kept, in the journal of this member. The log's thread alone, but for the
 * writing of this member's own snapshots.
 */
public final class JournalRaftStore implements RaftStore {
  private static final String FAILED = "snapshot failed, the journal grows until one succeeds: ";

  private final RaftLogFile file;
  private final RaftExecutor turns;
  private final Consumer<String> trouble;
  private final TreeMap<Long, LogEntry> entries;
  private long bytes;
  private RaftStoreRecord.Self self;
  private boolean voting;
  private @Nullable Membership founders;
  private RaftStoreRecord.Term term;
  private RaftStoreRecord.Progress progress;
  private boolean unsynced;
  private @Nullable SnapshotChunk pending;
  private @Nullable SnapshotChunk waiting;
  private boolean writing;
  private boolean replacing;
  private long replaced;

  /**
   * The store over a journal.
   *
   * @param restored what the journal held
   * @param trouble hears what goes wrong and does not end the member, a line for the log
   */
  public JournalRaftStore(
      RaftLogFile file, RestoredLog restored, RaftExecutor turns, Consumer<String> trouble) {
    this.file = file;
    this.turns = turns;
    this.trouble = trouble;
    founders = restored.founders();
    self = restored.self();
    voting = restored.voting();
    term = restored.term();
    progress = restored.progress();
    entries = new TreeMap<>();
    restored.entries().forEach(this::put);
  }

  private void put(LogEntry entry) {
    LogEntry before = entries.put(entry.getIndex(), entry);
    bytes += RaftMapper.bytes(entry) - (before == null ? 0 : RaftMapper.bytes(before));
  }

  private void remove(SortedMap<Long, LogEntry> some) {
    for (LogEntry entry : some.values()) {
      bytes -= RaftMapper.bytes(entry);
    }
    some.clear();
  }

  /** Bytes of the entries that no snapshot holds yet. */
  long bytes() {
    return bytes;
  }

  /** Where a state that another member sends is put until it is installed. */
  ItemSpool spool() {
    return file.spool();
  }

  /** Something went wrong that does not end the member. */
  void complain(String line) {
    trouble.accept(line);
  }

  private void keep(RaftStoreRecord record) throws IOException {
    file.append(List.of(RaftStoreFormat.record(record)));
    file.sync();
  }

  /**
   * Keeps what is known of the progress of the log. It need not be durable at once, but is by the
   * next call.
   */
  void progressed(RaftStoreRecord.Progress now) throws IOException {
    if (!now.equals(progress)) {
      file.append(List.of(RaftStoreFormat.record(now)));
      progress = now;
      unsynced = true;
    } else if (unsynced) {
      file.sync();
      unsynced = false;
    }
  }

  /** How far each member was, as far as it is known. */
  List<PeerMessage.MemberProgress> known() {
    return progress.others();
  }

  /** The last entry known to be kept by a majority, also from before the start. */
  long committed() {
    return progress.committed();
  }

  @Override
  public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState state) throws IOException {
    if (state.isVoting() != voting) {
      keep(new RaftStoreRecord.VotingStatus(state.isVoting()));
      voting = state.isVoting();
    }
  }

  @Override
  public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
    Membership said = RaftMapper.membership(members);
    if (!said.equals(founders)) {
      keep(new RaftStoreRecord.Founders(said));
      founders = said;
    }
  }

  @Override
  public void persistAndFlushTerm(RaftTermPersistentState state) throws IOException {
    GroupMemberId voted =
        state.getVotedFor() == null ? null : Endpoint.memberOf(state.getVotedFor());
    RaftStoreRecord.Term next = new RaftStoreRecord.Term(state.getTerm(), voted);
    if (!next.equals(term)) {
      keep(next);
      term = next;
    }
  }

  @Override
  public void persistLogEntries(List<LogEntry> added) throws IOException {
    List<byte[]> records = new ArrayList<>(added.size());
    for (LogEntry entry : added) {
      records.add(RaftStoreFormat.record(new RaftStoreRecord.Logged(RaftMapper.entry(entry))));
    }
    file.append(records);
    added.forEach(this::put);
  }

  /**
   * While it is so, what is cut stays on disk until the snapshot that takes its place is there: it
   * may be the second copy that made it kept.
   */
  void replacing(boolean now) {
    replacing = now;
  }

  @Override
  public void truncateLogEntriesFrom(long index) throws IOException {
    if (replacing) {
      replaced = replaced == 0 ? index : Math.min(replaced, index);
    } else {
      file.append(List.of(RaftStoreFormat.record(new RaftStoreRecord.LogTruncated(index))));
    }
    remove(entries.tailMap(index, true));
  }

  @Override
  public void persistSnapshotChunk(SnapshotChunk chunk) {
    pending = chunk;
  }

  @Override
  public void deleteSnapshotChunks(long index, int count) {
    pending = null;
  }

  @Override
  public void truncateLogEntriesUntil(long index) {
    // The journal drops what a durable snapshot covers by itself.
  }

  @Override
  public void flush() throws IOException {
    SnapshotChunk chunk = pending;
    pending = null;
    if (chunk == null) {
      file.sync();
      return;
    }
    remove(entries.headMap(chunk.getIndex(), true));
    if (content(chunk).isReceived()) {
      waiting = null; // what came is newer
      file.append(
          List.of(RaftStoreFormat.record(new RaftStoreRecord.SnapshotAnnounced(chunk.getIndex()))));
      file.sync();
      SnapshotItems onDisk = file.install(file.last(), image(chunk));
      content(chunk).storedAs(MemberSnapshot.state(onDisk));
      if (replaced > 0) {
        // Should the snapshot be damaged one day, an older one must not go on with what it
        // replaced.
        file.append(List.of(RaftStoreFormat.record(new RaftStoreRecord.LogTruncated(replaced))));
        file.sync();
        replaced = 0;
      }
    } else if (writing) {
      waiting = chunk;
    } else {
      write(chunk);
    }
  }

  private static SnapshotContent content(SnapshotChunk chunk) {
    return (SnapshotContent) chunk.getOperation();
  }

  /** All that a snapshot taken now must hold; made into bytes later, by any thread. */
  private SnapshotItems image(SnapshotChunk chunk) {
    return MemberSnapshot.of(
        new RaftStoreRecord.Image(
            self,
            voting,
            Objects.requireNonNull(founders),
            term,
            chunk.getIndex(),
            chunk.getTerm(),
            RaftMapper.membership(chunk.getGroupMembersView()),
            List.of(),
            new byte[0],
            progress,
            false),
        entries.tailMap(chunk.getIndex(), false).values(),
        content(chunk).items());
  }

  /** Writes this member's own snapshot while the log goes on. */
  private void write(SnapshotChunk chunk) {
    writing = true;
    SnapshotItems image = image(chunk);
    long last = file.last();
    turns.beside(() -> {
      try {
        file.snapshot(last, image);
      } catch (IOException | RuntimeException e) {
        turns.next(() -> complain(FAILED + e.getMessage()));
      } catch (OutOfMemoryError e) {
        turns.next(() -> complain(FAILED + e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      turns.next(this::written);
    });
  }

  private void written() {
    writing = false;
    SnapshotChunk next = waiting;
    waiting = null;
    if (next != null) {
      write(next);
    }
  }

  /** The journal as a member's store sees it; tests put one in place that loses power. */
  public interface RaftLogFile {
    /** Writes behind what is there; durable after {@link #sync}. The log's thread. */
    void append(List<byte[]> records) throws IOException;

    /** Waits until all that was appended is durable; as long as the disk refuses. */
    void sync() throws IOException;

    /** Number of the last record appended. */
    long last();

    /** Stores a state in place of the records up to that number. Any thread; waits. */
    void snapshot(long number, SnapshotItems state) throws IOException, InterruptedException;

    /**
     * The same with a state that the group sent: waits as long as the disk refuses, since MicroRaft
     * would go on after a failure as if it were kept.
     *
     * @return the state as it lies on the disk, until two newer ones do
     */
    SnapshotItems install(long number, SnapshotItems state) throws IOException;

    /** Where a state that another member sends is put until it is installed. */
    default ItemSpool spool() {
      return ItemSpool.inMemory();
    }

    /** Ends. */
    void close() throws IOException;
  }
}
