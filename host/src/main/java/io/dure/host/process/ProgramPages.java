package io.dure.host.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Memory that this program has and does not need at the moment: pages of the JVM, of its libraries
 * and of the classes of the cache, most of which are needed for the start alone, and what the C
 * library keeps after it was freed.
 */
public final class ProgramPages {
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");
  private static final String CACHE = ".aot";
  private static final int MADV_DONTNEED = 4;
  private static final int HEX = 16;

  /** A mapping of the program's own files, as bytes from an address on. */
  private record Mapping(long from, long length) {}

  private ProgramPages() {}

  /**
   * Gives all of it back. Pages of files stay in the system's cache for as long as nobody needs the
   * room, so one that is used again costs a microsecond and no read; those that this program has
   * written to stay. Any thread; takes some milliseconds.
   *
   * @return the bytes of files that were in this program's memory and are not any more
   * @throws IOException if the mappings cannot be read
   */
  public static long release() throws IOException {
    String libraries = Path.of(System.getProperty("java.home"), "lib").toRealPath() + "/";
    long taken = 0;
    try (BufferedReader lines = Files.newBufferedReader(MAPPINGS, StandardCharsets.ISO_8859_1)) {
      Mapping mapping = null;
      long resident = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (Character.isLowerCase(line.charAt(0)) || Character.isDigit(line.charAt(0))) {
          mapping = mapping(line, libraries);
        } else if (mapping != null && line.startsWith("Rss:")) {
          resident = kib(line) << 10;
        } else if (mapping != null && line.startsWith("Anonymous:") && kib(line) == 0) {
          // What was written to before it was made read-only would be lost.
          taken += drop(mapping) ? resident : 0;
        }
      }
    }
    trimHeap();
    return taken;
  }

  /**
   * Reads a line that begins a mapping.
   *
   * @return null for one that may be written to, or is not of a file that is mapped for good
   */
  private static @Nullable Mapping mapping(String line, String libraries) {
    // 7f6473400000-7f64736e3000 r--p 00000000 fe:00 1234   /usr/lib/jvm/lib/server/libjvm.so
    int dash = line.indexOf('-');
    int end = line.indexOf(' ');
    String rights = line.substring(end + 1, end + 5);
    int path = line.indexOf('/', end);
    if (path < 0
        || !(rights.equals("r--p") || rights.equals("r-xp"))
        || !(line.startsWith(libraries, path) || line.endsWith(CACHE))) {
      return null;
    }
    long from = Long.parseUnsignedLong(line, 0, dash, HEX);
    return new Mapping(from, Long.parseUnsignedLong(line, dash + 1, end, HEX) - from);
  }

  private static long kib(String line) {
    return Long.parseLong(line.substring(line.indexOf(':') + 1, line.length() - 3).strip());
  }

  private static boolean drop(Mapping mapping) {
    try {
      return (int) Native.ADVISE.invokeExact(mapping.from(), mapping.length(), MADV_DONTNEED) == 0;
    } catch (Throwable e) {
      throw CLibrary.unexpected("madvise", e);
    }
  }

  private static void trimHeap() {
    MethodHandle trim = Native.TRIM;
    if (trim != null) {
      try {
        int _ = (int) trim.invokeExact(0L);
      } catch (Throwable e) {
        throw CLibrary.unexpected("malloc_trim", e);
      }
    }
  }

  private static final class Native {
    static final MethodHandle ADVISE =
        CLibrary.function(
            "madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    /** Of the GNU C library alone. */
    static final @Nullable MethodHandle TRIM =
        CLibrary.functionIfThere("malloc_trim", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    private Native() {}
  }
}
