package io.dure.controller.replica;

import io.dure.controller.journal.Journal;
import io.dure.controller.journal.JournalListener;
import io.dure.controller.journal.JournalRecord;
import io.dure.controller.journal.JournalRefusedException;
import io.dure.controller.journal.JournalSettings;
import io.dure.controller.journal.Recovered;
import io.dure.controller.replica.logging.RaftLogging;
import io.dure.host.log.Log;
import io.dure.protocol.codec.MalformedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * This controller's share of the group's log, in one directory. A lone controller's journal there
 * becomes the beginning of the group's log.
 */
public final class GroupMember implements AutoCloseable {
  private static final String ASIDE = "set-aside-";

  private final RaftThread thread;
  private final JournalFile file;
  private final GroupLog log;
  private final long found;

  /** What a member stands on. */
  public record Ground(Path directory, JournalListener disk, PeerTransport transport, Log log) {}

  private GroupMember(RaftThread thread, JournalFile file, GroupLog log, long found) {
    this.thread = thread;
    this.file = file;
    this.log = log;
    this.found = found;
  }

  /**
   * Opens the directory. A journal that is damaged is set aside under another name, and this member
   * gets the log from the others, if there is anybody who has it.
   *
   * @throws IOException if the journal is in use, of a newer version, or the disk refuses
   */
  public static GroupMember open(Ground ground, GroupSettings settings, Replica replica)
      throws IOException {
    // Its checks are the last line against a replica that differs.
    GroupMember.class.getClassLoader().setPackageAssertionStatus("io.microraft", true);
    Words notes = new Words(ground.log(), replica);
    RaftLogging.to(notes);
    Recovered recovered = recover(ground, notes);
    JournalFile file = new JournalFile(recovered.journal(), notes);
    boolean done = false;
    try {
      Restored restored;
      try {
        restored = read(recovered, ground.directory(), settings.host());
      } catch (Restored.GapException e) {
        file.close();
        String lack = ground.directory() + ": " + e.getMessage();
        recovered = afresh(ground, lack, notes);
        file = new JournalFile(recovered.journal(), notes);
        restored = read(recovered, ground.directory(), settings.host());
      }
      recovered.notes().forEach(notes::info);
      RaftThread thread = new RaftThread(replica::stopped);
      GroupLog log =
          new GroupLog(
              new GroupLog.Ground(thread, file, ground.transport(), notes),
              restored,
              settings,
              replica);
      done = true;
      return new GroupMember(thread, file, log, restored.last());
    } catch (MalformedException e) {
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
      }
    }
  }

  private static Restored read(Recovered recovered, Path directory, String host)
      throws IOException {
    return Restored.read(
        new StoreRecord.Self(new Member(host, newDisk()), wasSetAside(directory)),
        recovered.snapshot(),
        recovered.snapshotSequence(),
        sink -> {
          for (JournalRecord record : recovered.records()) {
            sink.record(record.sequence(), record.payload());
          }
        });
  }

  private static Recovered recover(Ground ground, Words notes) throws IOException {
    try {
      return Journal.open(ground.directory(), JournalSettings.defaults(), ground.disk());
    } catch (JournalRefusedException e) {
      if (!e.isDamage()) {
        throw e;
      }
      return afresh(ground, String.valueOf(e.getMessage()), notes);
    }
  }

  private static Recovered afresh(Ground ground, String damage, Words notes) throws IOException {
    Path aside = setAside(ground.directory());
    notes.error(damage + "; set aside in " + aside + ", the log comes from the other controllers");
    return Journal.open(ground.directory(), JournalSettings.defaults(), ground.disk());
  }

  /** Moves the journal away; whoever finds it moved knows that a group may exist. */
  private static Path setAside(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    int number = 1;
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(ASIDE)) {
          number++;
        } else if (name.startsWith("journal-") || name.startsWith("snapshot-")) {
          files.add(file);
        }
      }
    }
    Path aside = Files.createDirectory(directory.resolve(ASIDE + number));
    for (Path file : files) {
      Files.move(file, aside.resolve(file.getFileName()));
    }
    return aside;
  }

  private static boolean wasSetAside(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.anyMatch(file -> file.getFileName().toString().startsWith(ASIDE));
    }
  }

  private static String newDisk() {
    byte[] bytes = new byte[8];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
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

  @Override
  public void close() throws IOException {
    log.close();
    thread.close();
    file.close();
  }

  private record Words(Log log, Replica replica) implements GroupLog.Notes, RaftLogging.Sink {
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
        log.verbose(message);
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
