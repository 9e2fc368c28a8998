package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.controller.node.NodeChannel;
import io.dure.controller.node.NodeProtocol;
import io.dure.controller.replica.NotCommittedException;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.protocol.ControllerToNodeMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The beginnings and ends of leadership of three controllers with real threads and journals. */
@Timeout(120)
@Tag("process")
final class ReplicatedRoleTest {
  @TempDir Path directory;
  private Trio trio;

  @BeforeEach
  void start() throws Exception {
    trio = new Trio(directory);
  }

  @AfterEach
  void end() throws Exception {
    trio.close();
  }

  /** A disk that takes a write and does not answer: the log's thread stands still. */
  @Test
  void aLeaderWhoseLogStandsStillLetsGo() throws Exception {
    Trio.Host old = trio.leader();
    LeaderServices before = old.leadership();
    Line line = new Line();
    NodeProtocol.over(
        line,
        "n1",
        new NodeProtocol.NodeServices(
            before.loop(), before.nodes(), InstantSource.system(), Runnable::run, trio.log));
    Future<Reply> kept = before.loop().submit(drain("kept"), Trio.ADMIN);
    assertInstanceOf(Reply.Done.class, kept.get(10, TimeUnit.SECONDS));
    old.hang();
    Future<Reply> stuck = before.loop().submit(drain("stuck"), Trio.ADMIN);
    ExecutionException untold =
        assertThrows(ExecutionException.class, () -> stuck.get(10, TimeUnit.SECONDS));
    assertInstanceOf(NotCommittedException.class, untold.getCause());
    assertTrue(line.closed.await(10, TimeUnit.SECONDS));
    trio.await("the old leader serves nobody", () -> old.leadership() == null);
    assertEquals("STALLED", old.role());
    Trio.Host next = trio.leader();
    assertTrue(next != old);
    assertEquals("kept", next.reasonOf("n1"));
    old.wake();
    trio.await("the old leader follows", () -> old.role().equals("FOLLOWER"));
    assertNull(old.leadership());
    next.done(drain("later"));
    assertEquals("later", next.reasonOf("n1"));
  }

  /** Nobody could take over, so whoever is first well again goes on. */
  @Test
  void allStandStillAndOneLeadsAgain() throws Exception {
    Trio.Host old = trio.leader();
    old.done(drain("before"));
    trio.hosts().forEach(Trio.Host::hang);
    trio.await("nobody leads", () -> trio.hosts().stream().allMatch(h -> h.leadership() == null));
    trio.hosts().forEach(Trio.Host::wake);
    Trio.Host next = trio.leader();
    assertEquals("before", next.reasonOf("n1"));
    next.done(drain("after"));
    assertEquals("after", next.reasonOf("n1"));
  }

  /** Whoever leads next has an edited file, and is no controller that was started anew. */
  @Test
  void aTakeoverChangesNothingThatIsInForce() throws Exception {
    Trio.Host old = trio.leader();
    PartitionConfig main = old.state().partition("main");
    old.done(drain("mind"));
    old.done(new Command.ChangePartition(drained(main), false));
    old.done(new Command.DeletePartition("other"));
    old.done(new Command.UpdateNodes(List.of("n2"), Map.of("weight", "7")));
    trio.hosts().forEach(host -> host.edit("NodeName=n[1-2] CPUs=2", "NodeName=n[1-3] CPUs=2"));
    Trio.Host next = trio.hosts().stream().filter(host -> host != old).findFirst().orElseThrow();
    trio.await("a vote", () -> old.handOver(next));
    trio.await("the next leads", () -> next.leadership() != null);
    ClusterState state = next.state();
    assertEquals(PartitionConfig.State.DRAIN, state.partition("main").state());
    assertNull(state.partition("other"));
    assertEquals(7, state.node("n2").config().weight());
    assertEquals("mind", next.reasonOf("n1"));
    assertNull(state.node("n3"));
    next.epoch.configure(next.parsed());
    assertEquals(PartitionConfig.State.UP, next.state().partition("main").state());
    assertTrue(next.state().node("n3") != null);
  }

  /** One by one they are started anew, and nothing happens in between: still nobody begins anew. */
  @Test
  void aTakeoverByOneThatWasJustStartedChangesNothingEither() throws Exception {
    Trio.Host old = trio.leader();
    old.done(new Command.DeletePartition("other"));
    Trio.Host before = trio.hosts().stream().filter(host -> host != old).findFirst().orElseThrow();
    Trio.Host next = trio.again(before);
    trio.await("a vote", () -> old.handOver(next));
    trio.await("the next leads", () -> next.leadership() != null);
    assertNull(next.state().partition("other"));
  }

  /** All were down: the one that leads first puts its file in force, as a lone one does. */
  @Test
  void aStartOfAllPutsTheFileInForce() throws Exception {
    Trio.Host old = trio.leader();
    old.done(new Command.DeletePartition("other"));
    old.done(drain("mind"));
    trio.close();
    trio = new Trio(directory);
    Trio.Host next = trio.leader();
    assertTrue(next.state().partition("other") != null);
    assertEquals("mind", next.reasonOf("n1"));
  }

  private static PartitionConfig drained(PartitionConfig p) {
    return p.with()
        .state(PartitionConfig.State.DRAIN)
        .billingWeights(Map.of())
        .qos(null)
        .preemptMode(null)
        .graceTime(Duration.ZERO)
        .gpuDefaults(GpuDefaults.NONE)
        .build();
  }

  private static Command drain(String reason) {
    return new Command.UpdateNodes(List.of("n1"), Map.of("state", "drain", "reason", reason));
  }

  /** A connection to a node daemon. */
  private static final class Line implements NodeChannel {
    final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public boolean send(ControllerToNodeMessage message) {
      return true;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
