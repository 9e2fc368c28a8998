package io.dure.node.link;

import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.PinnedTls;
import io.dure.host.user.CurrentProcess;
import io.dure.model.config.ClusterSettings;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.DureVersion;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls the controllers of the configuration in turn, by TLS, with a token that names the node. One
 * thread calls.
 */
public final class TlsControllerEndpoint implements ControllerEndpoint {
  /** A controller that says nothing for so long is taken for dead: it beats every few seconds. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** The same where another may lead by then: more than two of its beats. */
  private static final Duration SILENCE_OF_ONE = Duration.ofSeconds(12);

  private static final Duration HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

  private final RecordCodec<NodeToControllerMessage> outgoing = WireCodecs.fromNode();
  private final RecordCodec<ControllerToNodeMessage> incoming = WireCodecs.toNode();
  private final SecureRandom random = new SecureRandom();
  private final Supplier<ClusterSettings> configuration;
  private final ClusterKey key;
  private final SSLContext context;
  private final String nodeName;
  private final InstantSource clock;
  private int next;

  /**
   * Makes a port that has not called yet.
   *
   * @param configuration says where the controllers are now; asked at each call
   */
  public TlsControllerEndpoint(
      Supplier<ClusterSettings> configuration,
      ClusterKey key,
      String nodeName,
      InstantSource clock) {
    this.configuration = configuration;
    this.key = key;
    this.context = PinnedTls.clientContext(key);
    this.nodeName = nodeName;
    this.clock = clock;
  }

  @Override
  public Link open() throws IOException {
    ClusterSettings all = configuration.get();
    ClusterSettings.Controller settings = all.controller();
    List<InetSocketAddress> addresses = addresses(settings);
    InetSocketAddress address = addresses.get(Math.floorMod(next++, addresses.size()));
    Connection connection;
    try {
      connection =
          ConnectionFactory.tls(address, context, HANDSHAKE, ConnectLimits.of(all.rules()));
    } catch (IOException e) {
      throw new IOException(
          address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
    }
    try {
      AuthToken token =
          AuthToken.forNode(
              nodeName,
              CurrentProcess.effectiveUid(),
              CurrentProcess.effectiveGid(),
              clock.instant().plus(TOKEN_LIFE),
              random);
      connection.sendMagic(WireCodecs.NODE_MAGIC);
      TlsLink link = new TlsLink(connection);
      link.send(new NodeToControllerMessage.Hello(token.sign(key), DureVersion.DURE));
      connection.timeLimit(settings.hosts().size() > 1 ? SILENCE_OF_ONE : SILENCE);
      return link;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Each host with each of its ports; names are resolved anew at each call. */
  private static List<InetSocketAddress> addresses(ClusterSettings.Controller settings) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (ClusterSettings.Host host : settings.hosts()) {
      for (int i = 0; i < Math.max(1, settings.portCount()); i++) {
        addresses.add(new InetSocketAddress(host.address(), settings.port() + i));
      }
    }
    return addresses;
  }

  private final class TlsLink implements Link {
    private final Connection connection;

    TlsLink(Connection connection) {
      this.connection = connection;
    }

    @Override
    public void send(NodeToControllerMessage message) throws IOException {
      connection.send(outgoing.encode(message));
    }

    @Override
    public @Nullable ControllerToNodeMessage receive() throws IOException {
      byte[] payload = connection.receive();
      try {
        return payload == null ? null : incoming.decode(payload);
      } catch (MalformedMessageException e) {
        throw new IOException("the controller sent an unreadable message", e);
      }
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}
