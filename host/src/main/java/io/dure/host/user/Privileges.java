package io.dure.host.user;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * Giving up root. The C library changes all threads of the process together (nptl(7)), those of the
 * Java machine too.
 */
public final class Privileges {
  private Privileges() {}

  /**
   * Makes this process run as the user, with the user's groups, for good. Only root may.
   *
   * @throws IOException if the kernel refuses; what was given up until then stays given up
   */
  public static void become(PasswdEntry account) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(account.name());
      require(
          "initgroups",
          (int)
              CLibrary.function("initgroups", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT))
                  .invokeExact(name, account.gid()));
      FunctionDescriptor one = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
      require("setgid", (int) CLibrary.function("setgid", one).invokeExact(account.gid()));
      require("setuid", (int) CLibrary.function("setuid", one).invokeExact(account.uid()));
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw CLibrary.unexpected("setuid", e);
    }
  }

  private static void require(String function, int result) throws IOException {
    if (result != 0) {
      throw new IOException(function + " failed: only root may become another user");
    }
  }
}
