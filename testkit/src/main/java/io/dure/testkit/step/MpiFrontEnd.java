package io.dure.testkit.step;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The front end of a step of several nodes that use MPI: it passes the messages of their MPI
 * servers on, and kills the step where one asks for that. For one thread.
 */
public final class MpiFrontEnd implements AutoCloseable {
  private static final int EVERY_ONE = -1;
  private static final int SIGKILL = 9;

  private final List<StepConnection> nodes = new ArrayList<>();
  private final List<CompletableFuture<List<StepFrame>>> ends = new ArrayList<>();
  private final Map<Integer, IOException> unsent = new ConcurrentHashMap<>();
  private @Nullable IOException failure;

  /** Launches the step on the next node; nothing is heard before {@link #ended}. */
  public void launch(Path socket, StepFrame launch) throws IOException {
    StepConnection node = StepConnection.to(socket);
    node.send(launch);
    nodes.add(node);
  }

  /** All frames of each node, once all have ended; then there may be a next step. */
  public List<List<StepFrame>> ended() throws InterruptedException, IOException {
    for (int node = 0; node < nodes.size(); node++) {
      CompletableFuture<List<StepFrame>> end = new CompletableFuture<>();
      ends.add(end);
      int index = node;
      Thread.ofVirtual().name("node-" + node).start(() -> hear(index, end));
    }
    List<List<StepFrame>> frames = new ArrayList<>();
    for (CompletableFuture<List<StepFrame>> end : ends) {
      try {
        frames.add(end.get());
      } catch (ExecutionException e) {
        throw new IOException(e);
      }
    }
    for (int node = 0; node < frames.size(); node++) {
      // A node that has said all may have gone before a message of another, which is no loss.
      if (frames.get(node).isEmpty() || frames.get(node).getLast().type() != 'Z') {
        failure = unsent.getOrDefault(node, failure);
      }
    }
    close();
    return frames;
  }

  /** A message that did not reach a node before its end; null if there is none. */
  public @Nullable IOException failure() {
    return failure;
  }

  private void hear(int index, CompletableFuture<List<StepFrame>> end) {
    List<StepFrame> frames = new ArrayList<>();
    try {
      StepConnection node = nodes.get(index);
      for (StepFrame frame = node.next(); frame != null; frame = node.next()) {
        frames.add(frame);
        switch (frame.type()) {
          case 'M' -> pass(index, frame);
          case 'A' -> send(EVERY_ONE, EVERY_ONE, StepFrame.ofNumbers('G', SIGKILL, EVERY_ONE));
          default -> {}
        }
        if (frame.type() == 'Z') {
          break;
        }
      }
      end.complete(frames);
    } catch (IOException e) {
      end.completeExceptionally(e);
    }
  }

  private void pass(int from, StepFrame message) {
    byte[] payload = message.bytes(0).clone();
    int to = message.number(0);
    ByteBuffer.wrap(payload).putInt(from);
    send(from, to, new StepFrame('M', payload));
  }

  /** Sends to one node, or to all but the sender; one that has ended hears nothing. */
  private synchronized void send(int from, int to, StepFrame frame) {
    for (int node = 0; node < nodes.size(); node++) {
      if (node != from && (to == EVERY_ONE || to == node)) {
        try {
          nodes.get(node).send(frame);
        } catch (IOException e) {
          unsent.put(node, e);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (StepConnection node : nodes) {
      node.close();
    }
    nodes.clear();
    ends.clear();
    unsent.clear();
  }
}
