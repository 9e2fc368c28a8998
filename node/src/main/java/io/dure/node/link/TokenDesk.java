package io.dure.node.link;

import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.net.Connection;
import io.dure.host.net.Connections;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.Token;
import io.dure.host.user.Account;
import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.protocol.LocalReply;
import io.dure.protocol.LocalRequest;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.MalformedException;
import io.dure.protocol.codec.RecordCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * Vouches for the users of this machine at the daemon's unix socket: signs who the kernel says is
 * calling. A few callers at a time, each for a few seconds; whoever comes above that waits.
 */
public final class TokenDesk implements Closeable {
  private static final int AT_A_TIME = 64;
  private static final int BACKLOG = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(1);

  private final RecordCodec<LocalRequest> requests = Wire.localRequests();
  private final RecordCodec<LocalReply> replies = Wire.localReplies();
  private final SecureRandom random = new SecureRandom();
  private final Semaphore places = new Semaphore(AT_A_TIME);
  private final UnixListener listener;
  private final ClusterKey key;
  private final UserDatabase users;
  private final InstantSource clock;
  private final Log log;

  private TokenDesk(
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
  public static TokenDesk open(
      Path socket, ClusterKey key, UserDatabase users, InstantSource clock, Log log)
      throws IOException {
    UnixListener listener = UnixListener.open(socket, 0666, BACKLOG);
    TokenDesk desk = new TokenDesk(listener, key, users, clock, log);
    Thread.ofVirtual().name("token desk").start(desk::accept);
    return desk;
  }

  private void accept() {
    while (true) {
      try {
        places.acquire();
        SocketChannel channel = listener.accept();
        Thread.ofVirtual().name("token request").start(() -> serve(channel));
      } catch (ClosedChannelException e) {
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (IOException e) {
        places.release();
        log.error("token desk: " + e);
        if (!listener.channel().isOpen()) {
          return;
        }
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (Connection connection = Connections.over(channel, PATIENCE)) {
      PeerCredentials caller = PeerCredentials.of(channel);
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
      places.release();
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
