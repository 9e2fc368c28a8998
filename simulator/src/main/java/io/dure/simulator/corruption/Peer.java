package io.dure.simulator.corruption;

import io.dure.controller.journal.EventJournal;
import io.dure.controller.journal.JournalListener;
import io.dure.controller.journal.JournalRecord;
import io.dure.controller.journal.JournalRefusedException;
import io.dure.controller.journal.JournalSettings;
import io.dure.controller.replica.GroupMember;
import io.dure.controller.replica.GroupSettings;
import io.dure.controller.replica.Replica;
import io.dure.controller.replica.link.PeerLinks;
import io.dure.controller.replica.link.PeerSession;
import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Event;
import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.net.Connection;
import io.dure.host.net.Connections;
import io.dure.host.trust.ClusterTrust;
import io.dure.protocol.Wire;
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

/**
 * A controller of a group as far as its log goes: the product's member, journal and connections,
 * and a state that follows what is decided.
 */
final class Peer implements Replica, AutoCloseable {
  private static final JournalSettings JOURNAL =
      new JournalSettings(16 * 1024, 1 << 24, Duration.ofMillis(10));
  private static final int BEAT_MILLIS = 100;
  private static final int ENTRIES_A_SNAPSHOT = 50;

  private final ServerSocket socket;
  private final ClusterTrust trust;
  private final PeerLinks links;
  private final GroupMember member;
  private final ConcurrentLinkedQueue<Socket> accepted = new ConcurrentLinkedQueue<>();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Log log = Log.toStream(said, LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);
  private volatile ClusterState state = ClusterState.initial(History.config());
  private volatile boolean leads;
  private volatile @Nullable Throwable stopped;

  /** Where everybody listens, and whom they trust. */
  record Surroundings(List<String> hosts, Map<String, Integer> ports, ClusterTrust trust) {}

  /** Starts one on the files of a directory. */
  Peer(String host, Path directory, Surroundings around) throws IOException {
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
                log));
    boolean done = false;
    try {
      member =
          GroupMember.open(
              new GroupMember.Ground(directory, new Ear(log), links, log, JOURNAL),
              new GroupSettings(host, around.hosts(), BEAT_MILLIS, ENTRIES_A_SNAPSHOT),
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
        Connections.accepted(raw, trust.ca().serverContext(), Duration.ofSeconds(10))) {
      if (connection.receiveMagic() == Wire.PEER_MAGIC) {
        new PeerSession(
                connection,
                new PeerSession.Wiring(member, trust.key(), InstantSource.system(), log))
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
  boolean keeps(History.Decision decision) throws InterruptedException {
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
                state = Apply.applyAll(state, events);
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
  public void restore(byte @Nullable [] snapshot) {
    state = snapshot == null ? ClusterState.initial(History.config()) : States.restore(snapshot);
  }

  @Override
  public void committed(long place, List<byte[]> records) {
    ClusterState next = state;
    try {
      for (byte[] record : records) {
        for (EventJournal.Timed timed :
            EventJournal.decode(Path.of("log"), new JournalRecord(place, record))) {
          next = Apply.apply(next, timed.event());
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
  public Image image() {
    ClusterState now = state;
    return () -> States.snapshot(now);
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

  private record Ear(Log log) implements JournalListener {
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
