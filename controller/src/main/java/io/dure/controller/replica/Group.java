package io.dure.controller.replica;

import io.dure.controller.journal.Journal;
import io.dure.controller.journal.JournalListener;
import io.dure.controller.journal.JournalRecord;
import io.dure.controller.journal.JournalSettings;
import io.dure.controller.journal.Recovered;
import io.dure.host.log.Log;
import io.dure.protocol.codec.MalformedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * This controller's share in the log of its group: the log, and the way in for what the others say.
 */
public final class Group implements AutoCloseable {
  private final GroupLog replicas;
  private final RaftThread thread;
  private final LogFile file;
  private final Log log;

  private Group(GroupLog replicas, RaftThread thread, LogFile file, Log log) {
    this.replicas = replicas;
    this.thread = thread;
    this.file = file;
    this.log = log;
  }

  /** What a share is made of. */
  public record Ground(Path directory, PeerTransport transport, JournalListener disk, Log log) {}

  /**
   * Opens the journal of a directory as a share in the group's log; nothing happens before {@link
   * ReplicatedLog#start}.
   *
   * @throws IOException if the journal is in use, damaged, or of another version; the message says
   *     what to do
   */
  public static Group open(Ground ground, GroupSettings settings, Replica replica)
      throws IOException {
    Log log = ground.log();
    Recovered recovered =
        Journal.open(ground.directory(), JournalSettings.defaults(), ground.disk());
    recovered.notes().forEach(log::info);
    JournalFile file = new JournalFile(recovered.journal());
    try {
      Member fresh = new Member(settings.host(), UUID.randomUUID().toString());
      Restored restored =
          Restored.read(
              new StoreRecord.Self(fresh, false),
              recovered.snapshot(),
              recovered.snapshotSequence(),
              sink -> {
                for (JournalRecord record : recovered.records()) {
                  sink.record(record.sequence(), record.payload());
                }
              });
      RaftThread thread = new RaftThread(replica::stopped);
      GroupLog replicas =
          new GroupLog(
              new GroupLog.Ground(thread, file, ground.transport(), new Told(log)),
              restored,
              settings,
              replica);
      return new Group(replicas, thread, file, log);
    } catch (MalformedException | UncheckedIOException e) {
      file.close();
      throw new IOException(
          ground.directory()
              + " cannot be replayed: "
              + e.getMessage()
              + "; keep it and report this",
          e);
    }
  }

  /** The log. */
  public ReplicatedLog replicas() {
    return replicas;
  }

  /** A message of another controller came. Any thread. */
  public void receive(byte[] message) {
    replicas.receive(message);
  }

  @Override
  public void close() throws IOException {
    replicas.close();
    thread.close();
    file.close();
  }

  private record Told(Log log) implements GroupLog.Notes {
    @Override
    public void info(String line) {
      log.info(line);
    }

    @Override
    public void error(String line) {
      log.error(line);
    }
  }
}
