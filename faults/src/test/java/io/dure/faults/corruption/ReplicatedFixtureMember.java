package io.dure.faults.corruption;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.controller.replica.RaftGroupMember;
import io.dure.controller.replica.link.PeerLinks;
import io.dure.controller.replica.link.PeerSession;
import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.trust.ClusterTrust;
import io.dure.journal.EventJournal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalRecord;
import io.dure.journal.JournalSettings;
import io.dure.journal.StoredState;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.config.SiteRules;
import io.dure.protocol.WireCodecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A controller of a group as far as its log goes: the product's member, journal and connections,
 * and a state that follows what is decided.
 */
final class ReplicatedFixtureMember implements ReplicatedStateMachine, AutoCloseable {
  private static final JournalSettings JOURNAL =
      new JournalSettings(16 * 1024, 1 << 24, Duration.ofMillis(10));
  private static final int BEAT_MILLIS = 100;
  private static final int ENTRIES_A_SNAPSHOT = 50;

  private final ServerSocket socket;
  private final ClusterTrust trust;
  private final PeerLinks links;
  private final RaftGroupMember member;
  private final ConcurrentLinkedQueue<Socket> accepted = new ConcurrentLinkedQueue<>();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Logger log =
      DaemonLog.toStream(said, LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);
  private volatile ClusterState state = ClusterState.initial(GeneratedHistory.config());
  private volatile boolean leads;
  private volatile @Nullable Throwable stopped;

  /** Where everybody listens, and whom they trust. */
  record Surroundings(List<String> hosts, Map<String, Integer> ports, ClusterTrust trust) {}

  /** Starts one on the files of a directory. */
  ReplicatedFixtureMember(String host, Path directory, Surroundings around) throws IOException {
    trust = around.trust();
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    around.ports().put(host, socket.getLocalPort());
    links =
        new PeerLinks(
            new PeerLinks.Setup(
                host,
                to -> address(around.ports().get(to)),
                trust.key(),
                InstantSource.system(),
                log,
                ConnectLimits.of(SiteRules.USUAL)));
    boolean done = false;
    try {
      member =
          RaftGroupMember.open(
              new RaftGroupMember.MemberServices(directory, new Ear(log), links, log, JOURNAL),
              new ControllerGroupSettings(
                  host, around.hosts(), BEAT_MILLIS, ENTRIES_A_SNAPSHOT, Long.MAX_VALUE),
              this);
      done = true;
    } finally {
      if (!done) {
        links.close();
        socket.close();
      }
    }
    Thread.ofVirtual().start(this::accept);
    member.start();
  }

  private static @Nullable InetSocketAddress address(@Nullable Integer port) {
    return port == null ? null : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket raw = socket.accept();
        raw.setTcpNoDelay(true);
        accepted.add(raw);
        Thread.ofVirtual().start(() -> serve(raw));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket raw) {
    try (Connection connection =
        ConnectionFactory.accepted(raw, trust.ca().serverContext(), Duration.ofSeconds(10))) {
      if (connection.receiveMagic() == WireCodecs.PEER_MAGIC) {
        new PeerSession(
                connection,
                new PeerSession.Wiring(
                    member, (_, _) -> false, trust.key(), InstantSource.system(), log))
            .run();
      }
    } catch (IOException e) {
      // it ended
    }
  }

  /** The state as this member knows it. */
  ClusterState state() {
    return state;
  }

  /** Whether it leads, with all that was kept before told. */
  boolean leads() {
    return leads;
  }

  /** What ended it, null if nothing did. */
  @Nullable Throwable stopped() {
    return stopped;
  }

  /** Whether that many vote, as it knows. */
  boolean hasVoters(int count) {
    return member.log().status().members().stream().filter(m -> m.voting()).count() == count;
  }

  /** Its log and what it says of its group. */
  String words() {
    return said.toString(StandardCharsets.UTF_8) + member.log().status();
  }

  /** Has events kept; false if it ceased to lead, and whether they are kept is unknown. */
  boolean keeps(GeneratedHistory.HistoryBatch decision) throws InterruptedException {
    return keeps(EventJournal.records(decision.at(), decision.events()), decision.events());
  }

  /** The same for events in a form of one's own. */
  boolean keeps(List<byte[]> records, List<Event> events) throws InterruptedException {
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    member
        .log()
        .append(
            member.log().epoch(),
            records,
            failure -> {
              if (failure == null) {
                state = EventApplier.applyAll(state, events);
              }
              kept.complete(failure == null);
            });
    try {
      return kept.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void restore(@Nullable SnapshotItems snapshot) throws IOException {
    state =
        snapshot == null
            ? ClusterState.initial(GeneratedHistory.config())
            : StoredState.restore(snapshot);
  }

  @Override
  public void committed(long place, List<byte[]> records) {
    ClusterState next = state;
    try {
      for (byte[] record : records) {
        for (EventJournal.Timed timed :
            EventJournal.decode(Path.of("log"), new JournalRecord(place, record))) {
          next = EventApplier.apply(next, timed.event());
        }
      }
    } catch (JournalRefusedException e) {
      throw new UncheckedIOException(e);
    }
    state = next;
  }

  @Override
  public void elected(long term) {
    leads = true;
  }

  @Override
  public void deposed() {
    leads = false;
  }

  @Override
  public SnapshotItems image() {
    return StoredState.of(state);
  }

  @Override
  public void stopped(Throwable cause) {
    stopped = cause;
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket raw : accepted) {
      raw.close();
    }
    links.close();
    member.close();
  }

  private record Ear(Logger log) implements JournalListener {
    @Override
    public void decayed(String line) {
      log.error(line);
    }

    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }
}
