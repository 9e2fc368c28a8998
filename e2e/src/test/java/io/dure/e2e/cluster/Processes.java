package io.dure.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The machine's processes, as far as they have to do with one cluster. */
public final class Processes {
  private Processes() {}

  /** A process: its id, its name, the words it was started with and its first environment. */
  public record Seen(int pid, String name, String words, String environment) {
    @Override
    public String toString() {
      return pid + " " + name + " " + words.replace('\0', ' ').strip();
    }
  }

  /** All that live and whose words or environment hold the text; those that have ended do not. */
  public static List<Seen> mentioning(String text) {
    return all().stream()
        .filter(seen -> seen.words().contains(text) || seen.environment().contains(text))
        .toList();
  }

  /** Whether a process lives or is still ending: until its last thread is gone it has its locks. */
  public static boolean isAlive(int pid) {
    Path directory = Path.of("/proc", Integer.toString(pid));
    char state = state(directory);
    return state == 'Z' ? hasOtherThreads(directory, pid) : state != 0;
  }

  private static boolean hasOtherThreads(Path directory, int pid) {
    try (Stream<Path> threads = Files.list(directory.resolve("task"))) {
      return threads.anyMatch(thread -> !thread.endsWith(Integer.toString(pid)));
    } catch (IOException | UncheckedIOException e) {
      return false; // the last one is gone
    }
  }

  /** Whether a signal has stopped each of its threads. */
  public static boolean standsStill(int pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Integer.toString(pid), "task"))) {
      return threads.allMatch(thread -> state(thread) == 'T');
    } catch (IOException e) {
      throw new AssertionError("cannot list the threads of " + pid, e);
    }
  }

  /** The letter of a process or thread, 0 if there is none. */
  private static char state(Path directory) {
    String stat = read(directory.resolve("stat"));
    int name = stat.lastIndexOf(") ");
    return name > 0 ? stat.charAt(name + 2) : 0;
  }

  public static String name(int pid) {
    return read(Path.of("/proc", Integer.toString(pid), "comm")).strip();
  }

  /** The name of the file that a process runs, empty for one that is gone. */
  public static String program(int pid) {
    try {
      Path file = Path.of("/proc", Integer.toString(pid), "exe").toRealPath();
      return String.valueOf(file.getFileName());
    } catch (IOException e) {
      return "";
    }
  }

  public static void kill(int pid, String signal) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Integer.toString(pid)).start();
      kill.waitFor();
    } catch (IOException e) {
      throw new AssertionError("cannot run kill", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<Seen> all() {
    try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
      return entries
          .filter(entry -> entry.getFileName().toString().matches("[0-9]+"))
          .map(entry ->
              new Seen(
                  Integer.parseInt(entry.getFileName().toString()),
                  read(entry.resolve("comm")).strip(),
                  read(entry.resolve("cmdline")),
                  read(entry.resolve("environ"))))
          .filter(seen -> seen.pid() != ProcessHandle.current().pid())
          .toList();
    } catch (IOException e) {
      throw new AssertionError("cannot list processes", e);
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
