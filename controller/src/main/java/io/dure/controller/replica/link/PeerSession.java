package io.dure.controller.replica.link;

import io.dure.controller.replica.RaftGroupMember;
import io.dure.host.net.Connection;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.protocol.WireCodecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;

/** One connection on which another controller sends, from its token to its end. One thread. */
public final class PeerSession {
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Connection connection;
  private final Wiring wiring;

  /**
   * What sessions need of the controller.
   *
   * @param beside takes messages that are none of the log's, before it
   */
  public record Wiring(
      RaftGroupMember member, Beside beside, ClusterKey key, InstantSource clock, Logger log) {}

  /** What else controllers say to each other. */
  public interface Beside {
    /** Takes a message, without waiting; false if it is one of the log. */
    boolean receive(String from, byte[] message);
  }

  /** A session on an accepted connection whose first bytes have been read. */
  public PeerSession(Connection connection, Wiring wiring) {
    this.connection = connection;
    this.wiring = wiring;
  }

  /** Serves the connection until it ends. */
  public void run() throws IOException {
    byte[] first = connection.receive(WireCodecs.MAX_LOCAL);
    if (first == null) {
      return;
    }
    AuthToken.Verdict verdict =
        AuthToken.verify(
            new String(first, StandardCharsets.UTF_8),
            wiring.key(),
            wiring.clock().instant(),
            SKEW);
    if (!(verdict instanceof AuthToken.Verdict.Valid(AuthToken token))
        || token.kind() != AuthToken.Kind.CONTROLLER) {
      wiring
          .log()
          .error(
              "rejected another controller: token not valid ("
                  + verdict
                  + "); both need the same dure.key");
      return;
    }
    connection.timeLimit(SILENCE);
    long number = wiring.member().came(token.subject());
    try {
      // A virtual thread is woken by a second one, and the group waits for each message.
      CompletableFuture<Void> end = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .name("from-" + token.subject())
          .start(() -> receive(token.subject(), end));
      end.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException broken) {
        throw broken;
      }
      throw e;
    } finally {
      wiring.member().left(token.subject(), number);
    }
  }

  private void receive(String from, CompletableFuture<Void> end) {
    try {
      for (byte[] frame = connection.receive(); frame != null; frame = connection.receive()) {
        if (frame.length > 0 && !wiring.beside().receive(from, frame)) {
          wiring.member().receive(frame);
        }
      }
      end.complete(null);
    } catch (IOException | RuntimeException | Error e) {
      end.completeExceptionally(e);
    }
  }
}
