package io.dure.controller.replica;

import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.replica.raft.GroupMemberId;
import io.dure.controller.replica.raft.RaftExecutor;
import io.dure.controller.replica.raft.RaftStoreRecord;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.controller.replica.raft.RestoredLog;
import io.dure.host.log.LibraryLogging;
import io.dure.host.log.LogMarkers;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalRecord;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.LocalJournalDisk;
import io.dure.protocol.codec.MalformedMessageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * This controller's share of the group's log, in one directory. A lone controller's journal there
 * becomes the beginning of the group's log.
 */
public final class RaftGroupMember implements AutoCloseable {
  private static final String ASIDE = "set-aside-";
  private static final String SPOOL = "received-";
  private static final String COPIED =
      ": it may be older than what this controller acknowledged, so it has no vote";

  private final MemberEnvironment around;
  private final RaftJournalFile file;
  private final RaftReplicatedLog log;
  private final AtomicLong connections = new AtomicLong();
  private final Map<String, Long> newest = new ConcurrentHashMap<>();
  private final long found;

  /** What a member stands on. */
  public record MemberServices(
      Path directory,
      JournalListener disk,
      PeerTransport transport,
      Logger log,
      JournalSettings journal) {
    /** With a journal as a controller keeps it. */
    public MemberServices(
        Path directory, JournalListener disk, PeerTransport transport, Logger log) {
      this(directory, disk, transport, log, JournalSettings.defaults());
    }
  }

  private RaftGroupMember(
      MemberEnvironment around, RaftJournalFile file, RaftReplicatedLog log, long found) {
    this.around = around;
    this.file = file;
    this.log = log;
    this.found = found;
  }

  /**
   * Opens the directory. A journal that is damaged is set aside under another name, and this member
   * gets the log from the others, if one of them has it.
   *
   * @throws IOException if the journal is in use, of a newer version, or the disk refuses
   */
  public static RaftGroupMember open(
      MemberServices ground, ControllerGroupSettings settings, ReplicatedStateMachine replica)
      throws IOException {
    return open(ground, settings, replica, new Machinery(ground, replica));
  }

  /** The same on other surroundings than the machine's own. */
  public static RaftGroupMember open(
      MemberServices ground,
      ControllerGroupSettings settings,
      ReplicatedStateMachine replica,
      MemberEnvironment around)
      throws IOException {
    // Its checks are the last line against a replica that differs.
    RaftGroupMember.class.getClassLoader().setPackageAssertionStatus("io.microraft", true);
    Words notes = new Words(ground.log(), replica);
    around.complaints(notes);
    RecoveredJournal recovered = recover(ground, around, notes);
    RaftJournalFile file = new RaftJournalFile(recovered.journal(), notes, around);
    boolean done = false;
    try {
      RestoredLog restored;
      try {
        restored = read(recovered, around, settings.host());
      } catch (RestoredLog.GapException e) {
        file.close();
        String lack = ground.directory() + ": " + e.getMessage();
        recovered = afresh(ground, around, lack, notes);
        file = new RaftJournalFile(recovered.journal(), notes, around);
        restored = read(recovered, around, settings.host());
      }
      String copied = restored.unnamed() ? null : recovered.origin().copied();
      if (copied != null) {
        file.close();
        recovered = afresh(ground, around, copied + COPIED, notes);
        file = new RaftJournalFile(recovered.journal(), notes, around);
        restored = read(recovered, around, settings.host());
      }
      recovered.notes().forEach(notes::info);
      mark(recovered, notes);
      RaftReplicatedLog log =
          new RaftReplicatedLog(
              new RaftReplicatedLog.RaftLogServices(
                  around.turns(), file, ground.transport(), notes),
              restored,
              settings,
              replica);
      done = true;
      return new RaftGroupMember(around, file, log, restored.last());
    } catch (MalformedMessageException e) {
      throw new IOException(
          ground.directory()
              + ": "
              + e.getMessage()
              + "; start the newer program that wrote it, or restore the directory from a backup",
          e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!done) {
        file.close();
        around.close();
      }
    }
  }

  /** Without any mark a copy of these files could one day not be told from them. */
  private static void mark(RecoveredJournal recovered, Words notes) throws IOException {
    try {
      recovered.origin().renew(recovered.journal().lastAppended());
    } catch (IOException e) {
      if (!recovered.origin().isMarked()) {
        throw e;
      }
      notes.error("cannot mark the files of StateSaveLocation anew: " + e.getMessage());
    }
  }

  private static RestoredLog read(RecoveredJournal recovered, MemberEnvironment around, String host)
      throws IOException {
    return RestoredLog.read(
        new RaftStoreRecord.Self(new GroupMemberId(host, around.newDisk()), around.wasSetAside()),
        recovered.snapshot(),
        recovered.snapshotSequence(),
        recovered.damagedSnapshots(),
        sink -> {
          for (JournalRecord record : recovered.records()) {
            sink.record(record.sequence(), record.payload());
          }
        });
  }

  private static RecoveredJournal recover(
      MemberServices ground, MemberEnvironment around, Words notes) throws IOException {
    try {
      return around.journal(ground.disk());
    } catch (JournalRefusedException e) {
      if (!e.isDamage()) {
        throw e;
      }
      return afresh(ground, around, String.valueOf(e.getMessage()), notes);
    }
  }

  private static RecoveredJournal afresh(
      MemberServices ground, MemberEnvironment around, String damage, Words notes)
      throws IOException {
    String aside = around.setAside();
    notes.error(
        damage + "; set aside in " + aside + ", copying the log from the other controllers");
    return around.journal(ground.disk());
  }

  /**
   * Place of the last batch that the disk held when it was opened, 0 for none: what is told of
   * later places has been decided since.
   */
  public long found() {
    return found;
  }

  /** Begins to work; the replica hears first of the state on this disk. */
  public void start() {
    log.start();
  }

  /** The log. */
  public ReplicatedLog log() {
    return log;
  }

  /** A message came from another controller. Any thread. */
  public void receive(byte[] message) {
    log.receive(message);
  }

  /** A connection of a controller begins; its number, for its end. Any thread. */
  public long came(String host) {
    long number = connections.incrementAndGet();
    newest.put(host, number);
    return number;
  }

  /** That connection has ended; if there is no newer one, the controller has. Any thread. */
  public void left(String host, long number) {
    if (newest.remove(host, number)) {
      log.left(host);
    }
  }

  @Override
  public void close() throws IOException {
    log.close();
    around.close();
    file.close();
  }

  /** A directory of this machine, a journal with a thread, and a thread for the log. */
  private static final class Machinery implements MemberEnvironment {
    private final Path directory;
    private final JournalSettings settings;
    private final SingleThreadRaftExecutor thread;
    private final AtomicLong spools = new AtomicLong();

    Machinery(MemberServices ground, ReplicatedStateMachine replica) {
      directory = ground.directory();
      settings = ground.journal();
      thread = new SingleThreadRaftExecutor(replica::stopped);
    }

    @Override
    public RaftExecutor turns() {
      return thread;
    }

    @Override
    public RecoveredJournal journal(JournalListener listener) throws IOException {
      RecoveredJournal opened = RecoveredJournal.open(directory, settings, listener);
      try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, SPOOL + "*")) {
        for (Path file : left) {
          Files.deleteIfExists(file);
        }
      }
      return opened;
    }

    @Override
    public ItemSpool spool() {
      return ItemSpool.withFile(directory.resolve(SPOOL + spools.getAndIncrement()));
    }

    /**
     * A journal that was moved shows that a group may exist. What tells that it was a copy goes
     * last: without it the rest would be taken for the original.
     */
    @Override
    public String setAside() throws IOException {
      int number = 1;
      try (Stream<Path> all = Files.list(directory)) {
        number += (int) all.filter(file -> file.getFileName().toString().startsWith(ASIDE)).count();
      }
      Path aside = Files.createDirectory(directory.resolve(ASIDE + number));
      for (String prefix : List.of("journal-", "snapshot-", "origin-")) {
        try (Stream<Path> all = Files.list(directory)) {
          for (Path file : all.toList()) {
            if (file.getFileName().toString().startsWith(prefix)) {
              Files.move(file, aside.resolve(file.getFileName()));
            }
          }
        }
        new LocalJournalDisk().syncDirectory(directory);
      }
      return aside.toString();
    }

    @Override
    public boolean wasSetAside() throws IOException {
      try (Stream<Path> all = Files.list(directory)) {
        return all.anyMatch(file -> file.getFileName().toString().startsWith(ASIDE));
      }
    }

    @Override
    public String newDisk() {
      byte[] bytes = new byte[8];
      new SecureRandom().nextBytes(bytes);
      return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void complaints(LibraryLogging.Sink sink) {
      LibraryLogging.sendTo(sink);
    }

    @Override
    public void write(Journal journal) {
      journal.help();
    }

    @Override
    public void pause(Journal journal, long nanos) {
      LockSupport.parkNanos(nanos);
    }

    @Override
    public void close() {
      thread.close();
    }
  }

  private record Words(Logger log, ReplicatedStateMachine replica)
      implements AdminNotices, LibraryLogging.Sink {
    @Override
    public void info(String line) {
      log.info(line);
    }

    @Override
    public void error(String line) {
      log.error(line);
    }

    @Override
    public void error(String message, @org.jspecify.annotations.Nullable Throwable cause) {
      if (cause == null) {
        log.info(LogMarkers.VERBOSE, message);
      } else {
        log.error("replication: " + message, cause);
        if (cause instanceof AssertionError) {
          // MicroRaft logs it and goes on with half a step; what is on disk is whole.
          replica.stopped(cause);
        }
      }
    }
  }
}
