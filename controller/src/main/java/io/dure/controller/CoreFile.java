package io.dure.controller;

import io.dure.host.process.DaemonProcess;
import io.dure.model.config.ClusterSettings;
import java.nio.file.Path;
import java.util.List;

/** Where the core file of an aborted controller goes, as in Slurm. */
final class CoreFile {
  private CoreFile() {}

  /** Ends this process at once. Any thread. */
  static void leave(ClusterSettings.Controller settings, SlurmctldOptions options) {
    String given = options.logFile();
    String log = given == null ? settings.logFile() : given;
    DaemonProcess.abort(
        options.foreground() ? List.of() : directories(log, settings.stateSaveLocation()));
  }

  /** The log's directory, that of the state, and the last resort; the first that can be written. */
  static List<Path> directories(String logFile, String stateDirectory) {
    Path log = Path.of(logFile);
    Path beside = log.isAbsolute() ? log.getParent() : null;
    Path state = Path.of(stateDirectory);
    Path last = Path.of("/var/tmp");
    return beside == null ? List.of(state, last) : List.of(beside, state, last);
  }
}
