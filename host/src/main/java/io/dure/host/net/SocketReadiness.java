package io.dure.host.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.SocketChannel;

/**
 * What could be done with a connected socket at a moment, by the kernel's word (poll(2)). A channel
 * in blocking mode cannot be asked for that without stopping a thread that reads from it.
 *
 * @param gone whether the peer has closed its end
 * @param writable whether some kilobytes can be written without waiting
 */
public record SocketReadiness(boolean gone, boolean writable) {
  private static final int POLLFD_SIZE = 8;
  private static final int EVENTS = 4;
  private static final int REVENTS = 6;
  private static final short POLLOUT = 4;
  private static final short POLLERR_OR_HUP = 8 | 16;

  /**
   * Looks at a socket. Any thread may call.
   *
   * @throws IOException if the channel is closed, or if this Java process was started without the
   *     option that opens the descriptor
   */
  public static SocketReadiness of(SocketChannel channel) throws IOException {
    int descriptor = PeerCredentials.descriptor(channel);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment asked = arena.allocate(POLLFD_SIZE, Integer.BYTES);
      asked.set(JAVA_INT, 0, descriptor);
      asked.set(JAVA_SHORT, EVENTS, POLLOUT);
      int found = (int) Native.POLL.invokeExact(asked, 1L, 0);
      int answer = found > 0 ? asked.get(JAVA_SHORT, REVENTS) : 0;
      return new SocketReadiness((answer & POLLERR_OR_HUP) != 0, (answer & POLLOUT) != 0);
    } catch (Throwable e) {
      throw CLibrary.unexpected("poll", e);
    }
  }

  private static final class Native {
    static final MethodHandle POLL =
        CLibrary.function("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private Native() {}
  }
}
