package io.dure.controller.node;

import io.dure.core.model.NodeFacts;
import io.dure.host.net.Connection;
import io.dure.protocol.ToNode;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The way to one node daemon: messages wait in a bounded queue for a thread that writes them, so
 * that a stuck node stops nobody. A node that does not keep up is disconnected and starts over.
 */
final class NodeLink {
  private static final RecordCodec<ToNode> CODEC = Wire.toNode();
  private static final int QUEUE = 100_000;

  private final String node;
  private final Connection connection;
  private final BlockingQueue<ToNode> waiting = new ArrayBlockingQueue<>(QUEUE);
  private final Thread writer;
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

  NodeLink(String node, Connection connection, Instant now) {
    this.node = node;
    this.heard = now;
    this.connection = connection;
    this.writer = Thread.ofVirtual().name("to-" + node).start(this::write);
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
  void send(ToNode message) {
    if (!waiting.offer(message)) {
      close();
    }
  }

  private void write() {
    try {
      while (true) {
        connection.send(CODEC.encode(waiting.take()));
      }
    } catch (IOException | InterruptedException e) {
      close();
    }
  }

  /** Ends the connection. Any thread; does not block, for TLS says goodbye to a peer that hangs. */
  void close() {
    closed.countDown();
    writer.interrupt();
    Thread.ofVirtual()
        .name("close-" + node)
        .start(() -> {
          try {
            connection.close();
          } catch (IOException e) {
            // it is gone either way
          }
        });
  }

  boolean isClosed() {
    return closed.getCount() == 0;
  }
}
