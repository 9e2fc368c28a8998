package io.dure.faults.corruption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.codec.RecordCodec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In the middle of an upgrade a leader of a newer version writes what an older one cannot read. */
@Tag("pure")
class NewerRecordTest {
  private static final List<String> HOSTS = List.of("a", "b", "c");

  @TempDir Path directory;

  /** A record of events, with something more in it than today's. */
  private record TimedNewer(Instant at, Event event, String more) {}

  private static byte[] newer(GeneratedHistory.HistoryBatch decision) {
    byte[] body =
        RecordCodec.of(TimedNewer.class)
            .encode(new TimedNewer(decision.at(), decision.events().getFirst(), "more"));
    byte[] record = new byte[body.length + 2];
    Arrays.fill(record, 0, 2, (byte) 1);
    System.arraycopy(body, 0, record, 2, body.length);
    return record;
  }

  @Test
  void whoCannotReadItEndsInsteadOfSkippingIt() throws Exception {
    ClusterTrust trust =
        ClusterTrust.open(
            new ClusterTrust.TrustLocations(
                directory.resolve("key"), directory.resolve("tls"), "rot", "a", null),
            CurrentProcess.effectiveUid(),
            Instant.now());
    ReplicatedFixtureMember.Surroundings around =
        new ReplicatedFixtureMember.Surroundings(HOSTS, new ConcurrentHashMap<>(), trust);
    GeneratedHistory history = GeneratedHistory.of(3, 2);
    Map<String, ReplicatedFixtureMember> peers = new TreeMap<>();
    try {
      for (String host : HOSTS) {
        peers.put(host, new ReplicatedFixtureMember(host, directory.resolve(host), around));
      }
      ReplicatedFixture.await(
          "three voters",
          () ->
              peers.values().stream().anyMatch(ReplicatedFixtureMember::leads)
                  && peers.values().stream().allMatch(peer -> peer.hasVoters(3)));
      ReplicatedFixtureMember leader =
          peers.values().stream().filter(ReplicatedFixtureMember::leads).findFirst().orElseThrow();
      assertTrue(leader.keeps(history.decisions().getFirst()));
      GeneratedHistory.HistoryBatch second = history.decisions().get(1);
      assertTrue(leader.keeps(List.of(newer(second)), List.of(second.events().getFirst())));
      for (ReplicatedFixtureMember peer : peers.values()) {
        if (peer != leader) {
          ReplicatedFixture.await("its end", () -> peer.stopped() != null);
          Throwable end = peer.stopped();
          assertNotNull(end);
          assertTrue(String.valueOf(end).contains("start the newer program"), end.toString());
          assertTrue(StateBytes.same(history.states().get(1), peer.state()), "skipped a part");
        }
      }
      assertNull(leader.stopped());
      String old =
          peers.entrySet().stream()
              .filter(entry -> entry.getValue() != leader)
              .findFirst()
              .orElseThrow()
              .getKey();
      Objects.requireNonNull(peers.remove(old)).close();
      ReplicatedFixtureMember again =
          new ReplicatedFixtureMember(old, directory.resolve(old), around);
      peers.put(old, again);
      ReplicatedFixture.await("the same end", () -> again.stopped() != null);
      assertTrue(StateBytes.same(history.states().get(1), again.state()));
      assertEquals(0, again.words().split("set aside", -1).length - 1, "its disk is sound");
    } finally {
      for (ReplicatedFixtureMember peer : peers.values()) {
        peer.close();
      }
    }
  }
}
