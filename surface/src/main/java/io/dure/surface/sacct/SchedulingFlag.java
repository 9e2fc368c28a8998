package io.dure.surface.sacct;

import io.dure.model.job.Allocation;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a job came to start, as its flags say. */
public enum SchedulingFlag {
  /** While it was submitted, which no job does here: a pass of the scheduler starts all. */
  SUBMIT("SchedSubmit", "STARTED_ON_SUBMIT"),
  /** In the order of the queue. */
  MAIN("SchedMain", "STARTED_ON_SCHEDULE"),
  /** Ahead of a job that waited for the same nodes. */
  BACKFILL("SchedBackfill", "STARTED_ON_BACKFILL"),
  /** Its submission is recorded. */
  RECEIVED("StartReceived", "START_RECEIVED");

  private final String word;
  private final String member;

  SchedulingFlag(String word, String member) {
    this.word = word;
    this.member = member;
  }

  /** What documents call it. */
  String member() {
    return member;
  }

  /** The flag that a word means, in any case; null for none. */
  public static @Nullable SchedulingFlag find(String word) {
    for (SchedulingFlag one : values()) {
      if (one.word.equalsIgnoreCase(word)) {
        return one;
      }
    }
    return null;
  }

  /** The words for all of them. */
  public static String words() {
    return words(List.of(values()));
  }

  /** The words for those of a job. */
  static String words(JobDetails job) {
    return words(of(job));
  }

  private static String words(List<SchedulingFlag> flags) {
    return flags.stream().map(flag -> flag.word).collect(Collectors.joining(","));
  }

  /** Those of a job. */
  static List<SchedulingFlag> of(JobDetails job) {
    List<SchedulingFlag> flags = new ArrayList<>();
    Allocation held = job.allocation();
    if (held != null && job.base() != SlurmJobState.PENDING) {
      flags.add(Boolean.TRUE.equals(held.overtook()) ? BACKFILL : MAIN);
    }
    flags.add(RECEIVED);
    return flags;
  }
}
