package io.dure.controller.peer;

import io.dure.host.log.Log;
import io.dure.host.net.Connection;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.Token;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/** A connection over which another controller says something. One thread. */
public final class PeerSession {
  private static final int MOST_BYTES = 512 << 20;
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Connection connection;
  private final Wiring wiring;

  /**
   * What sessions need of the controller.
   *
   * @param messages takes what comes; any thread
   */
  public record Wiring(Consumer<byte[]> messages, ClusterKey key, InstantSource clock, Log log) {}

  /** A session on an accepted connection whose first bytes have been read. */
  public PeerSession(Connection connection, Wiring wiring) {
    this.connection = connection;
    this.wiring = wiring;
  }

  /** Serves it until it ends. */
  public void run() throws IOException {
    byte[] first = connection.receive(Token.MAX_LENGTH);
    if (first == null) {
      return;
    }
    Token.Verdict verdict =
        Token.verify(
            new String(first, StandardCharsets.UTF_8),
            wiring.key(),
            wiring.clock().instant(),
            SKEW);
    if (!(verdict instanceof Token.Verdict.Valid(Token token))
        || token.kind() != Token.Kind.CONTROLLER) {
      wiring.log().error("somebody who is no controller of the cluster spoke as one: " + verdict);
      return;
    }
    connection.timeLimit(Duration.ZERO);
    for (byte[] message = connection.receive(MOST_BYTES);
        message != null;
        message = connection.receive(MOST_BYTES)) {
      wiring.messages().accept(message);
    }
  }
}
