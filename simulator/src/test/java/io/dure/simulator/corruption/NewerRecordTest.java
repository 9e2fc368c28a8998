package io.dure.simulator.corruption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.controller.Event;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.codec.RecordCodec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

  private static byte[] newer(History.Decision decision) {
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
    Peer.Surroundings around = new Peer.Surroundings(HOSTS, new ConcurrentHashMap<>(), trust);
    History history = History.of(3, 2);
    Map<String, Peer> peers = new TreeMap<>();
    try {
      for (String host : HOSTS) {
        peers.put(host, new Peer(host, directory.resolve(host), around));
      }
      Group.await(
          "three voters",
          () ->
              peers.values().stream().anyMatch(Peer::leads)
                  && peers.values().stream().allMatch(peer -> peer.hasVoters(3)));
      Peer leader = peers.values().stream().filter(Peer::leads).findFirst().orElseThrow();
      assertTrue(leader.keeps(history.decisions().getFirst()));
      History.Decision second = history.decisions().get(1);
      assertTrue(leader.keeps(List.of(newer(second)), List.of(second.events().getFirst())));
      for (Peer peer : peers.values()) {
        if (peer != leader) {
          Group.await("its end", () -> peer.stopped() != null);
          Throwable end = peer.stopped();
          assertNotNull(end);
          assertTrue(String.valueOf(end).contains("start the newer program"), end.toString());
          assertTrue(States.same(history.states().get(1), peer.state()), "skipped a part");
        }
      }
      assertNull(leader.stopped());
      String old =
          peers.entrySet().stream()
              .filter(entry -> entry.getValue() != leader)
              .findFirst()
              .orElseThrow()
              .getKey();
      peers.remove(old).close();
      Peer again = new Peer(old, directory.resolve(old), around);
      peers.put(old, again);
      Group.await("the same end", () -> again.stopped() != null);
      assertTrue(States.same(history.states().get(1), again.state()));
      assertEquals(0, again.words().split("set aside", -1).length - 1, "its disk is sound");
    } finally {
      for (Peer peer : peers.values()) {
        peer.close();
      }
    }
  }
}
