package io.dure.host.relay;

import io.dure.protocol.step.RelayTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way from a relay to some of its nodes: a connection that is being opened, stands or is lost.
 * Until it stands, messages wait here; where it cannot be opened, the branches that take its place
 * get them.
 */
final class RelayBranch {
  /** Bytes that wait to be sent; a longer message waits alone. */
  private static final int MOST_WAITING = 1 << 20;

  /** No message: ends the writing. */
  private static final byte[] END = {};

  private final BranchListener relay;
  private final List<RelayTarget> targets;
  private final LinkOpener opener;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(MOST_WAITING);
  private final BitSet indexes = new BitSet();
  private final BitSet groups = new BitSet();

  /** Nodes from which nothing follows. */
  private final BitSet over = new BitSet();

  private @Nullable List<byte[]> early = new ArrayList<>();
  private List<RelayBranch> replacements = List.of();
  private @Nullable RelayLink link;
  private boolean closed;

  /** What has branches. */
  interface BranchListener {
    /** A message of a node has come; blocks while it is not taken. */
    void up(byte[] message) throws IOException;

    /** The same; one that nobody takes any more is dropped. */
    void tryUp(byte[] message);

    /** The first node of a branch cannot be reached. */
    void unreachable(RelayBranch branch, Exception why);
  }

  /** Opens the connection of a branch. */
  interface LinkOpener {
    /** Blocks until it stands. */
    RelayLink open() throws IOException;
  }

  RelayBranch(BranchListener relay, List<RelayTarget> targets, LinkOpener opener) {
    this.relay = relay;
    this.targets = targets;
    this.opener = opener;
    for (RelayTarget target : targets) {
      indexes.set(target.index());
      groups.set(target.group());
    }
  }

  List<RelayTarget> targets() {
    return targets;
  }

  boolean isAddressed(int address) {
    return address == RelayMessage.ALL
        || (address < 0 ? groups.get(address & ~RelayMessage.GROUP) : indexes.get(address));
  }

  void start() {
    Thread.ofVirtual().name("relay to " + targets.getFirst().node()).start(this::run);
  }

  private void run() {
    RelayLink opened;
    try {
      opened = opener.open();
    } catch (IOException | RuntimeException e) {
      relay.unreachable(this, e);
      return;
    }
    synchronized (this) {
      link = opened;
    }
    Thread.ofVirtual().name("relay from " + targets.getFirst().node()).start(() -> hear(opened));
    try {
      write(opened);
    } catch (IOException e) {
      // The reader finds the same, and says so.
      closeQuietly(opened);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(RelayLink to) throws IOException, InterruptedException {
    while (true) {
      List<byte[]> batch;
      synchronized (this) {
        if (closed) {
          closeQuietly(to);
          return;
        }
        batch = early;
        early = batch == null || batch.isEmpty() ? null : new ArrayList<>();
      }
      if (batch == null || batch.isEmpty()) {
        break;
      }
      for (byte[] message : batch) {
        to.send(message);
        room.release(weight(message));
      }
    }
    for (byte[] message = waiting.take(); message.length > 0; message = waiting.take()) {
      to.send(message);
      room.release(weight(message));
    }
  }

  private void hear(RelayLink from) {
    String why = "Connection reset by peer";
    try {
      for (byte[] message = from.receive(); message != null; message = from.receive()) {
        int node = RelayMessage.address(message);
        if (node < 0 || !indexes.get(node)) {
          throw new IOException(
              "node " + targets.getFirst().node() + " sent a frame of node " + node);
        }
        if (RelayMessage.isLast(message)) {
          over.set(node);
        }
        relay.up(message);
      }
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    closeQuietly(from);
    lose(why);
  }

  /** By the thread that hears. */
  private void lose(String why) {
    for (RelayTarget target : targets) {
      if (!over.get(target.index())) {
        over.set(target.index());
        relay.tryUp(RelayMessage.lost(target.index(), why));
      }
    }
  }

  private static int weight(byte[] message) {
    return Math.min(message.length, MOST_WAITING);
  }

  /** Sends a message on; one for which there is no room for the time limit loses the branch. */
  void send(byte[] message, long limitMillis) {
    try {
      if (room.tryAcquire(weight(message), limitMillis, TimeUnit.MILLISECONDS)) {
        enqueue(message);
      } else {
        close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void enqueue(byte[] message) {
    List<RelayBranch> others;
    synchronized (this) {
      List<byte[]> kept = early;
      if (closed) {
        return;
      }
      if (kept != null) {
        kept.add(message);
        return;
      }
      others = replacements;
      if (others.isEmpty()) {
        waiting.add(message);
        return;
      }
    }
    room.release(weight(message));
    int address = RelayMessage.address(message);
    for (RelayBranch other : others) {
      if (other.isAddressed(address)) {
        other.send(message, StepRelay.SEND_MILLIS);
      }
    }
  }

  /**
   * Others take its place: they get what has come so far.
   *
   * @return whether they are to be started; not where nobody waits any more
   */
  synchronized boolean replace(List<RelayBranch> others) {
    List<byte[]> kept = early;
    early = null;
    if (closed || others.isEmpty() || kept == null) {
      closed = true;
      return false;
    }
    replacements = others;
    for (byte[] message : kept) {
      room.release(weight(message));
      int address = RelayMessage.address(message);
      others.stream().filter(one -> one.isAddressed(address)).forEach(one -> one.keep(message));
    }
    return true;
  }

  /** Of a branch that has not been started. */
  private synchronized void keep(byte[] message) {
    List<byte[]> kept = early;
    if (kept != null && room.tryAcquire(weight(message))) {
      kept.add(message);
    }
  }

  void close() {
    List<RelayBranch> others;
    RelayLink open;
    synchronized (this) {
      closed = true;
      others = replacements;
      open = link;
    }
    others.forEach(RelayBranch::close);
    waiting.clear();
    waiting.add(END);
    if (open != null) {
      closeQuietly(open);
    }
  }

  private static void closeQuietly(RelayLink link) {
    try {
      link.close();
    } catch (IOException e) {
      // It is closed as far as it can be.
      return;
    }
  }
}
