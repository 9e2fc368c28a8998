package io.dure.node.usage;

import io.dure.host.process.ProcessStat;
import io.dure.model.config.step.StepSettings.Measure;
import io.dure.node.job.StepMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the kernel says of one process now; one that ends while it is looked at has used nothing.
 *
 * @param ownMicros its processor time, microseconds
 * @param childMicros that of its children that have ended and were waited for
 * @param ownFaults its page faults that needed a disk
 * @param childFaults those of these children
 * @param memory bytes of memory that it has
 * @param mostMemory the most that it had, not less than what it has
 * @param space bytes of its address space
 * @param mostSpace the most that this had
 * @param read bytes that it and these children read, from disks or not
 * @param written bytes that they wrote
 * @param processor the one that it ran on last, -1 where that is not known
 */
record ProcessSample(
    int pid,
    long startTicks,
    long ownMicros,
    long childMicros,
    long ownFaults,
    long childFaults,
    long memory,
    long mostMemory,
    long space,
    long mostSpace,
    long read,
    long written,
    int processor) {
  private static final Path PROC = Path.of("/proc");

  /** USER_HZ, which is 100 on every machine that Linux calls x86 or ARM. */
  private static final long TICK_MICROS = 10_000;

  // Of the fields of proc_pid_stat(5), counted from the state, the third.
  private static final int FAULTS = 9;
  private static final int CHILD_FAULTS = 10;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int CHILD_USER = 13;
  private static final int CHILD_SYSTEM = 14;
  private static final int PROCESSOR = 36;

  /** Looks at a process. */
  static ProcessSample of(ProcessStat process, Measure measure) {
    long[] stat = stat(process.pid());
    Map<String, Long> status = numbers(process.pid(), "status");
    Map<String, Long> io = numbers(process.pid(), "io");
    boolean resident = measure == Measure.RESIDENT;
    long memory =
        resident
            ? status.getOrDefault("VmRSS", 0L) << 10
            : StepMemory.bytes(measure, PROC.resolve(Integer.toString(process.pid())));
    long most = resident ? status.getOrDefault("VmHWM", 0L) << 10 : 0;
    long space = status.getOrDefault("VmSize", 0L) << 10;
    return new ProcessSample(
        process.pid(),
        process.startTicks(),
        (stat[USER] + stat[SYSTEM]) * TICK_MICROS,
        (stat[CHILD_USER] + stat[CHILD_SYSTEM]) * TICK_MICROS,
        stat[FAULTS],
        stat[CHILD_FAULTS],
        memory,
        Math.max(memory, most),
        space,
        Math.max(space, status.getOrDefault("VmPeak", 0L) << 10),
        io.getOrDefault("rchar", 0L),
        io.getOrDefault("wchar", 0L),
        (int) stat[PROCESSOR]);
  }

  /** The numbers behind the name; zeros and no processor where there are none. */
  private static long[] stat(int pid) {
    String text = text(pid + "/stat");
    String[] words = text.substring(Math.max(0, text.lastIndexOf(')') + 1)).strip().split(" ", -1);
    long[] fields = new long[PROCESSOR + 1];
    fields[PROCESSOR] = -1;
    for (int i = 1; i < fields.length && i < words.length; i++) {
      fields[i] = isNumber(words[i]) ? Long.parseLong(words[i]) : fields[i];
    }
    return fields;
  }

  /** Lines of a name, a colon and a number. */
  private static Map<String, Long> numbers(int pid, String file) {
    Map<String, Long> found = new TreeMap<>();
    for (String line : text(pid + "/" + file).split("\n", -1)) {
      int colon = line.indexOf(':');
      String word = colon < 0 ? "" : line.substring(colon + 1).strip().split("\\s", 2)[0];
      if (isNumber(word)) {
        found.put(line.substring(0, colon), Long.parseLong(word));
      }
    }
    return found;
  }

  /** Of those that are as large as no count of these is, none. */
  private static boolean isNumber(String word) {
    return !word.isEmpty() && word.length() < 19 && word.chars().allMatch(Character::isDigit);
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
