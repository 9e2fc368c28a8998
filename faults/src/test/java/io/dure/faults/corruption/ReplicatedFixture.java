package io.dure.faults.corruption;

import io.dure.cluster.ClusterState;
import io.dure.faults.corruption.RecoveryVerdict.Outcome;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CurrentProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three controllers, of which one was away while the other two acknowledged the last third of all:
 * the harshest place for damage, since a member that forgets what it acknowledged could make a
 * majority with the one that never knew.
 */
final class ReplicatedFixture {
  private static final List<String> HOSTS = List.of("a", "b", "c");
  private static final long PAUSE_NANOS = 1_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration INSPECTION = Duration.ofSeconds(60);
  private static final Duration TEMPTATION = Duration.ofMillis(1500);
  private static final long AT_REST_NANOS = 50_000_000;

  private final Path whole;
  private final GeneratedHistory history;
  private final ClusterTrust trust;
  private final String behind;

  private ReplicatedFixture(
      Path whole, GeneratedHistory history, ClusterTrust trust, String behind) {
    this.whole = whole;
    this.history = history;
    this.trust = trust;
    this.behind = behind;
  }

  /** The files of three members: as the end of their processes leaves them, and stopped. */
  static List<ReplicatedFixture> make(Path root, GeneratedHistory history)
      throws IOException, InterruptedException, TimeoutException {
    Path stopped = Files.createDirectories(root.resolve("stopped"));
    Path killed = root.resolve("killed");
    ClusterTrust trust = trust(root);
    String behind = live(stopped, trust, history, () -> TestDirectories.copy(stopped, killed));
    return List.of(
        new ReplicatedFixture(killed, history, trust, behind),
        new ReplicatedFixture(stopped, history, trust, behind));
  }

  /** The files of two members who have everything. */
  static void makeTwo(Path scratch, Path to, GeneratedHistory history)
      throws IOException, InterruptedException, TimeoutException {
    Path three = Files.createDirectories(scratch.resolve("three"));
    String behind = live(three, trust(scratch), history, () -> {});
    TestDirectories.delete(three.resolve(behind));
    for (String host : HOSTS) {
      Files.deleteIfExists(three.resolve(host).resolve("lock"));
    }
    TestDirectories.copy(three, to);
  }

  /** The state of three members who start on that, once all have the same and vote. */
  static ClusterState agreed(Path place)
      throws IOException, InterruptedException, TimeoutException {
    Path scratch = Files.createTempDirectory("dure-trust-");
    try (Running group = new Running(place, trust(scratch))) {
      for (String host : HOSTS) {
        group.start(host);
      }
      await("three voters", () -> group.leads() && group.allHaveVoters(HOSTS.size()));
      await(
          "all have the same",
          () -> group.all(group.peer(HOSTS.getFirst()).state()) && group.leads());
      return group.peer(HOSTS.getFirst()).state();
    } finally {
      TestDirectories.delete(scratch);
    }
  }

  private static ClusterTrust trust(Path root) throws IOException {
    return ClusterTrust.open(
        new ClusterTrust.TrustLocations(root.resolve("key"), root.resolve("tls"), "rot", "a", null),
        CurrentProcess.effectiveUid(),
        Instant.now());
  }

  private interface Photographer {
    void take() throws IOException;
  }

  /**
   * Lets three live through a history, without one of them in its last third; gives that one.
   *
   * @param atRest called at the end, while they run
   */
  private static String live(
      Path place, ClusterTrust trust, GeneratedHistory history, Photographer atRest)
      throws IOException, InterruptedException, TimeoutException {
    try (Running group = new Running(place, trust)) {
      for (String host : HOSTS) {
        group.start(host);
      }
      await("three voters", () -> group.leads() && group.allHaveVoters(HOSTS.size()));
      int part = history.decisions().size() * 2 / 3;
      group.append(history, 0, part);
      ClusterState then = history.states().get(part);
      await("all have the first part", () -> group.all(then));
      String behind = group.follower();
      group.stop(behind);
      group.append(history, part, history.decisions().size());
      await("two have the rest", () -> group.all(history.last()));
      LockSupport.parkNanos(AT_REST_NANOS);
      atRest.take();
      return behind;
    }
  }

  Path whole() {
    return whole;
  }

  /** Starts three on files of which one was damaged. */
  RecoveryVerdict start(Path place, FileDamage damage) throws IOException, InterruptedException {
    String victim = damage.file().getName(0).toString();
    String late =
        HOSTS.stream()
            .filter(h -> !h.equals(victim) && !h.equals(behind))
            .findFirst()
            .orElseThrow();
    try (Running group = new Running(place, trust)) {
      group.start(behind);
      if (!victim.equals(behind)) {
        group.start(victim);
        String wrong = temptation(group);
        if (wrong != null) {
          return RecoveryVerdict.missed(wrong);
        }
      }
      for (String host : HOSTS) {
        if (!group.has(host)) {
          group.start(host);
        }
      }
      try {
        await(
            "all have everything after " + late + " came",
            () -> group.all(history.last()) && group.leads() && group.allHaveVoters(HOSTS.size()));
      } catch (TimeoutException e) {
        return RecoveryVerdict.missed(e.getMessage() + "\n" + group.words());
      }
      ReplicatedFixtureMember peer = group.peer(victim);
      if (wasSetAside(place.resolve(victim))) {
        return new RecoveryVerdict(Outcome.FROM_OTHERS, peer.words());
      }
      boolean told = tells(peer, String.valueOf(damage.file().getFileName()));
      return new RecoveryVerdict(told ? Outcome.REPAIRED : Outcome.UNTOLD, peer.words());
    } catch (IOException e) {
      return RecoveryVerdict.missed(
          "refused, though two others have everything: " + e.getMessage());
    }
  }

  /** The damaged and the one behind are a majority: whoever leads must have everything. */
  private @Nullable String temptation(Running group) throws InterruptedException {
    long until = System.nanoTime() + TEMPTATION.toNanos();
    while (System.nanoTime() < until) {
      for (ReplicatedFixtureMember peer : group.peers.values()) {
        if (peer.leads()) {
          return StateBytes.same(peer.state(), history.last())
              ? null
              : "a leader without all that was acknowledged\n" + group.words();
        }
      }
      pause();
    }
    return null;
  }

  /** Whether it names the file; what older files hold is looked at beside the start. */
  private static boolean tells(ReplicatedFixtureMember peer, String file)
      throws InterruptedException {
    try {
      await("word of " + file, INSPECTION, () -> peer.words().contains(file));
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private static boolean wasSetAside(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> String.valueOf(file.getFileName()).startsWith("set-aside-"));
    }
  }

  /** Waits for what another thread does. */
  static void await(String what, BooleanSupplier condition)
      throws InterruptedException, TimeoutException {
    await(what, PATIENCE, condition);
  }

  private static void await(String what, Duration patience, BooleanSupplier condition)
      throws InterruptedException, TimeoutException {
    long until = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new TimeoutException("not in " + patience.toSeconds() + " s: " + what);
      }
      pause();
    }
  }

  /** Between two looks at what other threads do, always within a deadline. */
  private static void pause() throws InterruptedException {
    LockSupport.parkNanos(PAUSE_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Those that run. */
  private static final class Running implements AutoCloseable {
    private final Path directory;
    private final ReplicatedFixtureMember.Surroundings around;
    private final Map<String, ReplicatedFixtureMember> peers = new TreeMap<>();

    Running(Path directory, ClusterTrust trust) {
      this.directory = directory;
      around = new ReplicatedFixtureMember.Surroundings(HOSTS, new ConcurrentHashMap<>(), trust);
    }

    void start(String host) throws IOException {
      peers.put(host, new ReplicatedFixtureMember(host, directory.resolve(host), around));
    }

    void stop(String host) throws IOException {
      ReplicatedFixtureMember peer = peers.remove(host);
      if (peer != null) {
        peer.close();
      }
    }

    boolean has(String host) {
      return peers.containsKey(host);
    }

    ReplicatedFixtureMember peer(String host) {
      return Objects.requireNonNull(peers.get(host));
    }

    boolean leads() {
      return peers.values().stream().anyMatch(ReplicatedFixtureMember::leads);
    }

    boolean allHaveVoters(int count) {
      return peers.values().stream().allMatch(peer -> peer.hasVoters(count));
    }

    boolean all(ClusterState state) {
      return peers.values().stream().allMatch(peer -> StateBytes.same(peer.state(), state));
    }

    String follower() {
      return peers.entrySet().stream()
          .filter(entry -> !entry.getValue().leads())
          .findFirst()
          .orElseThrow()
          .getKey();
    }

    /** Has the decisions from one to another kept, also if another leads meanwhile. */
    void append(GeneratedHistory history, int from, int to)
        throws InterruptedException, TimeoutException {
      for (int i = from; i < to; i++) {
        ClusterState before = history.states().get(i);
        ClusterState after = history.states().get(i + 1);
        boolean kept = false;
        while (!kept) {
          await("a leader", this::leads);
          ReplicatedFixtureMember leader =
              peers.values().stream()
                  .filter(ReplicatedFixtureMember::leads)
                  .findFirst()
                  .orElseThrow();
          kept = StateBytes.same(leader.state(), after);
          if (!kept && StateBytes.same(leader.state(), before)) {
            kept = leader.keeps(history.decisions().get(i));
          }
        }
      }
    }

    String words() {
      StringBuilder text = new StringBuilder();
      peers.forEach((host, peer) -> text.append(host + ": " + peer.words() + "\n"));
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      for (ReplicatedFixtureMember peer : peers.values()) {
        peer.close();
      }
      peers.clear();
    }
  }
}
