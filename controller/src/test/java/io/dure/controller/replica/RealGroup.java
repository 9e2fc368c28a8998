package io.dure.controller.replica;

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
import io.dure.journal.JournalListener;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.config.SiteRules;
import io.dure.protocol.WireCodecs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;

/** Members with real journals, threads and TLS on this machine's loopback. */
final class RealGroup implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final List<String> hosts;
  private final ClusterTrust trust;
  private final Map<String, Controller> processes = new TreeMap<>();
  private final Map<String, Integer> ports = new ConcurrentHashMap<>();
  private final Logger log =
      DaemonLog.toStream(
          OutputStream.nullOutputStream(), LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);

  RealGroup(Path directory, List<String> hosts) throws IOException {
    this.directory = directory;
    this.hosts = hosts;
    trust =
        ClusterTrust.open(
            new ClusterTrust.TrustLocations(
                directory.resolve("dure.key"), directory.resolve("tls"), "test", "a", null),
            0,
            Instant.now());
  }

  Path state(String host) {
    return directory.resolve("state-" + host);
  }

  /** One controller, as far as the log is concerned. */
  final class Controller implements ReplicatedStateMachine, AutoCloseable {
    final String host;
    private final ServerSocket socket;
    private final PeerLinks links;
    private final RaftGroupMember member;
    private final List<Socket> accepted = new ArrayList<>();
    final List<Long> ids = new ArrayList<>();
    volatile boolean leads;
    volatile long count;
    volatile Throwable stopped;

    Controller(String host) throws IOException {
      this.host = host;
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      ports.put(host, socket.getLocalPort());
      links =
          new PeerLinks(
              new PeerLinks.Setup(
                  host,
                  to ->
                      ports.containsKey(to)
                          ? new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(to))
                          : null,
                  trust.key(),
                  InstantSource.system(),
                  log,
                  ConnectLimits.of(SiteRules.USUAL)));
      member =
          RaftGroupMember.open(
              new RaftGroupMember.MemberServices(state(host), new Calm(), links, log),
              ControllerGroupSettings.of(host, hosts),
              this);
      Thread.ofVirtual().start(this::accept);
      member.start();
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket raw = socket.accept();
          raw.setTcpNoDelay(true);
          synchronized (accepted) {
            accepted.add(raw);
          }
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

    ReplicatedLog log() {
      return member.log();
    }

    /** Appends in the present epoch. */
    CompletableFuture<Void> append(List<byte[]> records) {
      CompletableFuture<Void> kept = new CompletableFuture<>();
      log()
          .append(
              log().epoch(),
              records,
              failure -> {
                if (failure == null) {
                  kept.complete(null);
                } else {
                  kept.completeExceptionally(failure);
                }
              });
      return kept;
    }

    @Override
    public void restore(SnapshotItems snapshot) throws IOException {
      ids.clear();
      if (snapshot != null) {
        snapshot.into(item -> {
          for (ByteBuffer bytes = ByteBuffer.wrap(item); bytes.remaining() >= 8; ) {
            ids.add(bytes.getLong());
          }
        });
      }
      count = ids.size();
    }

    @Override
    public void committed(long place, List<byte[]> records) {
      for (byte[] record : records) {
        apply(ByteBuffer.wrap(record).getLong());
      }
    }

    void apply(long id) {
      ids.add(id);
      count = ids.size();
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
      ByteBuffer bytes = ByteBuffer.allocate(8 * ids.size());
      ids.forEach(bytes::putLong);
      return SnapshotItems.of(bytes.array());
    }

    @Override
    public void stopped(Throwable cause) {
      stopped = cause;
    }

    @Override
    public void close() throws IOException {
      socket.close();
      synchronized (accepted) {
        for (Socket raw : accepted) {
          raw.close();
        }
      }
      links.close();
      member.close();
    }
  }

  private static final class Calm implements JournalListener {
    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }

  Controller start(String host) throws IOException {
    Controller process = new Controller(host);
    processes.put(host, process);
    return process;
  }

  void stop(String host) throws IOException {
    processes.remove(host).close();
  }

  /** Waits for one who leads. */
  Controller leader() throws TimeoutException {
    await("a leader", () -> processes.values().stream().anyMatch(p -> p.leads));
    return processes.values().stream().filter(p -> p.leads).findFirst().orElseThrow();
  }

  interface Condition {
    boolean holds();
  }

  void await(String what, Condition condition) throws TimeoutException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > until) {
        StringBuilder text = new StringBuilder("no " + what);
        processes.values().forEach(p -> text.append('\n').append(p.log().status()));
        throw new TimeoutException(text.toString());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  boolean allHave(long count) {
    return processes.values().stream().allMatch(p -> p.count == count);
  }

  @Override
  public void close() throws IOException {
    for (Controller process : processes.values()) {
      process.close();
    }
  }
}
