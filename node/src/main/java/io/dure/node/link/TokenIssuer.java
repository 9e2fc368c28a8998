package io.dure.node.link;

import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.net.AcceptLoop;
import io.dure.host.net.Connection;
import io.dure.host.net.Connections;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.Places;
import io.dure.host.net.UnixListener;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.Token;
import io.dure.host.user.Account;
import io.dure.host.user.OwnProcess;
import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.protocol.LocalReply;
import io.dure.protocol.LocalRequest;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.MalformedException;
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

/**
 * Vouches for the users of this machine at the daemon's unix socket: signs who the kernel says is
 * calling. Each connection has a few seconds, each user a number of them.
 */
public final class TokenIssuer implements Closeable {
  private static final int AT_A_TIME = 512;
  private static final int OF_ONE_USER = 64;
  private static final int BACKLOG = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(1);

  private final RecordCodec<LocalRequest> requests = Wire.localRequests();
  private final RecordCodec<LocalReply> replies = Wire.localReplies();
  private final SecureRandom random = new SecureRandom();
  // Root holds no place: whatever users do, it gets in.
  private final Places<Integer> places =
      new Places<>(
          "user",
          Places.affordable(OwnProcess.openFilesLimit(), AT_A_TIME),
          OF_ONE_USER,
          Set.of(0));
  private final UnixListener listener;
  private final ClusterKey key;
  private final UserDatabase users;
  private final InstantSource clock;
  private final Log log;

  private TokenIssuer(
      UnixListener listener, ClusterKey key, UserDatabase users, InstantSource clock, Log log) {
    this.listener = listener;
    this.key = key;
    this.users = users;
    this.clock = clock;
    this.log = log;
  }

  /**
   * Opens the socket and serves until it is closed.
   *
   * @throws IOException if the socket cannot be made
   */
  public static TokenIssuer open(
      Path socket, ClusterKey key, UserDatabase users, InstantSource clock, Log log)
      throws IOException {
    UnixListener listener = UnixListener.open(socket, 0666, BACKLOG);
    TokenIssuer desk = new TokenIssuer(listener, key, users, clock, log);
    AcceptLoop loop =
        new AcceptLoop(
            "token desk", listener.channel()::isOpen, () -> desk.begin(listener.accept()), log);
    Thread.ofVirtual().name("token desk").start(loop::run);
    return desk;
  }

  private void begin(SocketChannel channel) throws IOException {
    PeerCredentials caller;
    try {
      caller = PeerCredentials.of(channel);
    } catch (IOException e) {
      channel.close();
      log.write(LogLevel.DEBUG, "token desk", "token desk: " + e);
      return;
    }
    if (!places.take(caller.uid())) {
      channel.close();
      log.error("too many connections of user " + caller.uid() + " at the token desk");
      return;
    }
    Thread.ofVirtual().name("token request").start(() -> serve(channel, caller));
  }

  private void serve(SocketChannel channel, PeerCredentials caller) {
    try (Connection connection = Connections.over(channel, PATIENCE)) {
      if (connection.receiveMagic() != Wire.LOCAL_MAGIC) {
        return;
      }
      byte[] request = connection.receive(Wire.MAX_LOCAL);
      if (request != null) {
        connection.send(replies.encode(answer(requests.decode(request), caller)));
      }
    } catch (IOException | MalformedException e) {
      log.write(LogLevel.DEBUG, "token desk", "token desk: " + e);
    } finally {
      places.giveBack(caller.uid());
    }
  }

  private LocalReply answer(LocalRequest request, PeerCredentials caller) {
    return switch (request) {
      case LocalRequest.UserToken _ -> token(caller);
    };
  }

  private LocalReply token(PeerCredentials caller) {
    try {
      Account account = users.userByUid(caller.uid());
      String name = account == null ? Integer.toUnsignedString(caller.uid()) : account.name();
      Instant expiry = clock.instant().plus(TOKEN_LIFE);
      Token token = Token.forUser(name, caller.uid(), caller.gid(), expiry, random);
      return new LocalReply.Token(token.sign(key), token.expiry(), key.caFingerprint());
    } catch (UserDatabaseException | IllegalArgumentException e) {
      return new LocalReply.Refused(String.valueOf(e.getMessage()));
    }
  }

  /** Serves nobody any more and removes the socket. */
  @Override
  public void close() throws IOException {
    listener.close();
  }
}
