package io.dure.host.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.net.FrameStream;
import io.dure.host.net.UnixListener;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.RelayTarget;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * Gateway and relays of several nodes in one process, over real sockets and TLS. Behind each relay
 * a stand-in for the node's step socket answers a launch with {@code B}, echoes input as output,
 * and ends with {@code Z} at the end of input.
 */
@Tag("process")
@Timeout(120)
final class StepRelayTest {
  private static final Logger LOG = NOPLogger.NOP_LOGGER;

  private final SecureRandom random = new SecureRandom();
  private final ClusterKey key = ClusterKey.generate(random, "ab".repeat(32));
  private final List<Closeable> open = new ArrayList<>();
  private final Map<String, ByteBuffer> heard = new ConcurrentHashMap<>();
  private Path gateway;

  @TempDir private Path directory;

  @BeforeEach
  void openGateway() throws IOException {
    gateway = directory.resolve("relay.sock");
    StepGateway opened = new StepGateway(gateway, key, "here", InstantSource.system(), LOG);
    opened.start();
    open.add(opened);
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Closeable one : open) {
      one.close();
    }
  }

  @Test
  void framesReachEveryNodeOfATreeAndComeBack() throws IOException {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      words.add(i + ":0:" + node("n" + i, key) + ":n" + i + ":127.0.0.1");
    }
    try (SocketChannel trunk = trunk(2, words)) {
      OutputStream out = Channels.newOutputStream(trunk);
      InputStream in = Channels.newInputStream(trunk);
      FrameStream.write(out, RelayMessage.of(RelayMessage.GROUP, (byte) 'L', bytes("go")), 1 << 20);
      Map<Integer, String> begun = new TreeMap<>();
      for (int i = 0; i < 20; i++) {
        byte[] message = received(in);
        assertEquals('B', (char) RelayMessage.type(message));
        begun.put(RelayMessage.address(message), text(RelayMessage.payload(message)));
      }
      assertEquals(20, begun.size());
      assertEquals("n19", begun.get(19));
      assertEquals(20, heard.size());
      heard.values().forEach(user -> assertEquals(CurrentProcess.effectiveUid(), user.getInt(0)));

      FrameStream.write(out, RelayMessage.of(7, (byte) 'I', bytes("to seven")), 1 << 20);
      byte[] echo = received(in);
      assertEquals(7, RelayMessage.address(echo));
      assertEquals("to seven", text(RelayMessage.payload(echo)));

      FrameStream.write(out, RelayMessage.of(RelayMessage.ALL, (byte) 'I', bytes("")), 1 << 20);
      Map<Integer, Character> ends = new TreeMap<>();
      for (int i = 0; i < 20; i++) {
        byte[] message = received(in);
        ends.put(RelayMessage.address(message), (char) RelayMessage.type(message));
      }
      assertEquals(20, ends.size());
      assertEquals(Set.of('Z'), Set.copyOf(ends.values()));
    }
  }

  @Test
  void nodesBehindOneThatIsDownAreReachedByAnotherWay() throws IOException {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      // With width 1 each node relays to the next: the second of them is no daemon of the cluster.
      ClusterKey its = i == 1 ? ClusterKey.generate(random, "cd".repeat(32)) : key;
      words.add(i + ":0:" + node("n" + i, its) + ":n" + i + ":127.0.0.1");
    }
    try (SocketChannel trunk = trunk(1, words)) {
      OutputStream out = Channels.newOutputStream(trunk);
      InputStream in = Channels.newInputStream(trunk);
      FrameStream.write(out, RelayMessage.of(RelayMessage.ALL, (byte) 'L', bytes("go")), 1 << 20);
      Map<Integer, Character> answers = new TreeMap<>();
      for (int i = 0; i < 7; i++) {
        byte[] message = received(in);
        answers.put(RelayMessage.address(message), (char) RelayMessage.type(message));
      }
      assertEquals(Map.of(0, 'B', 1, 'R', 2, 'B', 3, 'B', 4, 'B', 5, 'B', 6, 'B'), answers);
      assertTrue(!heard.containsKey("n1"));
    }
  }

  @Test
  void nodeThatIsLostIsToldOfWhileOthersGoOn() throws IOException {
    List<String> words = new ArrayList<>();
    List<Closeable> servers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      words.add(i + ":0:" + node("n" + i, key) + ":n" + i + ":127.0.0.1");
      servers.add(open.getLast());
    }
    try (SocketChannel trunk = trunk(16, words)) {
      OutputStream out = Channels.newOutputStream(trunk);
      InputStream in = Channels.newInputStream(trunk);
      FrameStream.write(out, RelayMessage.of(RelayMessage.ALL, (byte) 'L', bytes("go")), 1 << 20);
      for (int i = 0; i < 3; i++) {
        received(in);
      }
      servers.get(1).close();
      byte[] lost = received(in);
      assertEquals(1, RelayMessage.address(lost));
      assertEquals('Q', (char) RelayMessage.type(lost));
      FrameStream.write(out, RelayMessage.of(2, (byte) 'I', bytes("on")), 1 << 20);
      assertEquals("on", text(RelayMessage.payload(received(in))));
    }
  }

  @Test
  void oneNodeIsReachedByItsPlainFrames() throws IOException {
    String word = "0:0:" + node("n9", key) + ":n9:127.0.0.1";
    try (SocketChannel one = opened('R', 16, List.of(word))) {
      OutputStream out = Channels.newOutputStream(one);
      DataInputStream in = new DataInputStream(Channels.newInputStream(one));
      out.write(frame('L', "go"));
      assertEquals('B', (char) in.read());
      assertEquals("n9", text(in.readNBytes(in.readInt())));
      out.write(frame('I', ""));
      assertEquals('Z', (char) in.read());
    }
  }

  @Test
  void tokenThatTheClusterDidNotSignOpensNothing() throws Exception {
    int port = node("n3", key);
    ClusterKey other = ClusterKey.generate(random, "ab".repeat(32));
    String forged =
        AuthToken.forUser("0", 0, 0, "x", Instant.now().plus(Duration.ofMinutes(1)), random)
            .sign(other);
    RelayTarget target = new RelayTarget(0, 0, "n3", "127.0.0.1", port);
    RelayDialer dialer = new RelayDialer(key, InstantSource.system());
    byte[] told = new byte[1];
    try (RelayLink link = dialer.dial(new RelayRequest(forged, 16, List.of(target)))) {
      told = link.receive();
    } catch (IOException e) {
      told = null;
    }
    assertNull(told);
    RelayTarget wrong = new RelayTarget(0, 0, "n4", "127.0.0.1", port);
    assertTold(
        "node n3 answers at the address of node n4",
        () -> dialer.dial(new RelayRequest(forged, 16, List.of(wrong))));
    RelayDialer stranger = new RelayDialer(other, InstantSource.system());
    assertTold(
        "does not belong to the cluster",
        () -> stranger.dial(new RelayRequest(forged, 16, List.of(target))));
    assertTrue(heard.isEmpty());
  }

  @Test
  void impossibleTargetsEndOneConnectionAlone() throws IOException {
    String good = "0:0:" + node("n5", key) + ":n5:127.0.0.1";
    for (String bad :
        List.of(
            "2147483647:0:6818:n7:n7",
            "0:2147483647:6818:n7:n7",
            "-1:0:6818:n7:n7",
            "0:0:0:n7:n7",
            "0:0:70000:n7:n7",
            good + "\0" + good,
            "")) {
      try (SocketChannel trunk = trunk(Integer.MAX_VALUE, List.of(bad))) {
        assertEquals(-1, Channels.newInputStream(trunk).read(), bad);
      }
    }
    try (SocketChannel trunk = trunk(Integer.MAX_VALUE, List.of(good))) {
      OutputStream out = Channels.newOutputStream(trunk);
      FrameStream.write(out, RelayMessage.of(RelayMessage.ALL, (byte) 'L', bytes("go")), 1 << 20);
      assertEquals('B', (char) RelayMessage.type(received(Channels.newInputStream(trunk))));
    }
  }

  private static void assertTold(String text, Executable action) {
    IOException e = assertThrows(IOException.class, action);
    assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
  }

  private SocketChannel trunk(int width, List<String> words) throws IOException {
    return opened('T', width, words);
  }

  private SocketChannel opened(char mode, int width, List<String> words) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(gateway));
    byte[] nodes = bytes(String.join("\0", words) + "\0");
    ByteBuffer request = ByteBuffer.allocate(5 + nodes.length).put((byte) mode).putInt(width);
    FrameStream.write(Channels.newOutputStream(channel), request.put(nodes).array(), 1 << 20);
    return channel;
  }

  /** A relay of a node with its stand-in; its port. */
  private int node(String name, ClusterKey its) throws IOException {
    UnixListener steps = UnixListener.open(directory.resolve(name + ".sock"), 0600, 16);
    open.add(steps);
    Thread.ofVirtual()
        .start(() -> {
          while (steps.channel().isOpen()) {
            try {
              SocketChannel one = steps.accept();
              Thread.ofVirtual().start(() -> standIn(name, one));
            } catch (IOException e) {
              return;
            }
          }
        });
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    RelayServer server =
        new RelayServer(
            name,
            its,
            directory.resolve(name + ".sock"),
            (connection, socket) -> socket.close(),
            InstantSource.system(),
            LOG);
    server.start(InetAddress.getLoopbackAddress(), port);
    open.add(server);
    return port;
  }

  private void standIn(String name, SocketChannel channel) {
    try (channel) {
      DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
      OutputStream out = Channels.newOutputStream(channel);
      while (true) {
        int type = in.read();
        byte[] payload = type < 0 ? new byte[0] : in.readNBytes(in.readInt());
        switch (type) {
          case 'V' -> heard.put(name, ByteBuffer.wrap(payload));
          case 'L' -> out.write(frame('B', name));
          case 'I' -> out.write(payload.length == 0 ? frame('Z', "") : frame('O', text(payload)));
          default -> {
            return;
          }
        }
      }
    } catch (IOException e) {
      return;
    }
  }

  private static byte[] received(InputStream in) throws IOException {
    byte[] message = FrameStream.read(in, 1 << 20);
    assertNotNull(message);
    return message;
  }

  private static byte[] frame(char type, String text) {
    byte[] payload = bytes(text);
    return ByteBuffer.allocate(5 + payload.length)
        .put((byte) type)
        .putInt(payload.length)
        .put(payload)
        .array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
