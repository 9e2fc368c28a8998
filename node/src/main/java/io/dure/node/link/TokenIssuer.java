package io.dure.node.link;

import io.dure.host.log.LogMarkers;
import io.dure.host.net.AcceptLoop;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.quota.Quota;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.protocol.LocalReply;
import io.dure.protocol.LocalRequest;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.Marker;

/**
 * Vouches for the users of this machine at the daemon's unix socket: signs the identity that the
 * kernel reports. Each connection has a few seconds, each user a number of them.
 */
public final class TokenIssuer implements Closeable {
  private static final int AT_A_TIME = 512;
  private static final int OF_ONE_USER = 64;
  private static final int BACKLOG = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Marker KIND = LogMarkers.kind("token request");
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(1);

  private final RecordCodec<LocalRequest> requests = WireCodecs.localRequests();
  private final RecordCodec<LocalReply> replies = WireCodecs.localReplies();
  private final SecureRandom random = new SecureRandom();
  // Root is exempt: whatever users do, it can connect.
  private final Quota<Integer> connections =
      new Quota<>(
          ConnectionFactory.affordable(CurrentProcess.openFilesLimit(), AT_A_TIME),
          OF_ONE_USER,
          Set.of(0));
  private final UnixListener listener;
  private final ClusterKey key;
  private final String host;
  private final UserDatabase users;
  private final InstantSource clock;
  private final Logger log;

  private TokenIssuer(
      UnixListener listener,
      Signature signature,
      UserDatabase users,
      InstantSource clock,
      Logger log) {
    this.listener = listener;
    key = signature.key();
    host = signature.host();
    this.users = users;
    this.clock = clock;
    this.log = log;
  }

  /**
   * What a token is signed with.
   *
   * @param host short name of this machine, which tokens name as the user's
   */
  public record Signature(ClusterKey key, String host) {}

  /**
   * Opens the socket and serves until it is closed.
   *
   * @throws IOException if the socket cannot be made
   */
  public static TokenIssuer open(
      Path socket, Signature signature, UserDatabase users, InstantSource clock, Logger log)
      throws IOException {
    UnixListener listener = UnixListener.open(socket, 0666, BACKLOG);
    TokenIssuer desk = new TokenIssuer(listener, signature, users, clock, log);
    AcceptLoop loop =
        new AcceptLoop(
            "token socket", listener.channel()::isOpen, () -> desk.begin(listener.accept()), log);
    Thread.ofVirtual().name("token-socket").start(loop::run);
    return desk;
  }

  private void begin(SocketChannel channel) throws IOException {
    PeerCredentials caller;
    try {
      caller = PeerCredentials.of(channel);
    } catch (IOException e) {
      channel.close();
      log.debug(KIND, "token request: " + e);
      return;
    }
    if (!connections.tryAcquire(caller.uid(), 1)) {
      channel.close();
      log.error(
          "too many connections of user "
              + caller.uid()
              + " at the token socket: closed the newest");
      return;
    }
    Thread.ofVirtual().name("token request").start(() -> serve(channel, caller));
  }

  private void serve(SocketChannel channel, PeerCredentials caller) {
    try (Connection connection = ConnectionFactory.over(channel, PATIENCE)) {
      if (connection.receiveMagic() != WireCodecs.LOCAL_MAGIC) {
        return;
      }
      byte[] request = connection.receive(WireCodecs.MAX_LOCAL);
      if (request != null) {
        connection.send(replies.encode(answer(requests.decode(request), caller)));
      }
    } catch (IOException | MalformedMessageException e) {
      log.debug(KIND, "token request: " + e);
    } finally {
      connections.release(caller.uid(), 1);
    }
  }

  private LocalReply answer(LocalRequest request, PeerCredentials caller) {
    return switch (request) {
      case LocalRequest.UserToken _ -> token(caller);
    };
  }

  private LocalReply token(PeerCredentials caller) {
    try {
      PasswdEntry account = users.userByUid(caller.uid());
      String name = account == null ? Integer.toUnsignedString(caller.uid()) : account.name();
      Instant expiry = clock.instant().plus(TOKEN_LIFE);
      AuthToken token = AuthToken.forUser(name, caller.uid(), caller.gid(), host, expiry, random);
      return new LocalReply.Token(token.sign(key), token.expiry(), key.caFingerprint());
    } catch (UserDatabaseException | IllegalArgumentException e) {
      return new LocalReply.Refused(String.valueOf(e.getMessage()));
    }
  }

  /** Stops serving and removes the socket. */
  @Override
  public void close() throws IOException {
    listener.close();
  }
}
