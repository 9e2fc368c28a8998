package io.dure.host.relay;

import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.RelayTarget;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.HashSet;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/** What a relay takes from those that it does not trust, and how long from those that are gone. */
final class RelayLimits {
  /** Of one message, in bytes: a launch, with what belongs to it. */
  static final int LARGEST = 17 << 20;

  private static final int MOST_TARGETS = 1 << 16;
  private static final int MOST_GROUPS = 1 << 10;
  private static final int MOST_PORT = 65_535;
  private static final int WIDEST = 64;
  private static final int IDLE_SECONDS = 30;
  private static final int INTERVAL_SECONDS = 10;
  private static final int PROBES = 3;

  private RelayLimits() {}

  /**
   * The request with a width that is bounded.
   *
   * @throws IOException if it names no nodes, too many, one twice, or what cannot be
   */
  static RelayRequest checked(RelayRequest request) throws IOException {
    Set<Integer> indexes = new HashSet<>();
    Set<String> names = new HashSet<>();
    if (request.targets().isEmpty() || request.targets().size() > MOST_TARGETS) {
      throw new IOException("a request for " + request.targets().size() + " nodes");
    }
    for (RelayTarget target : request.targets()) {
      boolean isPossible =
          target.index() >= 0
              && target.index() < MOST_TARGETS
              && target.group() >= 0
              && target.group() < MOST_GROUPS
              && target.port() > 0
              && target.port() <= MOST_PORT;
      if (!isPossible
          || !indexes.add(target.index())
          || !names.add(target.node() + target.group())) {
        throw new IOException("a request with an impossible target: node " + target.node());
      }
    }
    int width = Math.clamp(request.width(), 1, WIDEST);
    return new RelayRequest(request.token(), width, request.targets());
  }

  /** A machine that is gone is found out in a minute, not in two hours. */
  static void watch(Socket socket) throws IOException {
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
    socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
    socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
  }
}
