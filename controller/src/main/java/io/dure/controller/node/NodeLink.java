package io.dure.controller.node;

import io.dure.host.net.Connection;
import io.dure.protocol.ToNode;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;

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

  NodeLink(String node, Connection connection) {
    this.node = node;
    this.connection = connection;
    this.writer = Thread.ofVirtual().name("to-" + node).start(this::write);
  }

  String node() {
    return node;
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
