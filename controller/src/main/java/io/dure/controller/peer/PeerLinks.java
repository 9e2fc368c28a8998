package io.dure.controller.peer;

import io.dure.controller.replica.PeerTransport;
import io.dure.host.log.Log;
import io.dure.host.net.Connection;
import io.dure.host.net.Connections;
import io.dure.protocol.Wire;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the other controllers, one to each and for sending alone; what they say comes over
 * theirs. A message that cannot be sent soon is dropped: the log asks again.
 */
public final class PeerLinks implements PeerTransport, Closeable {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 100_000_000;
  private static final int MOST_WAITING = 4096;
  private static final long MOST_BYTES = 256L << 20;

  private final Directory directory;
  private final Log log;
  private final Map<String, Link> links = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Whom to call, and how to say who calls.
   *
   * @param context trusts the cluster's own authority alone
   * @param address where a host is, null if the configuration does not name it
   * @param token a fresh proof that this is a controller of the cluster
   */
  public record Directory(
      SSLContext context,
      Function<String, @Nullable InetSocketAddress> address,
      Supplier<String> token) {}

  /** No connection yet. */
  public PeerLinks(Directory directory, Log log) {
    this.directory = directory;
    this.log = log;
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
    links.values().forEach(Link::end);
  }

  /** What goes to one host. */
  private final class Link {
    private final String host;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong bytes = new AtomicLong();
    private final Thread thread;
    private @Nullable String complaint;

    Link(String host) {
      this.host = host;
      thread = Thread.ofVirtual().name("peer " + host).start(this::run);
    }

    void offer(byte[] message) {
      if (bytes.addAndGet(message.length) > MOST_BYTES || !waiting.offer(message)) {
        bytes.addAndGet(-message.length);
      }
    }

    void end() {
      thread.interrupt();
    }

    private void run() {
      while (!closed) {
        InetSocketAddress address = directory.address().apply(host);
        if (address != null) {
          try (Connection connection = Connections.tls(address, directory.context(), CONNECT)) {
            connection.sendMagic(Wire.PEER_MAGIC);
            connection.send(directory.token().get().getBytes(StandardCharsets.UTF_8));
            connection.timeLimit(SILENCE);
            complaint = null;
            pass(connection);
          } catch (InterruptedException e) {
            return;
          } catch (IOException e) {
            complain(String.valueOf(e.getMessage()));
          }
        }
        // What waited is old by the time that there is a connection again.
        for (byte[] old = waiting.poll(); old != null; old = waiting.poll()) {
          bytes.addAndGet(-old.length);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void pass(Connection connection) throws IOException, InterruptedException {
      while (!closed) {
        byte[] message = waiting.take();
        bytes.addAndGet(-message.length);
        connection.send(message);
      }
    }

    private void complain(String what) {
      if (!what.equals(complaint)) {
        complaint = what;
        log.info("controller " + host + " cannot be reached: " + what);
      }
    }
  }
}
