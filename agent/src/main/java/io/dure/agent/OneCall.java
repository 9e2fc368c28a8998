package io.dure.agent;

import io.dure.host.net.PeerCredentials;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;

/**
 * The agent of a single call: where none serves the machine, a client whose command is more than
 * questions and text starts one for itself, and speaks to it by the socket that is its standard
 * input.
 */
final class OneCall {
  private static final long BEAT_NANOS = 1_000_000_000L;

  private OneCall() {}

  /**
   * Carries the call out.
   *
   * @throws IOException if standard input is no unix socket
   */
  static void serve(Path configuration, Logger log) throws IOException {
    Channel inherited = System.inheritedChannel();
    if (!(inherited instanceof SocketChannel channel)) {
      throw new IOException("standard input is not the socket of a call");
    }
    PeerCredentials peer = PeerCredentials.of(channel);
    try (ConnectionPool connections = new ConnectionPool(configuration)) {
      CallService work = new CallService(configuration, connections, null, log);
      Thread.ofPlatform()
          .daemon()
          .name("beats")
          .start(() -> {
            while (true) {
              LockSupport.parkNanos(BEAT_NANOS);
              work.beat();
            }
          });
      work.serve(channel, peer);
    }
  }
}
