package io.dure.node;

import io.dure.host.log.DaemonLog;
import io.dure.host.process.DaemonProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the daemon's process is to be.
 *
 * @param nice its priority, null for the one it has
 * @param lockMemory whether its pages stay in memory
 * @param changeDirectory whether it moves to where its log is, for the sake of core files
 * @param systemd whether it tells a service manager that it serves
 */
record ProcessOptions(
    @Nullable Integer nice, boolean lockMemory, boolean changeDirectory, boolean systemd) {
  /** Makes the process so; as in Slurm the daemon serves also where that fails. */
  void apply(Path directory, DaemonLog log) {
    if (nice != null) {
      attempt("-n " + nice, () -> DaemonProcess.setNice(nice), log);
    }
    if (lockMemory) {
      attempt("-M", DaemonProcess::lockMemory, log);
    }
    if (changeDirectory) {
      attempt("-s", () -> DaemonProcess.changeDirectory(Files.createDirectories(directory)), log);
    }
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static void attempt(String option, Attempt attempt, DaemonLog log) {
    try {
      attempt.run();
    } catch (IOException e) {
      log.error("slurmd goes on without " + option + ": " + e.getMessage());
    }
  }
}
