package io.dure.rest;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Where HTTP is listened for, and its bounds.
 *
 * @param addresses of TCP sockets
 * @param sockets files of unix sockets
 * @param connections that are open at a time at most
 * @param bodyBytes of one request at most
 * @param idle for how long a connection may be silent
 */
public record RestSettings(
    List<InetSocketAddress> addresses,
    List<Path> sockets,
    int connections,
    int bodyBytes,
    Duration idle) {
  private static final int MIB = 1 << 20;

  /** The same with another number of connections. */
  public RestSettings withConnections(int most) {
    return new RestSettings(addresses, sockets, most, bodyBytes, idle);
  }

  /** Usual bounds; a script of 4 MiB fits in. */
  public static RestSettings at(List<InetSocketAddress> addresses, List<Path> sockets) {
    return new RestSettings(addresses, sockets, 2000, 16 * MIB, Duration.ofSeconds(60));
  }
}
