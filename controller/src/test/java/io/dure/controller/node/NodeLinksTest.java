package io.dure.controller.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.JobTextStore;
import io.dure.cluster.RunReconciliation.RunMismatch;
import io.dure.cluster.StateSnapshot;
import io.dure.cluster.TextContent;
import io.dure.cluster.UnreadableTextException;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.net.UnixListener;
import io.dure.model.command.Effect;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.WireCodecs;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons under one node name. */
@Tag("pure")
final class NodeLinksTest {
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
  private static final NodeLink.Instance FIRST = new NodeLink.Instance("a", "boot-a", NOON);
  private static final NodeLink.Instance SECOND = new NodeLink.Instance("b", "boot-b", NOON);

  @TempDir Path directory;
  private final List<Connection> connections = new ArrayList<>();
  private final NodeLinks links = new NodeLinks();
  private UnixListener listener;

  @BeforeEach
  void listen() throws IOException {
    listener = UnixListener.open(directory.resolve("socket"), 0600, 16);
  }

  @AfterEach
  void end() throws IOException {
    for (Connection connection : connections) {
      connection.close();
    }
    listener.close();
  }

  @Test
  void theLastMessageArrivesThoughTheConnectionsEndAtOnce() throws Exception {
    for (int round = 0; round < 50; round++) {
      NodeLinks all = new NodeLinks();
      NodeLink link = link();
      Connection daemon = connections.get(connections.size() - 2);
      assertTrue(all.attach(link));
      for (int i = 0; i < 200; i++) {
        link.send(new ControllerToNodeMessage.Reconfigure());
      }
      all.tellLast(new ControllerToNodeMessage.Shutdown(), Duration.ofSeconds(30));
      link.close();
      ControllerToNodeMessage last = null;
      for (byte[] frame = daemon.receive(); frame != null; frame = daemon.receive()) {
        last = WireCodecs.toNode().decode(frame);
      }
      assertEquals(new ControllerToNodeMessage.Shutdown(), last);
    }
  }

  private NodeLink link() throws IOException {
    return link(NOON);
  }

  private NodeLink link(Instant now) throws IOException {
    connections.add(ConnectionFactory.unix(directory.resolve("socket"), Duration.ZERO));
    Connection accepted = ConnectionFactory.over(listener.accept(), Duration.ZERO);
    connections.add(accepted);
    return new NodeLink("n1", accepted, now);
  }

  /** A text that has lost its file. */
  private record Unreadable(String text) implements TextContent {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public String read() {
      throw new UnreadableTextException("cannot read it", new IOException("gone"));
    }
  }

  @Test
  void aJobWhoseTextCannotBeReadIsNotLaunchedWithoutIt() throws Exception {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int job = cluster.submit(TestCluster.ALICE, JobBuilder.job());
    StateSnapshot all = StateSnapshot.of(cluster.state());
    JobTextStore texts = JobTextStore.in(Unreadable::new);
    for (JobTextStore.Text text : all.texts()) {
      texts = texts.with(text.id(), text.content());
    }
    ClusterState state = all.withTexts(List.of()).restore(texts);
    NodeLink link = link();
    Connection daemon = connections.get(connections.size() - 2);
    assertTrue(links.attach(link));
    Effect.Launch launch = new Effect.Launch("n1", job, cluster.job(job).run());
    assertThrows(UnreadableTextException.class, () -> links.perform(launch, state));
    links.disconnect("n1");
    assertTrue(link.isClosed(), "the daemon registers anew and the launch is tried again");
    assertNull(daemon.receive(), "nothing was sent");
  }

  @Test
  void theOneThatIsThereStaysWhileItIsHeardOf() throws IOException {
    NodeLink first = link();
    assertNull(links.claim(first, FIRST, NOON));
    assertEquals(FIRST, links.claim(link(), SECOND, NOON.plusSeconds(24)));
    first.hear(NOON.plusSeconds(24));
    assertEquals(FIRST, links.claim(link(), SECOND, NOON.plusSeconds(48)));
    Instant later = NOON.plusSeconds(49);
    assertNull(links.claim(link(later), SECOND, later));
    assertEquals(SECOND, links.claim(link(), FIRST, NOON.plusSeconds(49)));
  }

  @Test
  void theNextComesInOnceTheFirstIsGone() throws IOException {
    NodeLink first = link();
    assertNull(links.claim(first, FIRST, NOON));
    assertTrue(links.attach(first));
    first.close();
    assertNull(links.claim(link(), SECOND, NOON));
  }

  @Test
  void aDaemonThatCallsAnewTakesItsPlace() throws IOException {
    NodeLink first = link();
    assertNull(links.claim(first, FIRST, NOON));
    NodeLink again = link();
    assertNull(links.claim(again, FIRST, NOON));
    // The end of the former connection leaves the new one its claim.
    links.detach(first);
    assertEquals(FIRST, links.claim(link(), SECOND, NOON));
  }

  /** Also one who has said Hello and is not attached yet, and one who comes in that moment. */
  @Test
  void whoeverComesAfterTheEndIsHungUpOn() throws IOException {
    NodeLink early = link();
    links.enter(early);
    assertFalse(early.isClosed());
    links.close();
    assertTrue(early.isClosed());
    NodeLink late = link();
    links.enter(late);
    assertTrue(late.isClosed());
    assertFalse(links.attach(late));
    assertNull(links.of("n1"));
  }

  @Test
  void aRefusalIsNewsOnce() {
    assertTrue(links.isNews("n1", SECOND));
    assertFalse(links.isNews("n1", SECOND));
    assertTrue(links.isNews("n2", SECOND));
  }

  @Test
  void whatDiffersTwiceInARowIsReal() {
    RunDifferences doubts = new RunDifferences();
    Set<RunMismatch> one = Set.of(new RunMismatch(1, 1, true));
    assertFalse(doubts.hasLasted(one));
    assertFalse(doubts.hasLasted(Set.of()));
    assertFalse(doubts.hasLasted(one));
    assertTrue(doubts.hasLasted(Set.of(new RunMismatch(1, 1, true), new RunMismatch(2, 1, false))));
    assertFalse(doubts.hasLasted(one));
  }
}
