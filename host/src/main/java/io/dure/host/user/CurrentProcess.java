package io.dure.host.user;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Numbers of the running process, got cheaply: the first call through the foreign-function API
 * costs a fresh Java process some 45 ms, a look at {@code /proc/self} 2 ms. Any thread may call.
 */
public final class CurrentProcess {
  private static final Path SELF = Path.of("/proc/self");
  private static final String OPEN_FILES = "Max open files";

  private CurrentProcess() {}

  /** The effective user number, as {@code geteuid} gives it: the kernel's owner of /proc/self. */
  public static int effectiveUid() {
    return number("unix:uid");
  }

  /** The effective group number, as {@code getegid} gives it. */
  public static int effectiveGid() {
    return number("unix:gid");
  }

  /** The real user number, as {@code getuid} gives it; differs only in a set-user-id program. */
  public static int realUid() {
    return firstNumberOf("Uid:");
  }

  /** The real group number, as {@code getgid} gives it. */
  public static int realGid() {
    return firstNumberOf("Gid:");
  }

  /** The process number, as {@code getpid} gives it. */
  public static int pid() {
    return Math.toIntExact(ProcessHandle.current().pid());
  }

  /** How many files the process may have open, as {@code RLIMIT_NOFILE} says at the moment. */
  public static long openFilesLimit() {
    try {
      for (String line : Files.readAllLines(SELF.resolve("limits"))) {
        if (line.startsWith(OPEN_FILES)) {
          String soft = line.substring(OPEN_FILES.length()).strip().split(" ", 2)[0];
          return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + SELF, e);
    }
    throw new IllegalStateException("/proc/self/limits has no line " + OPEN_FILES);
  }

  private static int number(String attribute) {
    try {
      // The directory keeps the effective user; files in it turn root's if it is not dumpable.
      return (Integer) Files.getAttribute(SELF, attribute);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + SELF, e);
    }
  }

  private static int firstNumberOf(String field) {
    try {
      for (String line : Files.readAllLines(SELF.resolve("status"))) {
        if (line.startsWith(field)) {
          String rest = line.substring(field.length()).strip();
          int end = rest.indexOf('\t');
          return Integer.parseUnsignedInt(end < 0 ? rest : rest.substring(0, end));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + SELF, e);
    }
    throw new IllegalStateException("/proc/self/status has no line " + field);
  }
}
