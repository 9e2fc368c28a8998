package io.dure.controller.node;

import io.dure.controller.loop.StateAccess;
import io.dure.controller.statistics.RequestCounts;
import io.dure.host.log.LogMarkers;
import io.dure.host.net.Connection;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** One connection of a node daemon, from its Hello to its end. One thread. */
public final class NodeSession {
  private static final RecordCodec<NodeToControllerMessage> CODEC = WireCodecs.fromNode().strict();
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Connection connection;
  private final SessionServices wiring;

  /**
   * What sessions need of the controller.
   *
   * @param credentialKey with what nodes check its credentials
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  public record SessionServices(
      StateAccess owner,
      NodeLinks links,
      ClusterKey key,
      byte[] credentialKey,
      RequestCounts counts,
      InstantSource clock,
      Logger log) {
    private NodeProtocol.NodeServices dialogues() {
      Executor threads = work -> Thread.ofVirtual().name("node gone").start(work);
      return new NodeProtocol.NodeServices(
          owner, links, counts, clock, System::nanoTime, threads, log, credentialKey);
    }
  }

  /** A session on an accepted connection whose first bytes have been read. */
  public NodeSession(Connection connection, SessionServices wiring) {
    this.connection = connection;
    this.wiring = wiring;
  }

  /** Serves the connection until it ends. */
  public void run() throws InterruptedException {
    NodeProtocol dialogue = null;
    try {
      String node = hello();
      if (node == null) {
        return;
      }
      NodeLink link = new NodeLink(node, connection, wiring.clock().instant());
      dialogue = new NodeProtocol(link, wiring.dialogues());
      connection.timeLimit(SILENCE);
      while (true) {
        byte[] frame = connection.receive();
        if (frame == null) {
          return;
        }
        dialogue.heard(CODEC.decode(frame));
      }
    } catch (IOException | MalformedMessageException e) {
      wiring
          .log()
          .info(LogMarkers.VERBOSE, "connection of a node daemon closed: " + e.getMessage());
    } finally {
      end(dialogue);
    }
  }

  private @Nullable String hello() throws IOException {
    byte[] first = connection.receive(WireCodecs.MAX_LOCAL);
    if (first == null || !(CODEC.decode(first) instanceof NodeToControllerMessage.Hello hello)) {
      return null;
    }
    AuthToken.Verdict verdict =
        AuthToken.verify(hello.token(), wiring.key(), wiring.clock().instant(), SKEW);
    if (verdict instanceof AuthToken.Verdict.Valid(AuthToken token)
        && token.kind() == AuthToken.Kind.NODE) {
      return token.subject();
    }
    wiring
        .log()
        .error(
            "rejected a node daemon: token not valid ("
                + verdict
                + "); it needs the controller's dure.key");
    connection.send(
        WireCodecs.toNode()
            .encode(
                new ControllerToNodeMessage.Rejected(
                    "the token is not valid: is this machine's dure.key the cluster's, and is its"
                        + " clock right?")));
    return null;
  }

  private void end(@Nullable NodeProtocol dialogue) {
    if (dialogue != null) {
      dialogue.end();
      return;
    }
    try {
      connection.close();
    } catch (IOException e) {
      // it is gone either way
    }
  }
}
