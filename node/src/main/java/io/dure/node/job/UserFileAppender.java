package io.dure.node.job;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import io.dure.host.user.CurrentProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Appends to a file of a user with the rights of that user alone.
 *
 * <p>The path is the user's: it may be a link to a file of another user. So a thread of its own
 * takes that user's number and groups for its file accesses (setfsuid(2), which holds for one
 * thread), writes, and ends. No other thread waits long for it, since a path may lead to a pipe or
 * to a server that does not answer. Any thread may call.
 */
public final class UserFileAppender {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int O_WRONLY = 1;
  private static final int O_NOCTTY = 0400;
  private static final int O_APPEND = 02000;
  private static final int O_NONBLOCK = 04000;
  private static final int O_CLOEXEC = 02000000;

  private static final MethodHandle SET_USER = ids("setfsuid");
  private static final MethodHandle SET_GROUP = ids("setfsgid");
  private static final MethodHandle SYSTEM_CALL =
      CLibrary.function(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle OPEN =
      CLibrary.function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle WRITE =
      CLibrary.function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle CLOSE =
      CLibrary.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private UserFileAppender() {}

  /**
   * Appends the text to a file that exists.
   *
   * @param groups all groups of the user
   * @return whether it was written within two seconds
   */
  public static boolean append(String path, String text, int uid, int gid, List<Integer> groups)
      throws InterruptedException {
    boolean[] done = new boolean[1];
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .name("message to a user")
            .start(() -> done[0] = write(path, text, new User(uid, gid, groups)));
    return writer.join(PATIENCE) && done[0];
  }

  private record User(int uid, int gid, List<Integer> groups) {}

  private static boolean write(String path, String text, User user) {
    try (Arena arena = Arena.ofConfined()) {
      if (!become(user, arena)) {
        return false;
      }
      int flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
      int file = (int) OPEN.invokeExact(arena.allocateFrom(path), flags);
      if (file < 0) {
        return false;
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      MemorySegment buffer = arena.allocateFrom(JAVA_BYTE, bytes);
      long written = (long) WRITE.invokeExact(file, buffer, (long) bytes.length);
      int _ = (int) CLOSE.invokeExact(file);
      return written == bytes.length;
    } catch (Throwable e) {
      throw CLibrary.unexpected("write to a user's file", e);
    }
  }

  private static boolean become(User user, Arena arena) throws Throwable {
    if (CurrentProcess.effectiveUid() != 0) {
      // A daemon without root runs its own user's jobs alone.
      return CurrentProcess.effectiveUid() == user.uid();
    }
    int[] groups = user.groups().stream().mapToInt(Integer::intValue).toArray();
    // The C library's setgroups would change every thread of the process.
    long changed =
        (long)
            SYSTEM_CALL.invokeExact(
                setGroupsNumber(), (long) groups.length, arena.allocateFrom(JAVA_INT, groups));
    int _ = (int) SET_GROUP.invokeExact(user.gid());
    int _ = (int) SET_USER.invokeExact(user.uid());
    // These two answer the former number; asked again with an impossible one, the present.
    int gid = (int) SET_GROUP.invokeExact(-1);
    int uid = (int) SET_USER.invokeExact(-1);
    return changed == 0 && gid == user.gid() && uid == user.uid();
  }

  private static long setGroupsNumber() {
    return System.getProperty("os.arch", "").equals("amd64") ? 116 : 159;
  }

  private static MethodHandle ids(String name) {
    return CLibrary.function(name, FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  }
}
