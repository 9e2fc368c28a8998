package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.cluster.TextStorage;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.replica.raft.GroupMemberId;
import io.dure.controller.replica.raft.RaftStoreFormat;
import io.dure.controller.replica.raft.RaftStoreRecord;
import io.dure.controller.replica.raft.RestoredLog;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalRecord;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.StoredState;
import io.dure.journal.segment.UnwrittenJournalDisk;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.protocol.codec.MalformedMessageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state of one of several controllers that of a single one: to go back from three to one,
 * or to open a group that has lost its majority for good. A snapshot in the format of a single
 * controller is put behind all that the log holds; it is there whole or not at all. One thread.
 */
final class GroupDissolution implements AutoCloseable {
  private static final int CONNECTING_MILLIS = 2000;

  private final Path directory;
  private final RecoveredJournal found;
  private final RestoredLog log;
  private final ClusterState state;

  private GroupDissolution(
      Path directory, RecoveredJournal found, RestoredLog log, ClusterState state) {
    this.directory = directory;
    this.found = found;
    this.log = log;
    this.state = state;
  }

  /**
   * Reads the state of a controller that does not run, to {@link #dissolve} it.
   *
   * @throws IOException if it runs, its files are damaged, or they are not those of one of several
   */
  static GroupDissolution open(Path directory, ClusterConfig config) throws IOException {
    return of(
        directory,
        config,
        RecoveredJournal.open(directory, JournalSettings.defaults(), new NoListener()));
  }

  /** The same for those who only look: nothing is written, whatever is done with it. */
  static GroupDissolution look(Path directory, ClusterConfig config) throws IOException {
    return of(
        directory,
        config,
        RecoveredJournal.openStepped(
            new UnwrittenJournalDisk(),
            directory,
            JournalSettings.defaults(),
            new NoListener(),
            () -> 0));
  }

  private static GroupDissolution of(Path directory, ClusterConfig config, RecoveredJournal found)
      throws IOException {
    boolean done = false;
    try {
      RestoredLog log =
          RestoredLog.read(
              new RaftStoreRecord.Self(new GroupMemberId("", ""), false),
              found.snapshot(),
              found.snapshotSequence(),
              found.damagedSnapshots(),
              sink -> {
                for (JournalRecord record : found.records()) {
                  sink.record(record.sequence(), record.payload());
                }
              });
      if (log.founders() == null) {
        throw new IOException(
            directory + " does not hold the state of one of several controllers; nothing to do");
      }
      StandbyReplay replay =
          new StandbyReplay(
              directory, config, new NoRole(), () -> TextStorage.IN_MEMORY, EventFollower.NONE);
      log.replay(replay);
      done = true;
      return new GroupDissolution(directory, found, log, replay.state());
    } catch (MalformedMessageException | RestoredLog.GapException e) {
      throw new IOException(directory + ": " + e.getMessage(), e);
    } finally {
      if (!done) {
        found.journal().close();
      }
    }
  }

  /** What is here, for those who have to choose among controllers. */
  String summary() {
    return directory
        + " holds the state of "
        + log.self().member().host()
        + ", one of "
        + hosts().stream().map(ClusterSettings.Host::name).toList()
        + ":\n  term "
        + log.lastTerm()
        + ", entry "
        + log.last()
        + ", known to be kept by a majority up to entry "
        + log.progress().committed()
        + "; "
        + state.jobCount()
        + " jobs\n";
  }

  private List<ClusterSettings.Host> hosts() {
    return state.settings().controller().hosts();
  }

  /** Why what is here should not be gone on with, null if nothing speaks against it. */
  @Nullable String doubt() {
    String copied = found.origin().copied();
    if (copied != null) {
      return copied + ": it may lack what was acknowledged later";
    }
    return log.voting()
        ? null
        : "this controller had no vote: it may lack much of what was acknowledged";
  }

  /** Another controller that runs, null if none answers: two would be masters of the same nodes. */
  @Nullable String running() {
    for (ClusterSettings.Host host : hosts()) {
      if (host.name().equals(log.self().member().host())) {
        continue;
      }
      int port = state.settings().controller().port();
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host.address(), port), CONNECTING_MILLIS);
        return host.name() + " (" + host.address() + ":" + port + ")";
      } catch (IOException e) {
        // as it should be
      }
    }
    return null;
  }

  /** Does it, durably. */
  void dissolve() throws IOException, InterruptedException {
    try {
      // The snapshot needs a name that none has.
      var _ = found.journal().append(List.of(RaftStoreFormat.record(log.progress()))).get();
    } catch (ExecutionException e) {
      throw new IOException("the journal ended: " + e.getCause(), e);
    }
    var _ = found.journal().snapshot(found.journal().lastAppended(), StoredState.of(state));
    found.origin().renew(found.journal().lastAppended());
  }

  @Override
  public void close() throws IOException {
    found.journal().close();
  }

  /** The disk's failures are met where they are waited for. */
  private static final class NoListener implements JournalListener {
    @Override
    public void failed(IOException cause) {
      System.err.println("slurmctld: StateSaveLocation is not writable: " + cause.getMessage());
    }

    @Override
    public void healed() {
      // goes on by itself
    }

    @Override
    public void stopped(Throwable cause) {
      System.err.println("slurmctld: the journal ended: " + cause);
    }
  }

  /** Nobody leads here. */
  private static final class NoRole implements StandbyReplay.RoleListener {
    @Override
    public void elected(ClusterState state, long told) {
      throw new IllegalStateException("nothing is elected");
    }

    @Override
    public @Nullable ClusterState deposed() {
      return null;
    }

    @Override
    public @Nullable ClusterState published() {
      return null;
    }

    @Override
    public void stopped(Throwable cause) {
      throw new IllegalStateException(cause);
    }
  }
}
