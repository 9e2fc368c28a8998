package io.dure.controller.node;

import io.dure.host.net.Connection;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The sending side of a connection: messages wait in a bounded queue for a thread that writes them,
 * so that a stuck node does not delay others.
 */
final class QueuedNodeSender implements NodeChannel {
  private static final RecordCodec<ControllerToNodeMessage> CODEC = WireCodecs.toNode();
  private static final int QUEUE = 100_000;

  private final String node;
  private final Connection connection;
  private final Runnable broken;

  /**
   * What is to be sent; behind the last message stands nothing. It grows as it fills: room for all
   * would be 400 KB a node.
   */
  private final BlockingQueue<Optional<ControllerToNodeMessage>> waiting =
      new LinkedBlockingQueue<>(QUEUE);

  private final Thread writer;

  /**
   * Begins to send.
   *
   * @param broken called when no more can be sent
   */
  QueuedNodeSender(String node, Connection connection, Runnable broken) {
    this.node = node;
    this.connection = connection;
    this.broken = broken;
    this.writer = Thread.ofVirtual().name("to-" + node).start(this::write);
  }

  @Override
  public boolean send(ControllerToNodeMessage message) {
    return waiting.offer(Optional.of(message));
  }

  @Override
  public void last(ControllerToNodeMessage message) {
    if (waiting.offer(Optional.of(message))) {
      var _ = waiting.offer(Optional.empty());
    }
  }

  @Override
  public void awaitSent(Duration patience) throws InterruptedException {
    var _ = writer.join(patience);
  }

  @Override
  public int waiting() {
    return waiting.size();
  }

  private void write() {
    try {
      for (Optional<ControllerToNodeMessage> next = waiting.take();
          next.isPresent();
          next = waiting.take()) {
        connection.send(CODEC.encode(next.get()));
      }
    } catch (IOException | InterruptedException e) {
      broken.run();
    }
  }

  /** TLS says goodbye to a peer that hangs, so it is a thread of its own that waits for that. */
  @Override
  public void close() {
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
}
