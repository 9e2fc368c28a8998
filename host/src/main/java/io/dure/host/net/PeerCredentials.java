package io.dure.host.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * The process at the other end of a unix socket, by the kernel's word (SO_PEERCRED, unix(7)): the
 * process that connected, with the effective user and group it had at that moment.
 *
 * <p>The JDK's own option gives names, not numbers, and no process; so the option is read from the
 * socket's descriptor, which needs {@code --add-opens java.base/sun.nio.ch=ALL-UNNAMED}.
 *
 * @param uid user number, an unsigned 32-bit value in an int
 * @param gid group number, an unsigned 32-bit value in an int
 * @param pid process number as this process sees it; 0 if the peer is outside its pid namespace
 */
public record PeerCredentials(int uid, int gid, int pid) {
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int UCRED_SIZE = 12;

  /**
   * Asks the kernel about a connected unix socket. Any thread may call.
   *
   * @throws IOException if the socket is closed or not a connected unix socket, or if this Java
   *     process was started without the option that opens the descriptor
   */
  public static PeerCredentials of(SocketChannel channel) throws IOException {
    int descriptor = descriptor(channel);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errors = arena.allocate(Native.ERRORS);
      MemorySegment credentials = arena.allocate(JAVA_INT, 3);
      MemorySegment size = arena.allocateFrom(JAVA_INT, UCRED_SIZE);
      int answer =
          (int)
              Native.GETSOCKOPT.invokeExact(
                  errors, descriptor, SOL_SOCKET, SO_PEERCRED, credentials, size);
      if (answer != 0 || size.get(JAVA_INT, 0) != UCRED_SIZE) {
        int error = (int) Native.ERRNO.get(errors, 0L);
        throw new IOException("cannot read SO_PEERCRED of a unix socket: errno " + error);
      }
      int pid = credentials.getAtIndex(JAVA_INT, 0);
      int uid = credentials.getAtIndex(JAVA_INT, 1);
      int gid = credentials.getAtIndex(JAVA_INT, 2);
      // The kernel answers -1 for a socket without a peer; no process may pass as user 4294967295.
      if (uid == -1) {
        throw new IOException("unix socket has no peer (SO_PEERCRED)");
      }
      return new PeerCredentials(uid, gid, pid);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw CLibrary.unexpected("getsockopt", e);
    }
  }

  static int descriptor(SocketChannel channel) throws IOException {
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
    try {
      Method method = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
      method.setAccessible(true);
      return (int) method.invoke(channel);
    } catch (InaccessibleObjectException e) {
      throw new IOException(
          "cannot determine the peer of a unix socket: start Java with"
              + " --add-opens java.base/sun.nio.ch=ALL-UNNAMED",
          e);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new IOException(
          "cannot determine the peer of a unix socket: no file descriptor in "
              + channel.getClass().getName(),
          e);
    }
  }

  /** Apart, so that a message about a missing option does not need the foreign functions. */
  private static final class Native {
    static final MemoryLayout ERRORS = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = ERRORS.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    static final MethodHandle GETSOCKOPT =
        CLibrary.function(
            "getsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS),
            Linker.Option.captureCallState("errno"));

    private Native() {}
  }
}
