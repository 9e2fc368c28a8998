package io.dure.node.link;

import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps the connection to the controller: calls, listens, and calls again for ever. What it hears
 * goes to a listener, in order, on a thread of its own.
 */
public final class ControllerLink implements Closeable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int MOST_WAITING = 100_000;

  /** Takes what arrives; called by one thread, and must not block for long. */
  public interface Listener {
    /** A connection stands. */
    void connected(Session session);

    /** A message came. */
    void received(Session session, ControllerToNodeMessage message);

    /** The connection is gone; the next call follows by itself. */
    void disconnected(Session session);
  }

  private final ControllerEndpoint port;
  private final Listener listener;
  private final Logger log;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Outgoing session;

  /** Does nothing before {@link #start}. */
  public ControllerLink(ControllerEndpoint port, Listener listener, Logger log) {
    this.port = port;
    this.listener = listener;
    this.log = log;
  }

  /** Begins to call. */
  public void start() {
    thread("controller connection", this::keepCalling);
  }

  /**
   * Of the platform: for each heartbeat of a node that does nothing else, a virtual one wakes two
   * that carry it and two that look for what has come; and a directory of users that does not
   * answer can hold those that carry, but not this.
   */
  private static Thread thread(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }

  private void keepCalling() {
    Duration pause = FIRST_PAUSE;
    boolean complained = false;
    while (closed.getCount() > 0) {
      boolean welcome = false;
      try (ControllerEndpoint.Link link = port.open()) {
        complained = false;
        welcome = hold(link);
      } catch (IOException e) {
        if (closed.getCount() > 0 && !complained) {
          log.error("cannot reach the controller, retrying: " + e.getMessage());
          complained = true;
        }
      }
      pause = welcome ? FIRST_PAUSE : longer(pause);
      rest(pause);
    }
  }

  /** Listens until the connection ends; whether the controller has spoken on it at all. */
  private boolean hold(ControllerEndpoint.Link link) {
    Outgoing current = new Outgoing(link, log);
    session = current;
    Thread writer = thread("controller writer", current::write);
    listener.connected(current);
    boolean spoken = false;
    boolean refused = false;
    try {
      for (ControllerToNodeMessage message = link.receive();
          message != null;
          message = link.receive()) {
        spoken |= message instanceof ControllerToNodeMessage.Welcome;
        refused |= message instanceof ControllerToNodeMessage.Rejected;
        if (message instanceof ControllerToNodeMessage.KeepAlive) {
          // That it came is all that it says: nobody is woken for it.
          log.trace("controller is alive");
        } else {
          listener.received(current, message);
        }
      }
      log.info("the controller closed the connection");
    } catch (IOException e) {
      // A node that is refused has said so, and tries again and again.
      if (closed.getCount() > 0 && !refused) {
        log.info("connection to the controller lost: " + e.getMessage());
      }
    } finally {
      session = null;
      writer.interrupt();
      listener.disconnected(current);
    }
    return spoken;
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }

  /** Waits between a half and the whole of the pause, so that nodes do not call all at once. */
  private void rest(Duration pause) {
    long nanos = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos());
    try {
      closed.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      closed.countDown();
    }
  }

  /** Ends the connection and calls no more. */
  @Override
  public void close() {
    closed.countDown();
    Outgoing current = session;
    if (current != null) {
      current.close();
    }
  }

  /** One connection, for sending. Any thread may use it. */
  public interface Session {
    /** Sends in the order of the calls; never blocks. */
    void send(NodeToControllerMessage message);

    /** Ends the connection. */
    void close();
  }

  private static final class Outgoing implements Session {
    private final BlockingQueue<NodeToControllerMessage> waiting =
        new LinkedBlockingQueue<>(MOST_WAITING);
    private final ControllerEndpoint.Link link;
    private final Logger log;

    Outgoing(ControllerEndpoint.Link link, Logger log) {
      this.link = link;
      this.log = log;
    }

    @Override
    public void send(NodeToControllerMessage message) {
      if (!waiting.offer(message)) {
        log.error("controller does not read messages, closing the connection");
        close();
      }
    }

    private void write() {
      try {
        while (true) {
          link.send(waiting.take());
        }
      } catch (IOException e) {
        // The reader meets the same end and tells it.
        close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      try {
        link.close();
      } catch (IOException e) {
        log.debug("closing the connection: " + e.getMessage());
      }
    }
  }
}
