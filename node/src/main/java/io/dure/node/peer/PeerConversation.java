package io.dure.node.peer;

import io.dure.host.net.Connection;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.NodePeerMessage;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection between two daemons: a thread that sends, and the caller's that reads.
 */
final class PeerConversation implements NodePeerLinks.Caller {
  /** The largest message: the names of all nodes that a step may have. */
  private static final int LARGEST = 16 << 20;

  /** One that does not read so many messages is taken for dead. */
  private static final int MOST_WAITING = 4096;

  private final RecordCodec<NodePeerMessage> outgoing = WireCodecs.nodePeers();
  private final RecordCodec<NodePeerMessage> incoming = WireCodecs.nodePeers().strict();
  private final BlockingQueue<NodePeerMessage> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Duration idle;
  private @Nullable Socket socket;
  private boolean closed;

  /** A conversation over a connection that is yet to come; it ends after so long without a word. */
  PeerConversation(Duration idle) {
    this.idle = idle;
  }

  /** False if it has ended. */
  boolean offer(NodePeerMessage message) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      if (waiting.offer(message)) {
        return true;
      }
    }
    close();
    return false;
  }

  @Override
  public void send(NodePeerMessage message) {
    offer(message);
  }

  /** Speaks until either side closes. Throws what ended it; the socket is closed. */
  void run(
      Connection connection,
      Socket below,
      BiConsumer<NodePeerLinks.Caller, NodePeerMessage> listener)
      throws IOException {
    synchronized (this) {
      socket = below;
      if (closed) {
        below.close();
      }
    }
    Thread sender = Thread.ofVirtual().name("peer sender").start(() -> drain(connection));
    try {
      while (true) {
        byte[] message = connection.receive(LARGEST);
        if (message == null) {
          return;
        }
        listener.accept(this, incoming.decode(message));
      }
    } catch (MalformedMessageException e) {
      throw new IOException("a message that is not understood", e);
    } finally {
      close();
      sender.interrupt();
    }
  }

  private void drain(Connection connection) {
    try {
      while (true) {
        NodePeerMessage message = waiting.poll(idle.toMillis(), TimeUnit.MILLISECONDS);
        if (message == null) {
          if (endIfIdle()) {
            return;
          }
        } else {
          connection.send(outgoing.encode(message));
        }
      }
    } catch (IOException _) {
      // The reader hears of it, too.
      close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean endIfIdle() {
    if (waiting.isEmpty()) {
      close();
      return true;
    }
    return false;
  }

  /** Ends it. Any thread. */
  synchronized void close() {
    closed = true;
    Socket now = socket;
    if (now != null) {
      try {
        now.close();
      } catch (IOException _) {
        // It is gone either way.
      }
    }
  }
}
