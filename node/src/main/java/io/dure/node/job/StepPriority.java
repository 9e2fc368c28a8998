package io.dure.node.job;

import io.dure.model.config.step.StepSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nice value with which a step begins. */
final class StepPriority {
  private static final int NICE_FIELD = 16;
  private static final int MOST = 19;

  private StepPriority() {}

  /**
   * The nice value, null to leave it as the daemon's.
   *
   * @param submitted the variables that came with the job
   */
  static @Nullable Integer of(StepSettings.Priority priority, Map<String, String> submitted) {
    return of(
        priority, asked(submitted), priority == StepSettings.Priority.ABOVE_DAEMON ? own() : 0);
  }

  /** The same for a daemon of that nice value. */
  static @Nullable Integer of(StepSettings.Priority priority, int asked, int daemon) {
    return switch (priority) {
      case OF_DAEMON -> null;
      case OF_SUBMITTER -> asked;
      case ABOVE_DAEMON -> Math.min(MOST, Math.max(asked, daemon + 1));
    };
  }

  private static int asked(Map<String, String> submitted) {
    try {
      int asked = Integer.parseInt(submitted.getOrDefault("SLURM_PRIO_PROCESS", "0"));
      return Math.clamp(asked, 0, MOST);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** That of this process. */
  private static int own() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Integer.parseInt(fields[NICE_FIELD]);
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
