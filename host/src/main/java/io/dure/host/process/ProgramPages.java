package io.dure.host.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The pages of files that this program has mapped to read or run them: the JVM, its libraries, the
 * classes of the cache. Most of them are needed for the start alone.
 */
public final class ProgramPages {
  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final int MADV_PAGEOUT = 21;
  private static final int HEX = 16;

  private ProgramPages() {}

  /**
   * Gives all of them back; those that are used again are read again. What the program has written
   * to stays. Any thread; takes some milliseconds.
   *
   * @return the bytes of what the system took, 0 where it knows no such request
   * @throws IOException if the mappings cannot be read
   */
  public static long release() throws IOException {
    long taken = 0;
    for (String line : Files.readAllLines(MAPS)) {
      // 7f6473400000-7f64736e3000 r--p 00000000 fe:00 1234   /usr/lib/jvm/lib/server/libjvm.so
      List<String> words = List.of(line.split(" +", 6));
      boolean file = words.size() == 6 && words.get(5).startsWith("/");
      if (file && words.get(1).startsWith("r") && words.get(1).charAt(1) == '-') {
        String[] bounds = words.getFirst().split("-", 2);
        long from = Long.parseUnsignedLong(bounds[0], HEX);
        long length = Long.parseUnsignedLong(bounds[1], HEX) - from;
        taken += release(from, length) ? length : 0;
      }
    }
    return taken;
  }

  private static boolean release(long from, long length) {
    try {
      return (int) Native.ADVISE.invokeExact(from, length, MADV_PAGEOUT) == 0;
    } catch (Throwable e) {
      throw CLibrary.unexpected("madvise", e);
    }
  }

  private static final class Native {
    static final MethodHandle ADVISE =
        CLibrary.function(
            "madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private Native() {}
  }
}
