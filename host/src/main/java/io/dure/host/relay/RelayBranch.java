package io.dure.host.relay;

import io.dure.protocol.step.RelayTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way from a relay to some of its nodes: a connection that is being opened, stands or is lost.
 * Until it stands, messages wait here; where it cannot be opened, the branches that take its place
 * get them.
 */
final class RelayBranch {
  private static final int MOST_WAITING = 128;

  /** No message: ends the writing. */
  private static final byte[] END = {};

  private final BranchListener relay;
  private final List<RelayTarget> targets;
  private final LinkOpener opener;
  private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
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
      }
    }
    for (byte[] message = waiting.take(); message.length > 0; message = waiting.take()) {
      to.send(message);
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

  /** Sends a message on; one that is not taken for the time limit loses the branch. */
  void send(byte[] message, long limitMillis) {
    List<RelayBranch> others;
    synchronized (this) {
      List<byte[]> kept = early;
      if (closed) {
        return;
      }
      if (kept != null && replacements.isEmpty()) {
        kept.add(message);
        return;
      }
      others = replacements;
    }
    if (!others.isEmpty()) {
      others.stream()
          .filter(one -> one.isAddressed(RelayMessage.address(message)))
          .forEach(one -> one.send(message, limitMillis));
      return;
    }
    try {
      if (!waiting.offer(message, limitMillis, TimeUnit.MILLISECONDS)) {
        close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Others take its place: they get what has come so far. */
  synchronized void replace(List<RelayBranch> others) {
    List<byte[]> kept = early;
    early = null;
    replacements = others;
    if (others.isEmpty() || kept == null) {
      closed = true;
      return;
    }
    for (byte[] message : kept) {
      others.stream()
          .filter(one -> one.isAddressed(RelayMessage.address(message)))
          .forEach(one -> one.send(message, 0));
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
    do {
      waiting.clear();
    } while (!waiting.offer(END));
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
