package io.dure.node.peer;

import io.dure.host.net.Connection;
import io.dure.host.relay.RelayDialer;
import io.dure.host.relay.RelayServer;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.step.NodePeerMessage;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Connections to and from the daemons of other nodes, over TLS at the port for steps. One that is
 * not used for a while is closed. Any thread calls.
 */
public final class TlsNodePeerLinks implements NodePeerLinks, RelayServer.Peers, Closeable {
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final Duration IDLE = Duration.ofMinutes(2);

  /** The side that was called does not end a connection that is used the other way. */
  private static final Duration IDLE_AS_SERVER = IDLE.multipliedBy(100);

  private final Map<String, PeerConversation> called = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();
  private final String node;
  private final ClusterKey key;
  private final Function<String, @Nullable InetSocketAddress> addresses;
  private final Listener listener;
  private final InstantSource clock;
  private final Logger log;
  private volatile boolean closed;

  /** Made for the first call: it takes time and memory, and most nodes never call. */
  private @Nullable RelayDialer dialer;

  /**
   * No connection yet.
   *
   * @param node the node that this daemon is
   * @param addresses where the daemon of a node listens, null for a node that is not known; a name
   *     is resolved by it
   */
  public TlsNodePeerLinks(
      String node,
      ClusterKey key,
      Function<String, @Nullable InetSocketAddress> addresses,
      Listener listener,
      InstantSource clock,
      Logger log) {
    this.node = node;
    this.key = key;
    this.addresses = addresses;
    this.listener = listener;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public boolean send(String to, NodePeerMessage message) {
    while (!closed) {
      PeerConversation now = called.get(to);
      if (now == null) {
        PeerConversation fresh = new PeerConversation(IDLE);
        if (called.putIfAbsent(to, fresh) == null) {
          Thread.ofVirtual().name("peer " + to).start(() -> call(to, fresh));
        }
      } else if (now.offer(message)) {
        return true;
      } else {
        called.remove(to, now);
      }
    }
    return false;
  }

  private void call(String to, PeerConversation conversation) {
    try {
      InetSocketAddress address = addresses.apply(to);
      if (address == null) {
        throw new IOException("the configuration does not have it");
      }
      AuthToken token =
          AuthToken.forNode(
              node,
              CurrentProcess.effectiveUid(),
              CurrentProcess.effectiveGid(),
              clock.instant().plus(TOKEN_LIFE),
              random);
      RelayDialer.DaemonConnection daemon = dialer().connect(to, address, token.sign(key));
      conversation.run(daemon.connection(), daemon.socket(), listener::said);
    } catch (IOException e) {
      log.debug("connection to the daemon of node " + to + " ended: " + e.getMessage());
    } finally {
      conversation.close();
      called.remove(to, conversation);
      listener.lost(to);
    }
  }

  private synchronized RelayDialer dialer() {
    RelayDialer made = dialer;
    if (made == null) {
      made = new RelayDialer(key, clock);
      dialer = made;
    }
    return made;
  }

  @Override
  public void serve(Connection connection, Socket socket) throws IOException {
    new PeerConversation(IDLE_AS_SERVER).run(connection, socket, listener::said);
  }

  @Override
  public void close() {
    closed = true;
    called.values().forEach(PeerConversation::close);
  }
}
