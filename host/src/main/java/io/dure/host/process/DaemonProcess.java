package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * How this process lies in its system: priority, memory, working directory. Any thread may call.
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
}
