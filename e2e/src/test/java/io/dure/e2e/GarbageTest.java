package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.protocol.WireCodecs;
import io.dure.testkit.Await;
import io.dure.testkit.SeededRandom;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strangers at every port: noise, half frames, connections that say nothing, thousands of them. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class GarbageTest {
  private static final int NOISES = 400;
  private static final int SILENT = 3000;
  private static final int LARGE = 150;
  private static final long LOG_LIMIT = 200 << 10;

  private static Cluster cluster;
  private static Map<Integer, Daemon> daemons;
  private long logBefore;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(1, 8));
    daemons = cluster.daemons().stream().collect(Collectors.toMap(Daemon::pid, daemon -> daemon));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void theClusterStillWorks() {
    Session shell = cluster.admin();
    int job = shell.submit("-o", "after.out", "--wrap", "echo well");
    cluster.await(job, "COMPLETED", "0:0");
    assertEquals("well\n", shell.read("after.out"));
    daemons.forEach((pid, daemon) -> assertEquals(pid, daemon.pid()));
    long grown = cluster.logBytes() - logBefore;
    assertTrue(grown < LOG_LIMIT, "the logs have grown by " + grown + " bytes");
  }

  @Test
  void noiseAtEveryPort() {
    logBefore = cluster.logBytes();
    SeededRandom.check(
        "noise is harmless",
        1,
        random -> {
          for (SocketAddress address : addresses()) {
            for (int i = 0; i < NOISES; i++) {
              say(address, noise(random));
            }
          }
        });
  }

  /** Often it begins well, so that it gets further. */
  private static byte[] noise(SeededRandom random) {
    ByteBuffer noise = ByteBuffer.allocate(2100);
    if (random.percent(70)) {
      noise.putInt(
          random.oneOf(WireCodecs.COMMAND_MAGIC, WireCodecs.NODE_MAGIC, WireCodecs.LOCAL_MAGIC));
      if (random.percent(70)) {
        noise.putInt(random.oneOf(3, 40, 1000, WireCodecs.MAX_REQUEST, Integer.MAX_VALUE, -1));
      }
    }
    noise.put(random.bytes(1, 2000));
    return Arrays.copyOf(noise.array(), noise.position());
  }

  @Test
  void halfFramesAndSilence() throws IOException {
    logBefore = cluster.logBytes();
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (SocketAddress address : addresses()) {
        for (int i = 0; i < SILENT; i++) {
          SocketChannel channel = tryOpen(address);
          if (channel == null) {
            break;
          }
          open.add(channel);
          if (i % 2 == 0) {
            tryWrite(channel, new byte[] {0, 0, 1});
          }
        }
      }
      // While all of them hang there, people work on.
      Await.seconds(30).until("an answer in the crowd", () -> ping().equals("exit 0"));
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  @Test
  void manyLargeFramesAtOnce() throws IOException {
    logBefore = cluster.logBytes();
    ByteBuffer frame = ByteBuffer.allocate(8 + WireCodecs.MAX_REQUEST);
    frame.putInt(WireCodecs.COMMAND_MAGIC).putInt(WireCodecs.MAX_REQUEST);
    List<SocketChannel> open = new ArrayList<>();
    SocketAddress address = addresses().get(1);
    try {
      for (int i = 0; i < LARGE; i++) {
        SocketChannel channel = tryOpen(address);
        if (channel != null) {
          open.add(channel);
          frame.clear().limit(frame.capacity() - 1);
          pour(channel, frame);
        }
      }
      assertEquals("exit 0", ping());
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  /** Writes as much as is taken within a moment. */
  private static void pour(SocketChannel channel, ByteBuffer words) {
    try {
      channel.finishConnect();
      Await.atMost(Duration.ofMillis(30))
          .until(
              "all is taken",
              () -> {
                channel.write(words);
                return !words.hasRemaining();
              });
    } catch (IOException | AssertionError e) {
      // Being thrown out is an answer too.
    }
  }

  private static String ping() {
    return cluster.admin().run("scontrol", "ping").whatever().lines().findFirst().orElse("");
  }

  private static void say(SocketAddress address, byte[] words) {
    try (SocketChannel channel = SocketChannel.open(address)) {
      channel.write(ByteBuffer.wrap(words));
    } catch (IOException e) {
      // Being thrown out is an answer too.
    }
  }

  /** A connection that is being made, and may wait for ever; null when there is no more room. */
  private static @Nullable SocketChannel tryOpen(SocketAddress address) throws IOException {
    SocketChannel channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open(StandardProtocolFamily.INET);
    try {
      channel.configureBlocking(false);
      channel.connect(address);
      return channel;
    } catch (IOException e) {
      channel.close();
      return null;
    }
  }

  private static void tryWrite(SocketChannel channel, byte[] words) {
    try {
      if (channel.finishConnect()) {
        channel.write(ByteBuffer.wrap(words));
      }
    } catch (IOException e) {
      // Being thrown out is an answer too.
    }
  }

  private static List<SocketAddress> addresses() {
    Path run = cluster.dir().resolve("run");
    return List.of(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port()),
        UnixDomainSocketAddress.of(run.resolve("controller.sock")),
        UnixDomainSocketAddress.of(run.resolve("node-n1.sock")));
  }
}
