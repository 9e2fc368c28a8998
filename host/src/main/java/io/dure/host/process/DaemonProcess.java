package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * How this process lies in its system: priority, memory, working directory, and how it is aborted.
 * Any thread may call.
 */
public final class DaemonProcess {
  private static final int PRIO_PROCESS = 0;
  private static final int LOWEST_NICE = -20;
  private static final int HIGHEST_NICE = 19;

  /** MCL_CURRENT, MCL_FUTURE and MCL_ONFAULT: what Java only reserves takes no memory. */
  private static final int ALL_THAT_IS_TOUCHED = 1 | 2 | 4;

  private static final Path OWN_THREADS = Path.of("/proc/self/task");

  private static final SystemCall SET_PRIORITY =
      new SystemCall("setpriority", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final SystemCall LOCK_ALL = new SystemCall("mlockall", JAVA_INT);
  private static final SystemCall CHANGE_DIRECTORY = new SystemCall("chdir", ADDRESS);

  private static final SystemCall PROCESS_CONTROL =
      new SystemCall("prctl", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final SystemCall GET_LIMIT = new SystemCall("getrlimit", JAVA_INT, ADDRESS);
  private static final SystemCall SET_LIMIT = new SystemCall("setrlimit", JAVA_INT, ADDRESS);
  private static final int PR_SET_DUMPABLE = 4;
  private static final int RLIMIT_CORE = 4;

  private DaemonProcess() {}

  /**
   * Reads a nice value.
   *
   * @throws IllegalArgumentException if it is none; the message is for the user
   */
  public static int nice(String text) {
    try {
      int value = Integer.parseInt(text);
      if (value >= LOWEST_NICE && value <= HIGHEST_NICE) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(text + ": a nice value is a number from -20 to 19");
  }

  /**
   * Gives all threads there are that nice value; threads and processes they start have it too.
   *
   * @throws IOException if the system refuses it
   */
  public static void setNice(int value) throws IOException {
    Set<Integer> done = new TreeSet<>();
    // A thread that one of the old priority starts meanwhile is found by looking again.
    for (List<Integer> left = left(done); !left.isEmpty(); left = left(done)) {
      for (int thread : left) {
        try {
          SET_PRIORITY.call(PRIO_PROCESS, thread, value);
        } catch (IOException e) {
          if (Files.exists(OWN_THREADS.resolve(Integer.toString(thread)))) {
            throw e;
          }
        }
        done.add(thread);
      }
    }
  }

  private static List<Integer> left(Set<Integer> done) throws IOException {
    try (Stream<Path> files = Files.list(OWN_THREADS)) {
      return files
          .map(file -> Integer.valueOf(file.getFileName().toString()))
          .filter(thread -> !done.contains(thread))
          .toList();
    }
  }

  /**
   * Keeps in memory what of the process is or will be there.
   *
   * @throws IOException if the system refuses it
   */
  public static void lockMemory() throws IOException {
    LOCK_ALL.call(ALL_THAT_IS_TOUCHED);
  }

  /**
   * Changes the directory in which core files and the processes it starts are. Relative names of
   * files have to be made absolute before.
   *
   * @throws IOException if that cannot be
   */
  public static void changeDirectory(Path directory) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      CHANGE_DIRECTORY.call(arena.allocateFrom(directory.toString()));
    }
  }

  /**
   * Ends this process at once by SIGABRT. The kernel writes a core file as far as the hard limit
   * and the machine's core pattern have it.
   *
   * @param directories it is written in the first of them that can be written, for what the pattern
   *     does not say; in the working directory if there is none
   */
  public static void abort(List<Path> directories) {
    for (Path directory : directories) {
      if (Files.isDirectory(directory) && Files.isWritable(directory)) {
        attempt(() -> changeDirectory(directory));
        break;
      }
    }
    // A process that has given up root leaves none otherwise.
    attempt(() -> PROCESS_CONTROL.call(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L));
    attempt(DaemonProcess::raiseCoreLimit);
    try {
      CLibrary.function("abort", FunctionDescriptor.ofVoid()).invokeExact();
    } catch (Throwable e) {
      throw CLibrary.unexpected("abort", e);
    }
  }

  private static void raiseCoreLimit() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limits = arena.allocate(JAVA_LONG, 2);
      GET_LIMIT.call(RLIMIT_CORE, limits);
      limits.setAtIndex(JAVA_LONG, 0, limits.getAtIndex(JAVA_LONG, 1));
      SET_LIMIT.call(RLIMIT_CORE, limits);
    }
  }

  /** Something without which the process is aborted all the same. */
  private interface Preparation {
    void run() throws IOException;
  }

  private static void attempt(Preparation preparation) {
    try {
      preparation.run();
    } catch (IOException e) {
      // The core file is elsewhere, or there is none.
    }
  }
}
