package io.dure.host.script;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Which process an administrator's program runs in, noted in a file, so that a later daemon does
 * not run the program beside itself.
 *
 * @param file the note; it exists while the program runs
 */
public record ScriptProcessFile(Path file) {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(10);

  /**
   * Ends the program that an earlier daemon has left running, with its children, and waits for its
   * end.
   */
  void endLeftover() throws InterruptedException {
    try {
      String[] words =
          Files.exists(file) ? Files.readString(file).strip().split(" ", 2) : new String[0];
      if (words.length == 2) {
        end(Integer.parseInt(words[0]), Long.parseLong(words[1]));
      }
      clear();
    } catch (IOException | NumberFormatException e) {
      // An unreadable file names no process: at worst the program runs twice.
      return;
    }
  }

  /** No process of another parent can be waited for, only looked at again. */
  private static void end(int pid, long startTicks) throws InterruptedException {
    ProcFs proc = ProcFs.ofThisMachine();
    if (proc.isAlive(pid, startTicks)) {
      ProcessHandle.of(pid).ifPresent(ScriptProcessFile::kill);
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (proc.isAlive(pid, startTicks) && System.nanoTime() < deadline) {
      Thread.sleep(PAUSE);
    }
  }

  /** Kills a process with all its descendants. */
  public static void kill(ProcessHandle process) {
    // Children first: those of a process that is gone are not found any more.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  void note(Process process) {
    int pid = (int) process.pid();
    ProcessStat stat = ProcFs.ofThisMachine().stat(pid);
    if (stat != null) {
      try {
        Files.writeString(file, pid + " " + stat.startTicks() + "\n");
      } catch (IOException e) {
        // A full disk is no reason not to run a prolog.
        return;
      }
    }
  }

  void clear() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A note left over names a process that is gone.
      return;
    }
  }
}
