package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionFunction;
import io.dure.controller.accounting.AccountingReader;
import io.dure.controller.loop.EventStore;
import io.dure.controller.replica.PeerTransport;
import io.dure.controller.replica.ReplicatedLog;
import io.dure.controller.replica.raft.ControllerGroupStatus;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Between the parts of the simulated cluster, where bugs can be planted; as it is, nothing. */
public interface FaultHooks {
  /** Nothing between them. */
  FaultHooks SOUND = new FaultHooks() {};

  /** Where events become durable. */
  default EventStore store(EventStore real) {
    return real;
  }

  /** The rules. */
  default DecisionFunction rules(DecisionFunction real) {
    return real;
  }

  /** What the journal was found to hold. */
  default ClusterState recovered(ClusterState state) {
    return state;
  }

  /** The disk as the journal sees it. */
  default JournalDisk disk(JournalDisk real) {
    return real;
  }

  /** A disk as another. */
  abstract class DiskOver implements JournalDisk {
    private final JournalDisk real;

    protected DiskOver(JournalDisk real) {
      this.real = real;
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
      real.createDirectory(directory);
    }

    @Override
    public Closeable lock(Path directory) throws IOException {
      return real.lock(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
      return real.list(directory);
    }

    @Override
    public JournalDiskFile create(Path file) throws IOException {
      return real.create(file);
    }

    @Override
    public JournalDiskFile open(Path file) throws IOException {
      return real.open(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      real.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
      real.delete(file);
    }

    @Override
    public @Nullable String identity(Path file) throws IOException {
      return real.identity(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      real.syncDirectory(directory);
    }
  }

  /** The log that the controllers of a group keep together, as its leader appends to it. */
  default ReplicatedLog log(ReplicatedLog real) {
    return real;
  }

  /** A log as another, but for what is appended. */
  abstract class LogOver implements ReplicatedLog {
    private final ReplicatedLog real;

    protected LogOver(ReplicatedLog real) {
      this.real = real;
    }

    @Override
    public long epoch() {
      return real.epoch();
    }

    @Override
    public boolean accepting() {
      return real.accepting();
    }

    @Override
    public long stillMillis() {
      return real.stillMillis();
    }

    @Override
    public void abandon(long epoch) {
      real.abandon(epoch);
    }

    @Override
    public ControllerGroupStatus status() {
      return real.status();
    }

    @Override
    public boolean followed() {
      return real.followed();
    }

    @Override
    public void configure(List<String> hosts) {
      real.configure(hosts);
    }

    @Override
    public CompletableFuture<Void> handOver(String host) {
      return real.handOver(host);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  /** What such a log is kept for. */
  default ReplicatedStateMachine replica(ReplicatedStateMachine real) {
    return real;
  }

  /** Opens the journal of a member of a group. */
  interface Opening {
    /** As it is. */
    RecoveredJournal open() throws IOException;
  }

  /** The journal of a member of a group, as it is found. */
  default RecoveredJournal journal(Opening real, JournalDisk disk) throws IOException {
    return real.open();
  }

  /** The accounting database, as it is written. */
  default AccountingReader.Books books(AccountingReader.Books real) {
    return real;
  }

  /** The way on which controllers ask each other for accounting records. */
  default PeerTransport records(PeerTransport real) {
    return real;
  }

  /** A message to a node daemon; null if it is lost. */
  default @Nullable ControllerToNodeMessage toNode(ControllerToNodeMessage message) {
    return message;
  }

  /** A message of a node daemon; null if it is lost. */
  default @Nullable NodeToControllerMessage fromNode(NodeToControllerMessage message) {
    return message;
  }
}
