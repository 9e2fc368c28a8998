package io.dure.host.user;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

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
              function("initgroups", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT))
                  .invokeExact(name, account.gid()));
      FunctionDescriptor one = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
      require("setgid", (int) function("setgid", one).invokeExact(account.gid()));
      require("setuid", (int) function("setuid", one).invokeExact(account.uid()));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the C library's functions throw nothing", e);
    }
  }

  private static void require(String function, int result) throws IOException {
    if (result != 0) {
      throw new IOException(function + " failed: only root may become another user");
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
