package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.dure.host.log.DaemonLog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a daemon tells the service manager that started it, sd_notify(3): one datagram to the socket
 * that {@code NOTIFY_SOCKET} names. Java has no datagrams between processes of a machine. Any
 * thread may call.
 */
public final class ReadinessNotice {
  private static final short AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int LONGEST_PATH = 107;

  private static final SystemCall SOCKET = new SystemCall("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final SystemCall CONNECT = new SystemCall("connect", JAVA_INT, ADDRESS, JAVA_INT);
  private static final SystemCall SEND =
      new SystemCall("send", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final SystemCall CLOSE = new SystemCall("close", JAVA_INT);

  private ReadinessNotice() {}

  /**
   * Says that the daemon serves, to the service manager of its environment; the log tells if that
   * cannot be.
   */
  public static void send(Map<String, String> environment, DaemonLog log) {
    String socket = environment.get("NOTIFY_SOCKET");
    if (socket == null) {
      log.error("--systemd: NOTIFY_SOCKET is not set: no service manager learns that this serves");
      return;
    }
    try {
      send(socket);
    } catch (IOException e) {
      log.error("the service manager does not learn that this serves: " + e.getMessage());
    }
  }

  /**
   * Says that the daemon serves.
   *
   * @param socket value of {@code NOTIFY_SOCKET}: a path, or {@code @} and an abstract name
   * @throws IOException if it cannot be said
   */
  static void send(String socket) throws IOException {
    byte[] name = socket.getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length > LONGEST_PATH) {
      throw new IOException("NOTIFY_SOCKET names no socket: '" + socket + "'");
    }
    if (name[0] == '@') {
      name[0] = 0;
    }
    int descriptor = SOCKET.call((int) AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(Short.BYTES + LONGEST_PATH + 1L, Short.BYTES);
      address.set(JAVA_SHORT, 0, AF_UNIX);
      MemorySegment.copy(name, 0, address, JAVA_BYTE, Short.BYTES, name.length);
      CONNECT.call(descriptor, address, Short.BYTES + name.length);
      byte[] text = "READY=1".getBytes(StandardCharsets.US_ASCII);
      SEND.call(descriptor, arena.allocateFrom(JAVA_BYTE, text), (long) text.length, 0);
    } finally {
      CLOSE.call(descriptor);
    }
  }
}
