package io.dure.host.relay;

import io.dure.host.net.AcceptLoop;
import io.dure.host.net.FrameStream;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.RelayTarget;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Where front ends of this machine reach nodes of others: a unix socket, at which the kernel says
 * who calls. Beyond it there is TLS, with a token for that user. docs/step-wire.md has the first
 * frame.
 */
public final class StepGateway implements Closeable {
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final int ALL_USERS = 0666;
  private static final int BACKLOG = 1024;
  private static final int MOST_OF_USER = 512;
  private static final int BUFFER = 1 << 16;

  /** First byte of the first frame: what follows are frames of the one node. */
  private static final byte ONE_NODE = 'R';

  private final SecureRandom random = new SecureRandom();
  private final Map<Integer, AtomicInteger> ofUser = new ConcurrentHashMap<>();
  private final Path socket;
  private final UnixListener listener;
  private final ClusterKey key;
  private final RelayDialer dialer;
  private final String host;
  private final InstantSource clock;
  private final Logger log;

  /**
   * A gateway that listens; {@link #start} begins to accept.
   *
   * @param host short name of this machine
   * @throws IOException if it cannot listen there
   */
  public StepGateway(Path socket, ClusterKey key, String host, InstantSource clock, Logger log)
      throws IOException {
    this.socket = socket;
    this.listener = UnixListener.open(socket, ALL_USERS, BACKLOG);
    this.key = key;
    this.dialer = new RelayDialer(key, clock);
    this.host = host;
    this.clock = clock;
    this.log = log;
  }

  /** Where it listens. */
  public Path socket() {
    return socket;
  }

  /** Begins to accept. */
  public void start() {
    AcceptLoop loop =
        new AcceptLoop(
            "step gateway's socket",
            listener.channel()::isOpen,
            () -> begin(listener.accept()),
            log);
    Thread.ofPlatform().daemon().name("step gateway").start(loop::run);
  }

  private void begin(SocketChannel channel) throws IOException {
    PeerCredentials peer;
    try {
      peer = PeerCredentials.of(channel);
    } catch (IOException e) {
      channel.close();
      return;
    }
    AtomicInteger count = ofUser.computeIfAbsent(peer.uid(), _ -> new AtomicInteger());
    if (count.incrementAndGet() > MOST_OF_USER) {
      count.decrementAndGet();
      channel.close();
      return;
    }
    Thread.ofVirtual()
        .name("step of " + peer.pid())
        .start(() -> {
          try (channel) {
            serve(channel, peer);
          } catch (IOException e) {
            log.debug("a front end's connection ended: " + e.getMessage());
          } finally {
            count.decrementAndGet();
          }
        });
  }

  private void serve(SocketChannel channel, PeerCredentials peer) throws IOException {
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    byte[] asked = FrameStream.read(in, RelayLimits.LARGEST);
    if (asked == null || asked.length < 1 + Integer.BYTES) {
      return;
    }
    List<RelayTarget> targets = targets(asked);
    if (targets.isEmpty()) {
      return;
    }
    String token =
        AuthToken.forUser(
                Integer.toUnsignedString(peer.uid()),
                peer.uid(),
                peer.gid(),
                host,
                clock.instant().plus(TOKEN_LIFE),
                random)
            .sign(key);
    int width = ByteBuffer.wrap(asked, 1, 4).getInt();
    RelayRequest request = RelayLimits.checked(new RelayRequest(token, width, targets));
    RelayLink front =
        asked[0] == ONE_NODE
            ? new StepFrameLink(targets.getFirst().index(), channel, in)
            : new TrunkLink(channel, in);
    try (StepRelay relay = new StepRelay(dialer, request, front, log)) {
      relay.run(null);
    }
  }

  /** A word for each: {@code INDEX:GROUP:PORT:NODE:HOST}. */
  private static List<RelayTarget> targets(byte[] asked) throws IOException {
    int head = 1 + Integer.BYTES;
    String words = new String(asked, head, asked.length - head, StandardCharsets.UTF_8);
    List<RelayTarget> targets = new ArrayList<>();
    try {
      for (String word : words.split("\0", -1)) {
        if (!word.isEmpty()) {
          String[] parts = word.split(":", 5);
          targets.add(
              new RelayTarget(
                  Integer.parseInt(parts[0]),
                  Integer.parseInt(parts[1]),
                  parts[3],
                  parts[4],
                  Integer.parseInt(parts[2])));
        }
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("a front end's request is not understood", e);
    }
    return List.copyOf(targets);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /** A front end's connection for several nodes. */
  private static final class TrunkLink implements RelayLink {
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    TrunkLink(SocketChannel channel, InputStream in) {
      this.channel = channel;
      this.in = in;
      this.out = Channels.newOutputStream(channel);
    }

    @Override
    public void send(byte[] message) throws IOException {
      FrameStream.write(out, message, RelayLimits.LARGEST);
    }

    @Override
    public byte @Nullable [] receive() throws IOException {
      byte[] message = FrameStream.read(in, RelayLimits.LARGEST);
      if (message != null && !RelayMessage.isWhole(message)) {
        throw new IOException("a message of " + message.length + " bytes");
      }
      return message;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
