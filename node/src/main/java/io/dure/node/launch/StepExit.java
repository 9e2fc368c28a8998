package io.dure.node.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** How a step ended. By then no process of it is left, except those that {@link Lost} counts. */
public sealed interface StepExit {
  /**
   * The signal number that stands in Slurm's records for an output file that could not be opened.
   */
  int IO_FAILURE_SIGNAL = 53;

  /** The reason of a {@link Lost} step that no shepherd had begun. */
  String NEVER_STARTED = "never started";

  /**
   * The script ended by itself.
   *
   * @param code 0 to 255
   */
  record Exited(int code, StepUsage usage) implements StepExit {}

  /** The script was ended by a signal. */
  record Signalled(int signal, boolean coreDumped, StepUsage usage) implements StepExit {}

  /**
   * The script never ran.
   *
   * @param errno the system's error number, 0 when there was none
   * @param text the reason in a sentence for the log and the user
   */
  record LaunchFailed(LaunchStage stage, int errno, String text) implements StepExit {}

  /**
   * How the script ended is unknown: the shepherd was killed, or the machine was restarted under
   * it.
   *
   * @param survivors processes of the step that could not be killed within the time allowed
   */
  record Lost(String reason, int survivors) implements StepExit {
    /**
     * False when it is certain that the script never began, so that it may be started elsewhere
     * without harm.
     */
    public boolean mayHaveRun() {
      return !reason.equals(NEVER_STARTED);
    }
  }

  /** What it used, null where that is not known. */
  default @Nullable StepUsage used() {
    return switch (this) {
      case Exited(_, StepUsage usage) -> usage;
      case Signalled(_, _, StepUsage usage) -> usage;
      case LaunchFailed _, Lost _ -> null;
    };
  }

  /** What Slurm prints as ExitCode: the exit code, a colon, the signal. */
  default String exitCode() {
    return switch (this) {
      case Exited(int code, _) -> code + ":0";
      case Signalled(int signal, _, _) -> "0:" + signal;
      case LaunchFailed(LaunchStage stage, int errno, _) ->
          switch (stage) {
            case STDIN, STDOUT, STDERR -> "0:" + IO_FAILURE_SIGNAL;
            case EXEC -> errno + ":0";
            case SHEPHERD, LAUNCH, CGROUP, LIMITS, IDENTITY, CHDIR, MPI, CANCELLED -> "1:0";
          };
      case Lost _ -> "0:0";
    };
  }

  /** Reads the shepherd's exit record; null when there is none. */
  static @Nullable StepExit read(Path file) throws IOException {
    SequencedMap<String, String> map = KeyValueFile.readMap(file);
    if (map == null) {
      return null;
    }
    String failed = map.get("failed");
    if (failed != null) {
      return new LaunchFailed(
          LaunchStage.named(failed),
          (int) KeyValueFile.number(map, "errno"),
          map.getOrDefault("text", ""));
    }
    StepUsage usage =
        new StepUsage(
            Instant.EPOCH.plusNanos(KeyValueFile.number(map, "started_ns")),
            Instant.EPOCH.plusNanos(KeyValueFile.number(map, "ended_ns")),
            StepUsage.micros(KeyValueFile.number(map, "user_us")),
            StepUsage.micros(KeyValueFile.number(map, "system_us")),
            KeyValueFile.number(map, "maxrss_kib"),
            StepUsage.tasks(KeyValueFile.read(file)));
    int signal = (int) KeyValueFile.number(map, "signal");
    return signal == 0
        ? new Exited((int) KeyValueFile.number(map, "code"), usage)
        : new Signalled(signal, KeyValueFile.number(map, "core") != 0, usage);
  }
}
