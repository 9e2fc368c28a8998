package io.dure.host.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.storage.FileModes;
import io.dure.host.user.CurrentProcess;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
@SuppressWarnings("try") // closing early is what some of these tests are about
@Tag("process")
class UnixConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);

  @TempDir Path directory;
  private Path socket;
  private UnixListener listener;

  @BeforeEach
  void listen() throws IOException {
    socket = directory.resolve("test.sock");
    listener = UnixListener.open(socket, 0666, 10);
  }

  @AfterEach
  void stop() throws IOException {
    listener.close();
  }

  @Test
  void framesTravelBothWaysUntilOneSideEnds() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, LONG);
        Connection server = ConnectionFactory.over(listener.accept(), LONG)) {
      client.send(new byte[] {1, 2, 3});
      assertArrayEquals(new byte[] {1, 2, 3}, server.receive());
      server.send(new byte[0]);
      assertArrayEquals(new byte[0], client.receive());
      client.close();
      client.close();
      assertNull(server.receive());
    }
  }

  @Test
  void aLongFrameTravelsWhileTheOtherSideReads() throws Exception {
    byte[] payload = new byte[20_000_000];
    payload[19_999_999] = 42;
    try (Connection client = ConnectionFactory.unix(socket, LONG);
        Connection server = ConnectionFactory.over(listener.accept(), LONG)) {
      CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> receive(server));
      client.send(payload);
      assertArrayEquals(payload, received.get());
    }
  }

  @Test
  void aSilentPeerRunsIntoTheTimeLimit() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, SHORT);
        SocketChannel _ = listener.accept()) {
      SocketTimeoutException late = assertThrows(SocketTimeoutException.class, client::receive);
      assertEquals("Socket timed out on send/recv operation", late.getMessage());
      assertThrows(IOException.class, client::receive);
    }
  }

  @Test
  void aPeerThatSendsHalfAFrameRunsIntoTheTimeLimit() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, SHORT);
        SocketChannel server = listener.accept()) {
      server.write(java.nio.ByteBuffer.wrap(new byte[] {0, 0, 0, 9, 1}));
      assertThrows(SocketTimeoutException.class, client::receive);
    }
  }

  @Test
  void aPeerThatDoesNotReadRunsIntoTheTimeLimit() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, SHORT);
        SocketChannel _ = listener.accept()) {
      assertThrows(SocketTimeoutException.class, () -> client.send(new byte[30_000_000]));
    }
  }

  @Test
  void theTimeLimitIsForEachFrameNotForTheConnection() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, Duration.ofSeconds(5));
        Connection server = ConnectionFactory.over(listener.accept(), Duration.ZERO)) {
      for (int i = 0; i < 200; i++) {
        server.send(new byte[] {(byte) i});
        assertArrayEquals(new byte[] {(byte) i}, client.receive());
      }
    }
  }

  @Test
  void oneThreadWatchesAllTimeLimits() throws IOException {
    List<Connection> connections = new ArrayList<>();
    try {
      for (int i = 0; i < 5; i++) {
        Connection client = ConnectionFactory.unix(socket, LONG);
        connections.add(client);
        connections.add(ConnectionFactory.over(listener.accept(), LONG));
        client.send(new byte[] {1});
        connections.getLast().receive();
      }
      long watchers =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("time limits"))
              .count();
      assertEquals(1, watchers);
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  @Test
  void aShorterTimeLimitHoldsAfterALongerOne() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, LONG);
        Connection server = ConnectionFactory.over(listener.accept(), LONG)) {
      server.send(new byte[] {1});
      client.receive();
      client.timeLimit(SHORT);
      assertThrows(SocketTimeoutException.class, client::receive);
    }
  }

  @Test
  void closingReleasesABlockedReader() throws Exception {
    try (Connection client = ConnectionFactory.unix(socket, Duration.ZERO);
        SocketChannel _ = listener.accept()) {
      CompletableFuture<Object> outcome =
          CompletableFuture.supplyAsync(() -> {
            try {
              byte[] received = client.receive();
              return received == null ? "end" : received;
            } catch (IOException e) {
              return e;
            }
          });
      client.close();
      assertTimeoutPreemptively(Duration.ofSeconds(10), () -> outcome.get());
    }
  }

  @Test
  void nobodyListening() throws IOException {
    listener.close();
    assertFalse(Files.exists(socket));
    assertThrows(SocketException.class, () -> ConnectionFactory.unix(socket, LONG));
  }

  @Test
  void aSocketOfAKilledDaemonIsReplacedAFileIsNot() throws IOException {
    listener.channel().close();
    assertThrows(SocketException.class, () -> ConnectionFactory.unix(socket, LONG));
    listener = UnixListener.open(socket, 0600, 10);
    assertEquals(0600, FileModes.modeOf(socket));
    ConnectionFactory.unix(socket, LONG).close();
    Path file = Files.writeString(directory.resolve("file"), "precious");
    assertThrows(FileAlreadyExistsException.class, () -> UnixListener.open(file, 0666, 10));
    assertEquals("precious", Files.readString(file));
  }

  @Test
  void theKernelTellsWhoConnected() throws IOException {
    try (Connection client = ConnectionFactory.unix(socket, LONG);
        SocketChannel server = listener.accept()) {
      assertEquals(
          new PeerCredentials(
              CurrentProcess.effectiveUid(), CurrentProcess.effectiveGid(), CurrentProcess.pid()),
          PeerCredentials.of(server));
      client.close();
      // Still true after the peer has gone: it was recorded when it connected.
      assertEquals(CurrentProcess.effectiveUid(), PeerCredentials.of(server).uid());
    }
  }

  @Test
  void theKernelTellsAnotherUserAndProcess() throws Exception {
    assumeTrue(CurrentProcess.effectiveUid() == 0, "only root may become another user");
    FileModes.setMode(directory, 0711);
    Process other = connectAs(54321, 12345);
    try (SocketChannel server = listener.accept()) {
      PeerCredentials peer = PeerCredentials.of(server);
      assertEquals(new PeerCredentials(54321, 12345, (int) other.pid()), peer);
    } finally {
      other.destroyForcibly();
    }
  }

  private Process connectAs(int uid, int gid) throws IOException {
    // The groups before the user, who could not change them any more.
    String script =
        "use Socket; ($uid, $gid, $path) = @ARGV; $) = \"$gid $gid\"; $( = $gid; $< = $> = $uid;"
            + " socket(S, PF_UNIX, SOCK_STREAM, 0);"
            + " connect(S, sockaddr_un($path)) or die; <STDIN>;";
    return new ProcessBuilder("perl", "-e", script, "" + uid, "" + gid, socket.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void noPeerNoCredentials() throws IOException {
    SocketChannel unconnected = SocketChannel.open(java.net.StandardProtocolFamily.UNIX);
    assertThrows(IOException.class, () -> PeerCredentials.of(unconnected));
    unconnected.close();
    assertThrows(ClosedChannelException.class, () -> PeerCredentials.of(unconnected));
    try (SocketChannel tcp = SocketChannel.open()) {
      assertThrows(IOException.class, () -> PeerCredentials.of(tcp));
    }
  }

  private static byte[] receive(Connection connection) {
    try {
      return connection.receive();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
