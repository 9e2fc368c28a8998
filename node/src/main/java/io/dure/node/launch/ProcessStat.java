package io.dure.node.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One process as /proc/PID/stat shows it, proc(5).
 *
 * @param pid the process
 * @param parent its parent's pid
 * @param session the pid of the leader of its session
 * @param state the letter; Z and X are dead
 * @param startTicks clock ticks from boot to its start: with the pid, a name that is never used
 *     twice
 */
record ProcessStat(long pid, long parent, long session, char state, long startTicks) {
  private static final Path PROC = Path.of("/proc");

  boolean isAlive() {
    return state != 'Z' && state != 'X';
  }

  boolean isSameAs(ProcessStat other) {
    return pid == other.pid && startTicks == other.startTicks;
  }

  /** The process as it is now; null when there is none of that number. */
  static @Nullable ProcessStat of(long pid) {
    try {
      return parse(Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      return null;
    }
  }

  /** All processes of the machine; those that end meanwhile may be missing. */
  static List<ProcessStat> all() throws IOException {
    List<ProcessStat> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        ProcessStat stat = of(Long.parseLong(entry.getFileName().toString()));
        if (stat != null) {
          found.add(stat);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /** The owner of the process by its real uid; -1 when it is gone. */
  static long realUid(long pid) {
    try {
      for (String line :
          Files.readAllLines(PROC.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
        if (line.startsWith("Uid:")) {
          return Long.parseLong(line.substring(4).strip().split("\\s+", 2)[0]);
        }
      }
    } catch (IOException _) {
      return -1;
    }
    return -1;
  }

  /**
   * The environment with which the process was started; empty when it may not be read or is gone.
   */
  static List<String> environment(long pid) {
    try {
      return EntryFile.read(PROC.resolve(pid + "/environ"));
    } catch (IOException _) {
      return List.of();
    }
  }

  /** The fields after the name, which stands in parentheses and may hold anything. */
  static @Nullable ProcessStat parse(String stat) {
    int name = stat.lastIndexOf(')');
    if (name < 0) {
      return null;
    }
    String[] fields = stat.substring(name + 2).split(" ", -1);
    long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
    return new ProcessStat(
        pid,
        Long.parseLong(fields[1]),
        Long.parseLong(fields[3]),
        fields[0].charAt(0),
        Long.parseLong(fields[19]));
  }
}
