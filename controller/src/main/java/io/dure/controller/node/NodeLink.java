package io.dure.controller.node;

import io.dure.host.net.Connection;
import io.dure.model.node.NodeFacts;
import io.dure.protocol.ControllerToNodeMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The controller's end of a connection to one node daemon. A node that does not keep up is
 * disconnected and starts over.
 */
final class NodeLink {
  private final String node;
  private final NodeChannel way;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Instant heard;
  private volatile @Nullable Instance instance;

  /**
   * One life of a daemon.
   *
   * @param host the machine's host name
   * @param bootId the boot of the machine
   * @param started when the daemon started
   */
  record Instance(String host, String bootId, Instant started) {
    /** The daemon that describes itself so. */
    static Instance of(NodeFacts facts) {
      return new Instance(facts.hostName(), facts.bootId(), facts.daemonStart());
    }
  }

  /** A link over a connection, with a thread that writes. */
  NodeLink(String node, Connection connection, Instant now) {
    this.node = node;
    this.heard = now;
    this.way = new QueuedNodeSender(node, connection, this::close);
  }

  /** A link over any way. */
  NodeLink(String node, NodeChannel way, Instant now) {
    this.node = node;
    this.heard = now;
    this.way = way;
  }

  String node() {
    return node;
  }

  /** Something came from the daemon. */
  void hear(Instant now) {
    heard = now;
  }

  /** When something last came. */
  Instant heard() {
    return heard;
  }

  /** The daemon has said which one it is. */
  void identify(Instance daemon) {
    instance = daemon;
  }

  /** Which daemon it is, null before it said so. */
  @Nullable Instance instance() {
    return instance;
  }

  /** Queues a message; closes the connection if too many wait. Any thread, does not block. */
  void send(ControllerToNodeMessage message) {
    if (!way.send(message)) {
      close();
    }
  }

  /** Queues the last message. */
  void last(ControllerToNodeMessage message) {
    way.last(message);
  }

  /** Waits until what waits is sent, for so long at most. */
  void awaitSent(Duration patience) throws InterruptedException {
    way.awaitSent(patience);
  }

  /** Messages that wait to be written. */
  int waiting() {
    return way.waiting();
  }

  /** Ends the connection. Any thread; does not block. */
  void close() {
    closed.countDown();
    way.close();
  }

  boolean isClosed() {
    return closed.getCount() == 0;
  }
}
