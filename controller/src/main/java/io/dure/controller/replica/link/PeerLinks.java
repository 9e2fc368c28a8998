package io.dure.controller.replica.link;

import io.dure.controller.replica.PeerTransport;
import io.dure.host.log.LogMarkers;
import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.PinnedTls;
import io.dure.protocol.WireCodecs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Connections to the other controllers, one to each on which only this side sends, made when there
 * is something to send. What waits too long or is too much is dropped: the log sends it again.
 */
public final class PeerLinks implements PeerTransport, AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int SLOWEST_BYTES_A_MILLISECOND = 1000;
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final long PAUSE_MILLIS = 200;
  private static final long IDLE_SECONDS = 10;
  private static final long MOST_BYTES = 64L << 20;
  private static final byte[] SIGN_OF_LIFE = {};

  private final Setup setup;
  private final SSLContext tls;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Link> links = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Where controllers listen. */
  public interface Addresses {
    /** The address of a controller's port, null if the host is no controller. */
    @Nullable InetSocketAddress of(String host);
  }

  /**
   * What links need.
   *
   * @param host this controller's host
   * @param limits how long a connection may take to stand
   */
  public record Setup(
      String host,
      Addresses addresses,
      ClusterKey key,
      InstantSource clock,
      Logger log,
      ConnectLimits limits) {}

  /** No connection yet. */
  public PeerLinks(Setup setup) {
    this.setup = setup;
    tls = PinnedTls.clientContext(setup.key());
  }

  @Override
  public void send(String host, byte[] message) {
    if (!closed) {
      links.computeIfAbsent(host, Link::new).offer(message);
    }
  }

  @Override
  public void close() {
    closed = true;
    links.values().forEach(link -> link.thread.interrupt());
  }

  /** The way to one controller. */
  private final class Link implements Runnable {
    private final String host;
    private final LinkedBlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final Thread thread;

    Link(String host) {
      this.host = host;
      // A virtual one is woken by a second thread, and the others wait for each message.
      thread = Thread.ofPlatform().daemon().name("peer-" + host).start(this);
    }

    void offer(byte[] message) {
      if (bytes.addAndGet(message.length) > MOST_BYTES) {
        bytes.addAndGet(-message.length);
      } else {
        queue.add(message);
      }
    }

    private byte @Nullable [] next() throws InterruptedException {
      byte[] message = queue.poll(IDLE_SECONDS, TimeUnit.SECONDS);
      if (message != null) {
        bytes.addAndGet(-message.length);
      }
      return message;
    }

    @Override
    public void run() {
      try {
        while (!closed) {
          InetSocketAddress address = setup.addresses().of(host);
          if (address != null) {
            serve(address);
          }
          // What waited is old by now.
          for (byte[] old = queue.poll(); old != null; old = queue.poll()) {
            bytes.addAndGet(-old.length);
          }
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      } catch (InterruptedException e) {
        // the controller is stopping
      }
    }

    private void serve(InetSocketAddress address) throws InterruptedException {
      // Resolved anew each time: a host may have moved.
      InetSocketAddress now =
          address.isUnresolved()
              ? new InetSocketAddress(address.getHostString(), address.getPort())
              : address;
      try (Connection connection = ConnectionFactory.tls(now, tls, LIMIT, setup.limits())) {
        connection.sendMagic(WireCodecs.PEER_MAGIC);
        String token =
            AuthToken.forController(setup.host(), setup.clock().instant().plus(TOKEN_LIFE), random)
                .sign(setup.key());
        connection.send(token.getBytes(StandardCharsets.UTF_8));
        while (!closed) {
          byte[] message = next();
          byte[] said = message == null ? SIGN_OF_LIFE : message;
          connection.timeLimit(LIMIT.plusMillis(said.length / SLOWEST_BYTES_A_MILLISECOND));
          connection.send(said);
        }
      } catch (IOException e) {
        setup
            .log()
            .info(
                LogMarkers.VERBOSE,
                "cannot connect to the controller on " + host + ": " + e.getMessage());
      }
    }
  }
}
