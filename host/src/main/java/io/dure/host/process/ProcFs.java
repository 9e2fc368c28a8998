package io.dure.host.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's account of processes and of the machine, from {@code /proc} (proc(5)). Any thread
 * may call; every call reads anew.
 */
public final class ProcFs {
  private final Path root;

  /** Reads below {@code root}, which is {@code /proc} except in tests. */
  public ProcFs(Path root) {
    this.root = root;
  }

  /** The running kernel's. */
  public static ProcFs ofThisMachine() {
    return new ProcFs(Path.of("/proc"));
  }

  /** What is known of a process; null if there is none of that number. */
  public @Nullable ProcessStat stat(int pid) {
    try {
      return ProcessStat.parse(read(pid + "/stat"));
    } catch (IOException e) {
      // A process may end between any two looks: then there is none.
      return null;
    }
  }

  /** Whether a process of that number exists and is no zombie. */
  public boolean isAlive(int pid) {
    ProcessStat stat = stat(pid);
    return stat != null && stat.isAlive();
  }

  /**
   * Whether the very process that was seen before still lives, and not another that got its number.
   *
   * @param startTicks the former {@link ProcessStat#startTicks}
   */
  public boolean isAlive(int pid, long startTicks) {
    ProcessStat stat = stat(pid);
    return stat != null && stat.isAlive() && stat.startTicks() == startTicks;
  }

  /** All processes at this moment, by rising number; zombies too. */
  public List<ProcessStat> processes() throws IOException {
    TreeMap<Integer, ProcessStat> found = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, "[1-9]*")) {
      for (Path entry : entries) {
        ProcessStat stat = stat(pidOf(entry));
        if (stat != null) {
          found.put(stat.pid(), stat);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return List.copyOf(found.values());
  }

  private static int pidOf(Path entry) {
    try {
      return Integer.parseInt(entry.getFileName().toString());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Children of a process, their children and so on, parents before children, without the process
   * itself. One whose parent has ended belongs to process 1 and is not found this way.
   */
  public List<Integer> descendants(int pid) throws IOException {
    return descendants(pid, processes());
  }

  /** Likewise, among these processes of the machine. */
  public static List<Integer> descendants(int pid, List<ProcessStat> all) {
    Map<Integer, List<Integer>> children = new TreeMap<>();
    for (ProcessStat stat : all) {
      children.computeIfAbsent(stat.parent(), _ -> new ArrayList<>()).add(stat.pid());
    }
    Set<Integer> found = new LinkedHashSet<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(pid));
    while (!open.isEmpty()) {
      for (int child : children.getOrDefault(open.remove(), List.of())) {
        if (child != pid && found.add(child)) {
          open.add(child);
        }
      }
    }
    return List.copyOf(found);
  }

  /** Random text that changes with each boot of the machine. */
  public String bootId() throws IOException {
    return read("sys/kernel/random/boot_id").strip();
  }

  /** When the machine was booted, to the second; it moves when the clock is set. */
  public Instant bootTime() throws IOException {
    for (String line : read("stat").lines().toList()) {
      if (line.startsWith("btime ")) {
        return Instant.ofEpochSecond(Long.parseLong(line.substring("btime ".length()).strip()));
      }
    }
    throw new IOException(root.resolve("stat") + " has no line btime");
  }

  /** How long the machine has been up. */
  public Duration uptime() throws IOException {
    return Duration.ofMillis((long) (Double.parseDouble(firstWord(read("uptime"))) * 1000));
  }

  /** The machine's memory at this moment. */
  public MemoryInfo memory() throws IOException {
    String text = read("meminfo");
    long free = kib(text, "MemFree:");
    long available = kib(text, "MemAvailable:");
    return new MemoryInfo(
        kib(text, "MemTotal:") / 1024, free / 1024, (available < 0 ? free : available) / 1024);
  }

  private static long kib(String text, String field) {
    int at = text.indexOf(field);
    if (at < 0) {
      return -1;
    }
    int end = text.indexOf('\n', at);
    return Long.parseLong(
        firstWord(text.substring(at + field.length(), end < 0 ? text.length() : end).strip()));
  }

  /** Name of the operating system, its release and its version, as {@code uname -srv} prints. */
  public String operatingSystem() throws IOException {
    return read("sys/kernel/ostype").strip()
        + " "
        + read("sys/kernel/osrelease").strip()
        + " "
        + read("sys/kernel/version").strip();
  }

  /** Name of this host up to its first dot. */
  public String shortHostName() throws IOException {
    String name = read("sys/kernel/hostname").strip();
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** A file below the root, as text; at most the few KiB that such files have. */
  String read(String file) throws IOException {
    return new String(Files.readAllBytes(root.resolve(file)), StandardCharsets.ISO_8859_1);
  }

  /** Where a file below the root lies. */
  Path path(String file) {
    return root.resolve(file);
  }

  private static String firstWord(String text) {
    int blank = text.indexOf(' ');
    return (blank < 0 ? text : text.substring(0, blank)).strip();
  }
}
