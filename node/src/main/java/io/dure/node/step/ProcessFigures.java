package io.dure.node.step;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What processes have used, by the kernel's account; those that end while they are looked at count
 * nothing. Any thread.
 *
 * @param cpuMicros processor time of them and of their children that have ended, microseconds
 * @param rssBytes memory that they have now, or the most that one of them had, bytes
 * @param vmBytes their address spaces, likewise
 * @param pages page faults that needed a disk
 * @param readBytes bytes that they read, from disks or not
 * @param writtenBytes bytes that they wrote
 * @param megahertz the mean clock of the processors that they ran on last, 0 where that is not
 *     known
 */
public record ProcessFigures(
    long cpuMicros,
    long rssBytes,
    long vmBytes,
    long pages,
    long readBytes,
    long writtenBytes,
    long megahertz) {
  private static final Path PROC = Path.of("/proc");

  /** USER_HZ, which is 100 on every machine that Linux calls x86 or ARM. */
  private static final long TICK_MICROS = 10_000;

  // Of the fields of stat(5), counted from the state, the third.
  private static final int MAJOR_FAULTS = 9;
  private static final int CHILDREN_MAJOR_FAULTS = 10;
  private static final int FIRST_TIME = 11;
  private static final int LAST_TIME = 14;
  private static final int PROCESSOR = 36;

  /**
   * Which processes belong to which task.
   *
   * @param byTask all of a task, itself first, by its pid
   * @param others those of no task
   */
  public record Division(Map<Integer, List<Integer>> byTask, List<Integer> others) {
    /** The processes of a task, none if it has ended. */
    public List<Integer> of(int task) {
      return byTask.getOrDefault(task, List.of());
    }
  }

  /**
   * Divides processes by the tasks that they descend from, or whose sessions or groups they are in.
   */
  public static Division divide(List<Integer> pids, List<Integer> tasks) throws IOException {
    Map<Integer, ProcessStat> all = new TreeMap<>();
    for (ProcessStat process : ProcFs.ofThisMachine().processes()) {
      all.put(process.pid(), process);
    }
    Map<Integer, List<Integer>> byTask = new LinkedHashMap<>();
    for (int task : tasks) {
      if (pids.contains(task)) {
        byTask.put(task, new ArrayList<>(List.of(task)));
      }
    }
    List<Integer> others = new ArrayList<>();
    for (int pid : pids) {
      if (!tasks.contains(pid)) {
        byTask.getOrDefault(taskOf(pid, tasks, all), others).add(pid);
      }
    }
    return new Division(byTask, others);
  }

  private static int taskOf(int pid, List<Integer> tasks, Map<Integer, ProcessStat> all) {
    ProcessStat process = all.get(pid);
    for (ProcessStat above = process; above != null; above = all.get(above.parent())) {
      if (tasks.contains(above.pid())) {
        return above.pid();
      }
    }
    // An orphan is the shepherd's child; its task may have ended.
    return process == null
        ? 0
        : tasks.contains(process.session()) ? process.session() : process.processGroup();
  }

  /** The clock of each processor in MHz, by the kernel's word; empty where it does not say. */
  public static Map<Integer, Long> clocks() {
    Map<Integer, Long> clocks = new TreeMap<>();
    int processor = -1;
    for (String line : text("cpuinfo").split("\n", -1)) {
      String value = line.substring(line.indexOf(':') + 1).strip();
      if (line.startsWith("processor")) {
        processor = Integer.parseInt(value);
      } else if (line.startsWith("cpu MHz")) {
        clocks.put(processor, Math.round(Double.parseDouble(value)));
      }
    }
    return clocks;
  }

  /**
   * All of them together.
   *
   * @param clocks of the processors
   */
  public static ProcessFigures of(List<Integer> pids, Map<Integer, Long> clocks) {
    long micros = 0;
    long pages = 0;
    long memory = 0;
    long mostMemory = 0;
    long space = 0;
    long mostSpace = 0;
    long read = 0;
    long written = 0;
    long megahertz = 0;
    for (int pid : pids) {
      String[] stat = stat(pid);
      if (stat.length > LAST_TIME) {
        for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
          micros += Long.parseLong(stat[i]) * TICK_MICROS;
        }
        int processor = stat.length > PROCESSOR ? Integer.parseInt(stat[PROCESSOR]) : -1;
        megahertz += clocks.getOrDefault(processor, 0L);
        pages += Long.parseLong(stat[MAJOR_FAULTS]) + Long.parseLong(stat[CHILDREN_MAJOR_FAULTS]);
      }
      Map<String, Long> status = numbers(pid, "status");
      memory += status.getOrDefault("VmRSS", 0L) << 10;
      space += status.getOrDefault("VmSize", 0L) << 10;
      mostMemory = Math.max(mostMemory, status.getOrDefault("VmHWM", 0L) << 10);
      mostSpace = Math.max(mostSpace, status.getOrDefault("VmPeak", 0L) << 10);
      Map<String, Long> io = numbers(pid, "io");
      read += io.getOrDefault("rchar", 0L);
      written += io.getOrDefault("wchar", 0L);
    }
    return new ProcessFigures(
        micros,
        Math.max(memory, mostMemory),
        Math.max(space, mostSpace),
        pages,
        read,
        written,
        pids.isEmpty() ? 0 : megahertz / pids.size());
  }

  private static String[] stat(int pid) {
    String text = text(pid + "/stat");
    return text.substring(Math.max(0, text.lastIndexOf(')') + 1)).strip().split(" ");
  }

  /** Lines of a name, a colon and a number. */
  private static Map<String, Long> numbers(int pid, String file) {
    Map<String, Long> found = new TreeMap<>();
    for (String line : text(pid + "/" + file).split("\n", -1)) {
      int colon = line.indexOf(':');
      String word = colon < 0 ? "" : line.substring(colon + 1).strip().split("\\s", 2)[0];
      if (!word.isEmpty() && word.chars().allMatch(Character::isDigit) && word.length() < 19) {
        found.put(line.substring(0, colon), Long.parseLong(word));
      }
    }
    return found;
  }

  private static String text(String file) {
    try {
      return Files.readString(PROC.resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // It has ended, or is not this daemon's to look at.
      return "";
    }
  }
}
