package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.replica.PeerTransport;
import io.dure.controller.replica.RaftGroupMember;
import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.service.CallerDirectory;
import io.dure.controller.service.ControllerAdmin;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CachedUserDatabase;
import io.dure.journal.JournalListener;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.protocol.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Three controllers in one program that hear each other without a network. */
final class Trio implements AutoCloseable {
  static final Caller ADMIN =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of("root"), true);
  private static final String CONF =
      """
      ClusterName=test
      SlurmctldHost=a
      SlurmctldHost=b
      SlurmctldHost=c
      NodeName=n[1-2] CPUs=2
      PartitionName=main Nodes=ALL Default=YES
      PartitionName=other Nodes=n2
      """;

  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  final Logger log =
      DaemonLog.toStream(lines, LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);
  private final List<Host> hosts = new ArrayList<>();
  private final ClusterTrust trust;
  private final Queue<Throwable> stopped = new ConcurrentLinkedQueue<>();

  Trio(Path directory) throws IOException {
    trust =
        ClusterTrust.open(
            new ClusterTrust.TrustLocations(
                directory.resolve("dure.key"), directory.resolve("tls"), "test", "a", null),
            0,
            Instant.now());
    for (String name : List.of("a", "b", "c")) {
      hosts.add(new Host(name, directory.resolve("state-" + name)));
    }
    hosts.forEach(host -> host.epoch.start(parse(CONF), Command.Recovery.START));
  }

  static ClusterConfig parse(String text) {
    return SlurmConfParser.parseAlone("/slurm.conf", text).config();
  }

  /** Ends one and starts it anew on the same disk. */
  Host again(Host host) throws IOException {
    host.epoch.close();
    Host anew = new Host(host.name, host.disk);
    hosts.set(hosts.indexOf(host), anew);
    anew.epoch.start(parse(CONF), Command.Recovery.START);
    return anew;
  }

  /** One controller. */
  final class Host implements PeerTransport {
    final String name;
    final Path disk;
    final ReplicatedRole epoch;
    private volatile CountDownLatch still = new CountDownLatch(0);
    private volatile String file = CONF;

    Host(String name, Path state) throws IOException {
      this.name = name;
      this.disk = state;
      LeaderServices.Ground ground =
          new LeaderServices.Ground(
              state,
              new CallerDirectory(CachedUserDatabase.ofThisMachine(), 0, "here"),
              new Nothing(),
              trust.key(),
              InstantSource.system(),
              Instant.now(),
              log,
              EventFollower.NONE,
              null,
              Trio.this::broken,
              null);
      epoch =
          new ReplicatedRole(
              ground,
              parse(CONF),
              () -> parse(file),
              replica ->
                  RaftGroupMember.open(
                      new RaftGroupMember.MemberServices(state, new Calm(), this, log),
                      ControllerGroupSettings.of(name, List.of("a", "b", "c")),
                      replica),
              Trio.this::broken);
    }

    /** Called by the log's thread, so that it stands still while the host hangs. */
    @Override
    public void send(String to, byte[] message) {
      try {
        still.await();
      } catch (InterruptedException e) {
        return;
      }
      hosts.stream()
          .filter(host -> host.name.equals(to))
          .forEach(host -> host.epoch.member().receive(message));
    }

    void hang() {
      still = new CountDownLatch(1);
    }

    void wake() {
      still.countDown();
    }

    /** What slurm.conf of this machine says from now on. */
    void edit(String from, String to) {
      file = file.replace(from, to);
    }

    @Nullable LeaderServices leadership() {
      return epoch.leadership();
    }

    /** Lets another lead; false while it may not. */
    boolean handOver(Host next) {
      try {
        return epoch.handOver(next.name) == null;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    ClusterState state() {
      return leadership().loop().published();
    }

    ClusterConfig parsed() {
      return parse(file);
    }

    String role() {
      return epoch.replicas().replicas().stream()
          .filter(replica -> replica.host().equals(name))
          .findFirst()
          .orElseThrow()
          .role();
    }

    /** Has something done by this leader. */
    void done(Command command) throws Exception {
      Reply reply = leadership().loop().submit(command, ADMIN).get(10, TimeUnit.SECONDS);
      if (!(reply instanceof Reply.Done)) {
        throw new AssertionError(reply);
      }
    }

    String reasonOf(String node) {
      return state().node(node).condition().reason();
    }
  }

  /** No controller ends by itself in these tests. */
  private void broken(Throwable cause) {
    log.error("stopped", cause);
    stopped.add(cause);
  }

  List<Host> hosts() {
    return hosts;
  }

  /** Waits for one who leads. */
  Host leader() throws TimeoutException {
    await("a leader", () -> hosts.stream().anyMatch(h -> h.leadership() != null));
    return hosts.stream().filter(h -> h.leadership() != null).findFirst().orElseThrow();
  }

  void await(String what, BooleanSupplier condition) throws TimeoutException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new TimeoutException(what + "\n" + lines.toString(StandardCharsets.UTF_8));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() throws IOException {
    hosts.forEach(Host::wake);
    for (Host host : hosts) {
      host.epoch.close();
    }
    if (!stopped.isEmpty()) {
      throw new AssertionError("a controller ended by itself", stopped.peek());
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

  private static final class Nothing implements ControllerAdmin {
    @Override
    public Reconfiguration reconfigure() {
      return new Reconfiguration(true, List.of());
    }

    @Override
    public void shutdown(boolean nodesToo) {}

    @Override
    public List<String> configuration() {
      return List.of();
    }

    @Override
    public List<Response.ConfigFile> configFiles() {
      return List.of();
    }

    @Override
    public String hostName() {
      return "a";
    }

    @Override
    public @Nullable String token(String user, int seconds) {
      return null;
    }

    @Override
    public @Nullable String setDebugFlags(List<String> changes) {
      return null;
    }

    @Override
    public boolean setLogLevel(String level) {
      return true;
    }

    @Override
    public Response.Replicas replicas() {
      return new Response.Replicas(List.of(), null);
    }

    @Override
    public @Nullable String takeOver(int index) {
      return null;
    }
  }
}
