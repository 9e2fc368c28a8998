package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The spawner with the test in the node daemon's place: connections, orders, hostile peers. */
@Tag("process")
class SpawnerTest {
  private static final Path PROGRAMS = Path.of("target").toAbsolutePath();
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final int EAGAIN = 11;
  private static final int EMSGSIZE = 90;
  private static final int ETIMEDOUT = 110;

  private final List<StepConnection> connections = new ArrayList<>();
  private SpawnerProcess spawner;

  private void open() throws IOException {
    spawner = new SpawnerProcess(PROGRAMS, false);
  }

  private StepConnection connect() throws IOException {
    StepConnection connection = StepConnection.to(spawner.socket);
    connections.add(connection);
    return connection;
  }

  @AfterEach
  void close() throws Exception {
    for (StepConnection connection : connections) {
      connection.close();
    }
    spawner.close();
  }

  @Test
  void tellsWhoConnectedAndWhatTheyAskedFor() throws Exception {
    open();
    connect().send(new StepFrame('L', "launch\0x".getBytes(StandardCharsets.UTF_8)));
    StepFrame news = spawner.awaitNews('C', 1);
    int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    assertEquals(self, news.number(1));
    assertEquals(ProcessHandle.current().pid(), news.number(3));
    assertEquals("Llaunch\0x", news.text(4));
    assertEquals("rw-rw-rw-", mode(spawner.socket));
  }

  @Test
  void anAnswerIsTheLastThatAPeerHears() throws Exception {
    open();
    StepConnection peer = connect();
    peer.send(new StepFrame('L'));
    int id = spawner.awaitNews('C', 1).number(0);
    byte[] refusal = StepFrame.of('R', 13, "Permission denied\0").encoded();
    spawner.order(StepFrame.of('A', id, refusal));
    StepFrame heard = assertNotNull(peer.next(), "an answer");
    assertEquals('R', heard.type());
    assertEquals("Permission denied\0", heard.text(1));
    assertNull(peer.next());
  }

  @Test
  void peersThatGoAwayAreReported() throws Exception {
    open();
    StepConnection peer = connect();
    peer.send(new StepFrame('L'));
    int id = spawner.awaitNews('C', 1).number(0);
    peer.close();
    assertEquals(id, spawner.awaitNews('D', 1).number(0));
    // The daemon's decision and the news cross: the step must not begin without its front end.
    spawner.order(StepFrame.of('S', id, spawner.home.toString()));
    assertEquals(id, spawner.awaitNews('N', 1).number(0));
    assertEquals(spawner.home.toString(), spawner.awaitNews('N', 1).text(2));
  }

  @Test
  void whatIsNotAFrontEndIsTurnedAwayAndHoldsNobodyUp() throws Exception {
    open();
    StepConnection web = connect();
    web.sendBytes("GET / HTTP/1.1\r\nHost: n1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    StepConnection silent = connect();
    StepConnection half = connect();
    half.sendBytes(new byte[] {'L', 0, 0, 1});
    connect().send(new StepFrame('L'));
    spawner.awaitNews('C', 1);
    assertEquals(EMSGSIZE, web.await('R').number(0));
    assertNull(web.next());
    assertEquals(ETIMEDOUT, silent.await('R').number(0));
    assertEquals(ETIMEDOUT, half.await('R').number(0));
    assertEquals(1, spawner.news('C').size());
  }

  @Test
  void aLaunchOfMebibytesComesWholeAndALargerOneNot() throws Exception {
    open();
    byte[] launch = new byte[15 << 20];
    launch[launch.length - 1] = 7;
    connect().send(new StepFrame('L', launch));
    StepFrame news = spawner.awaitNews('C', 1);
    assertEquals(16 + 1 + launch.length, news.length());
    assertEquals(7, news.bytes(4)[launch.length]);
    StepConnection larger = connect();
    larger.sendBytes((byte) 'L', (byte) 1, (byte) 0, (byte) 0, (byte) 1);
    assertEquals(EMSGSIZE, larger.await('R').number(0));
  }

  @Test
  void theBytesOfManyLaunchesAreBounded() throws Exception {
    open();
    // Each announces 16 MiB; for more than four of them there is no room.
    List<CompletableFuture<Integer>> refusals = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      StepConnection peer = connect();
      peer.sendBytes((byte) 'L', (byte) 0, (byte) 0xff, (byte) 0, (byte) 0);
      refusals.add(CompletableFuture.supplyAsync(() -> refusalOf(peer), THREADS));
    }
    var first = CompletableFuture.anyOf(refusals.toArray(CompletableFuture[]::new));
    assertEquals(EAGAIN, first.get(30, TimeUnit.SECONDS));
    connect().send(new StepFrame('L', new byte[100]));
    spawner.awaitNews('C', 1);
  }

  @Test
  void connectionsAreBoundedAndTheNextOnesServed() throws Exception {
    open();
    int most = SpawnerProcess.user() == 65534 ? 4096 : 1024; // of root, of others
    int served = SpawnerProcess.user() == 65534 ? most : 64;
    for (int i = 0; i < most; i++) {
      connect().send(new StepFrame('L'));
    }
    spawner.awaitNews('C', served);
    assertEquals(EAGAIN, connect().await('R').number(0));
    connections.removeFirst().close();
    spawner.awaitNews('D', 1);
    connect().send(new StepFrame('L'));
    spawner.awaitNews('C', served + 1);
  }

  @Test
  void launchesOfAUserBeyondThoseThatAreServedWaitForTheirTurn() throws Exception {
    open();
    for (int i = 0; i < 70; i++) {
      launchFor(1234);
    }
    spawner.awaitNews('C', 64);
    launchFor(1235);
    assertEquals(1235, spawner.awaitNews('C', 65).number(1), "others do not wait for them");
    connections.getFirst().close();
    assertEquals(1234, spawner.awaitNews('C', 66).number(1));
    for (int i = 1; i < 6; i++) {
      byte[] refusal = StepFrame.of('R', 13, "Permission denied\0").encoded();
      spawner.order(StepFrame.of('A', spawner.news('C').get(i).number(0), refusal));
      spawner.awaitNews('C', 66 + i);
    }
    assertEquals(71, spawner.news('C').size());
  }

  @Test
  void someUsersCannotKeepRootAndOthersOut() throws Exception {
    open();
    assumeTrue(SpawnerProcess.user() == 65534, "a user cannot be root");
    for (int user = 0; user < 4; user++) {
      for (int i = 0; i < 1024; i++) {
        launchFor(2000 + user);
      }
      spawner.awaitNews('C', 64 * (user + 1));
    }
    Await.seconds(30).until("root is served", () -> isServed(0));
    Await.seconds(30).until("another user is served", () -> isServed(3000));
  }

  /** Whether a launch of that user was read; if not, perhaps after one more. */
  private boolean isServed(int uid) {
    try {
      if (uid == 0) {
        connect().send(new StepFrame('L'));
      } else {
        launchFor(uid);
      }
    } catch (IOException _) {
      // refused before all was sent
    }
    return spawner.news('C').stream().anyMatch(news -> news.number(1) == uid);
  }

  /** A launch that another daemon has passed on, of that user of another machine. */
  private void launchFor(int uid) throws IOException {
    StepConnection peer = connect();
    byte[] user = StepFrame.ofNumbers('V', uid, uid).encoded();
    byte[] launch = new StepFrame('L').encoded();
    // At once, for one that is refused takes no more.
    peer.sendBytes(ByteBuffer.allocate(user.length + launch.length).put(user).put(launch).array());
  }

  @Test
  void aShepherdThatCannotBeStartedIsReported() throws Exception {
    open();
    StepConnection peer = connect();
    peer.send(new StepFrame('L'));
    int id = spawner.awaitNews('C', 1).number(0);
    spawner.order(StepFrame.of('S', id, spawner.home + "/none"));
    StepFrame news = spawner.awaitNews('N', 1);
    assertEquals(2, news.number(1));
    assertEquals(spawner.home + "/none", news.text(2));
    // The connection is still the daemon's to answer.
    spawner.order(StepFrame.of('A', id, new StepFrame('R', new byte[4]).encoded()));
    peer.await('R');
  }

  @Test
  void theEndOfAShepherdIsReported() throws Exception {
    open();
    spawner.order(StepFrame.of('S', 0, spawner.home.toString())); // a directory without a launch
    int pid = spawner.awaitNews('P', 1).number(1);
    StepFrame end = spawner.awaitNews('W', 1);
    assertEquals(pid, end.number(0));
    assertEquals(0, end.number(1));
    assertFalse(Files.exists(spawner.home.resolve("shepherd.log")));
  }

  @Test
  void joiningAStepThatHasEndedIsRefused() throws Exception {
    open();
    StepConnection peer = connect();
    peer.send(new StepFrame('T'));
    int id = spawner.awaitNews('C', 1).number(0);
    spawner.order(StepFrame.of('J', id, spawner.home + "/control"));
    assertEquals(3, peer.await('R').number(0));
  }

  @Test
  void endsWithItsInputAndTakesItsSocketAway() throws Exception {
    open();
    StepConnection peer = connect();
    peer.send(new StepFrame('L'));
    spawner.awaitNews('C', 1);
    spawner.process().getOutputStream().close();
    assertTrue(spawner.process().waitFor(10, TimeUnit.SECONDS), "it ends");
    assertEquals(0, spawner.process().exitValue());
    assertFalse(Files.exists(spawner.socket));
    assertNull(peer.next());
  }

  @Test
  void aSecondSpawnerTakesThePlaceOfOneThatWasKilled() throws Exception {
    open();
    spawner.process().destroyForcibly().waitFor();
    assertTrue(Files.exists(spawner.socket));
    Process next =
        new ProcessBuilder(
                PROGRAMS.resolve("spawner").toString(), spawner.socket.toString(), "/bin/false")
            .start();
    Await.seconds(20).passes("it listens", this::connectOrFail);
    next.getOutputStream().close();
    assertTrue(next.waitFor(10, TimeUnit.SECONDS), "it ends");
  }

  private static int refusalOf(StepConnection peer) {
    try {
      return peer.await('R').number(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connectOrFail() {
    try {
      connect();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static StepFrame assertNotNull(StepFrame frame, String what) {
    org.junit.jupiter.api.Assertions.assertNotNull(frame, what);
    return frame;
  }
}
