package io.dure.controller.replica.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.controller.replica.raft.JournalRaftStore.RaftLogFile;
import io.dure.controller.replica.raft.PeerMessage.Entry;
import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RestoredLog.GapException;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalRecord;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.SnapshotItems;
import io.microraft.model.log.LogEntry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that a member had, and has no more because a snapshot is damaged, are missed. */
@Tag("process")
class DamagedSnapshotTest {
  private static final GroupMemberId MEMBER = new GroupMemberId("c1", "d1");
  private static final Membership ALONE = new Membership(0, List.of(MEMBER), List.of(MEMBER));

  @TempDir Path directory;

  /** It has the snapshot of entry 4 from the group, and had entries up to 10 behind it. */
  @BeforeEach
  void write() throws Exception {
    try (Opened member = new Opened()) {
      member.store.persistAndFlushInitialGroupMembers(RaftMapper.view(ALONE));
      member.snapshot(4, received());
      member.store.persistLogEntries(entries(5, 10));
      member.store.flush();
    }
  }

  @Test
  void aSnapshotFromTheGroupReplacedEntries() throws Exception {
    try (Opened member = new Opened()) {
      member.store.replacing(true);
      member.store.truncateLogEntriesFrom(5);
      member.store.replacing(false);
      member.snapshot(20, received());
    }
    assertEquals(20, last());
    damageNewestSnapshot();
    String message = assertThrows(GapException.class, this::last).getMessage();
    assertEquals(
        "the snapshot of entries up to 20, which came from the group, is damaged", message);
    // The process may end before it sets the journal aside.
    assertThrows(GapException.class, this::last);
  }

  @Test
  void nothingCameBehindASnapshotFromTheGroup() throws Exception {
    try (Opened member = new Opened()) {
      member.snapshot(20, received());
    }
    damageNewestSnapshot();
    assertThrows(GapException.class, this::last);
  }

  @Test
  void whatCameBehindASnapshotFromTheGroupWasCut() throws Exception {
    try (Opened member = new Opened()) {
      member.snapshot(20, received());
      member.store.persistLogEntries(entries(21, 23));
      member.store.truncateLogEntriesFrom(21);
      member.store.flush();
    }
    damageNewestSnapshot();
    assertThrows(GapException.class, this::last);
  }

  @Test
  void theRecordsHoldWhatItsOwnSnapshotHeld() throws Exception {
    try (Opened member = new Opened()) {
      member.snapshot(8, SnapshotContent.of(SnapshotItems.of(new byte[100])));
    }
    damageNewestSnapshot();
    assertEquals(10, last());
  }

  @Test
  void anOlderSnapshotFromTheGroupIsNotNeeded() throws Exception {
    try (Opened member = new Opened()) {
      member.snapshot(8, SnapshotContent.of(SnapshotItems.of(new byte[100])));
    }
    damage(snapshots().getFirst());
    assertEquals(10, last());
  }

  private RecoveredJournal open() throws IOException {
    return RecoveredJournal.open(directory, JournalSettings.defaults(), new Silent());
  }

  private long last() throws Exception {
    RecoveredJournal recovered = open();
    try (Journal _ = recovered.journal()) {
      return read(recovered).last();
    }
  }

  private static RestoredLog read(RecoveredJournal recovered) throws IOException {
    return RestoredLog.read(
        new RaftStoreRecord.Self(MEMBER, false),
        recovered.snapshot(),
        recovered.snapshotSequence(),
        recovered.damagedSnapshots(),
        sink -> {
          for (JournalRecord record : recovered.records()) {
            sink.record(record.sequence(), record.payload());
          }
        });
  }

  private static List<LogEntry> entries(long from, long to) {
    List<LogEntry> entries = new ArrayList<>();
    for (long index = from; index <= to; index++) {
      entries.add(
          RaftMapper.logEntry(new Entry(index, 1, new PeerMessage.Batch(List.of(new byte[10])))));
    }
    return entries;
  }

  private List<Path> snapshots() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith("snapshot-"))
          .sorted()
          .toList();
    }
  }

  private void damageNewestSnapshot() throws IOException {
    damage(snapshots().getLast());
  }

  private static void damage(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(30);
      int old = file.read();
      file.seek(30);
      file.write(old ^ 0x10);
    }
  }

  /** A journal and the store over it. */
  private final class Opened implements AutoCloseable {
    private final Journal journal;
    private final JournalRaftStore store;

    Opened() throws IOException {
      RecoveredJournal recovered = open();
      journal = recovered.journal();
      store =
          new JournalRaftStore(
              new LogFile(journal), read(recovered), new SameThread(), DamagedSnapshotTest::fail);
    }

    void snapshot(long index, SnapshotContent content) throws IOException {
      store.persistSnapshotChunk(
          RaftMapper.MODELS
              .createSnapshotChunkBuilder()
              .setIndex(index)
              .setTerm(1)
              .setOperation(content)
              .setSnapshotChunkIndex(0)
              .setSnapshotChunkCount(1)
              .setGroupMembersView(RaftMapper.view(ALONE))
              .build());
      store.flush();
    }

    @Override
    public void close() throws IOException {
      journal.close();
    }
  }

  private static void fail(String cause) {
    throw new AssertionError(cause);
  }

  private static SnapshotContent received() throws IOException {
    ItemSpool spool = ItemSpool.inMemory();
    spool.item(new byte[100]);
    return SnapshotContent.received(spool);
  }

  private record LogFile(Journal journal) implements RaftLogFile {
    @Override
    public void append(List<byte[]> records) {
      var _ = journal.append(records);
    }

    @Override
    public void sync() throws IOException {
      try {
        journal.append(List.of()).get();
      } catch (ExecutionException | InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public long last() {
      return journal.lastAppended();
    }

    @Override
    public void snapshot(long number, SnapshotItems state)
        throws IOException, InterruptedException {
      var _ = journal.snapshot(number, state);
    }

    @Override
    public SnapshotItems install(long number, SnapshotItems state) throws IOException {
      try {
        return journal.snapshot(number, state);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      journal.close();
    }
  }

  /** Does everything at once. */
  private static final class SameThread implements RaftExecutor {
    @Override
    public void next(Runnable task) {
      task.run();
    }

    @Override
    public void later(Runnable task, long millis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void beside(Runnable task) {
      task.run();
    }

    @Override
    public long millis() {
      return 0;
    }

    @Override
    public Random random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void await(CompletableFuture<?> done) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Silent implements JournalListener {
    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }
}
