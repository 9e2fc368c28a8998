package io.dure.rest.metrics;

import org.jspecify.annotations.Nullable;

/** A path below {@code /metrics}, and what is read there. */
enum MetricsPage {
  JOBS("jobs", "jobs by their states, and what they hold"),
  JOBS_USERS_ACCTS("jobs-users-accts", "the same for each user and account"),
  NODES("nodes", "nodes by their states, and what each has"),
  PARTITIONS("partitions", "jobs and nodes of each partition"),
  SCHEDULER("scheduler", "the scheduler's passes, and the controller's load"),
  DURE("dure", "controllers, journal, accounting, forecasts, GPUs and waits; not in Slurm");

  /** The path of the list of all. */
  static final String INDEX = "/metrics";

  private final String word;
  private final String help;

  MetricsPage(String word, String help) {
    this.word = word;
    this.help = help;
  }

  /** The page at a path, null if there is none. */
  static @Nullable MetricsPage at(String path) {
    for (MetricsPage one : values()) {
      if (path.equals(one.path())) {
        return one;
      }
    }
    return null;
  }

  /** Where it is read. */
  String path() {
    return INDEX + "/" + word;
  }

  /** What is read there. */
  String help() {
    return help;
  }
}
