package io.dure.node.launch;

import java.util.Locale;

/** Where on its way a step's start failed; the shepherd writes the names in lower case. */
public enum LaunchStage {
  /** The shepherd itself did not get as far as forking: the node's fault. */
  SHEPHERD,
  /** The launch file was not understood: two releases mixed. */
  LAUNCH,
  /** A control group could not be joined. */
  CGROUP,
  /** A resource limit or priority could not be set. */
  LIMITS,
  /** The user's rights could not be taken. */
  IDENTITY,
  /** Neither the working directory nor /tmp could be entered. */
  CHDIR,
  /** The file for standard input could not be opened by the user. */
  STDIN,
  /** The file for standard output could not be opened by the user. */
  STDOUT,
  /** The file for standard error could not be opened by the user. */
  STDERR,
  /** The script could not be executed: no or a bad interpreter. */
  EXEC,
  /** What serves the MPI processes of the step could not begin. */
  MPI,
  /** The step was ended before all of its tasks had begun. */
  CANCELLED;

  static LaunchStage named(String name) {
    for (LaunchStage stage : values()) {
      if (stage.name().toLowerCase(Locale.ROOT).equals(name)) {
        return stage;
      }
    }
    return SHEPHERD;
  }

  /** Whether the job's own request is at fault, so that another node would fare no better. */
  public boolean isUsersFault() {
    return switch (this) {
      case STDIN, STDOUT, STDERR, EXEC, CANCELLED -> true;
      case SHEPHERD, LAUNCH, CGROUP, LIMITS, IDENTITY, CHDIR, MPI -> false;
    };
  }
}
