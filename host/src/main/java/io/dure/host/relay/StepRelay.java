package io.dure.host.relay;

import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.RelayTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Passes the frames of a step on between one connection and those to its nodes. It goes to a few
 * daemons by itself, and these go on to the others: a tree. A node's reader that sleeps stops the
 * frames of all nodes that come the same way; nothing is held for it.
 */
final class StepRelay implements RelayBranch.BranchListener, AutoCloseable {
  /** What a front end says of a node that it cannot reach. */
  private static final String UNREACHABLE = "Communication connection failure";

  /** A daemon that takes nothing for so long is given up. */
  static final long SEND_MILLIS = 20_000;

  private final RelayDialer dialer;
  private final RelayRequest request;
  private final RelayLink front;
  private final Logger log;
  private final ReentrantLock sending = new ReentrantLock();
  private final List<RelayBranch> branches = new ArrayList<>();

  /**
   * A relay that has opened nothing.
   *
   * @param front where the frames of nodes go to, and those for nodes come from
   */
  StepRelay(RelayDialer dialer, RelayRequest request, RelayLink front, Logger log) {
    this.dialer = dialer;
    this.request = request;
    this.front = front;
    this.log = log;
  }

  /**
   * Passes frames on until the front ends the connection.
   *
   * @param own opens the connection to this machine's own node, the first one; null where there is
   *     none
   */
  void run(RelayBranch.@Nullable LinkOpener own) throws IOException {
    List<RelayTarget> others = request.targets();
    if (own != null) {
      branches.add(new RelayBranch(this, List.of(others.getFirst()), own));
      others = others.subList(1, others.size());
    }
    branches.addAll(towards(others));
    branches.forEach(RelayBranch::start);
    for (byte[] message = front.receive(); message != null; message = front.receive()) {
      int address = RelayMessage.address(message);
      for (RelayBranch branch : branches) {
        if (branch.isAddressed(address)) {
          branch.send(message, SEND_MILLIS);
        }
      }
    }
  }

  private List<RelayBranch> towards(List<RelayTarget> targets) {
    List<RelayBranch> made = new ArrayList<>();
    int count = Math.min(Math.max(1, request.width()), targets.size());
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) targets.size() * i / count);
      int to = (int) ((long) targets.size() * (i + 1) / count);
      List<RelayTarget> some = List.copyOf(targets.subList(from, to));
      RelayRequest part = new RelayRequest(request.token(), request.width(), some);
      made.add(new RelayBranch(this, some, () -> dialer.dial(part)));
    }
    return made;
  }

  /** The others are reached by other ways. */
  @Override
  public void unreachable(RelayBranch branch, Exception why) {
    List<RelayTarget> targets = branch.targets();
    RelayTarget first = targets.getFirst();
    log.error(
        "node "
            + first.node()
            + " at "
            + first.host()
            + ":"
            + first.port()
            + " is not reached: "
            + why.getMessage());
    List<RelayBranch> others = towards(targets.subList(1, targets.size()));
    if (branch.replace(others)) {
      others.forEach(RelayBranch::start);
    }
    tryUp(RelayMessage.refused(first.index(), UNREACHABLE));
  }

  @Override
  public void up(byte[] message) throws IOException {
    sending.lock();
    try {
      front.send(message);
    } finally {
      sending.unlock();
    }
  }

  @Override
  public void tryUp(byte[] message) {
    try {
      up(message);
    } catch (IOException e) {
      log.debug("a front end is gone: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    branches.forEach(RelayBranch::close);
    front.close();
  }
}
