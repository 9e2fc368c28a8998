package io.dure.model.job;

import io.dure.model.gres.License;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the environment of a job tells of its owner, its time and what it holds beside nodes, by
 * names after {@code SLURM_}. All functions are pure.
 */
public final class JobVariables {
  private JobVariables() {}

  /** The variables of a job; what it has none of is left out. */
  public static SequencedMap<String, String> of(Job job) {
    Allocation allocation = allocation(job);
    SequencedMap<String, String> names = new LinkedHashMap<>();
    names.put("JOB_USER", job.owner().userName());
    names.put("JOB_UID", Integer.toUnsignedString(job.owner().uid()));
    names.put("JOB_GROUP", job.owner().groupName());
    names.put("JOB_GID", Integer.toUnsignedString(job.owner().gid()));
    put(names, "JOB_RESERVATION", allocation == null ? null : allocation.reservation());
    put(names, "JOB_LICENSES", licenses(job));
    put(names, "JOB_SLUID", job.sluid());
    if (!(job.state() instanceof JobState.Pending)) {
      put(names, "JOB_START_TIME", start(job).getEpochSecond());
    }
    Instant end = end(job);
    put(names, "JOB_END_TIME", end == null ? null : end.getEpochSecond());
    return names;
  }

  private static void put(SequencedMap<String, String> names, String name, @Nullable Object value) {
    if (value != null) {
      names.put(name, value.toString());
    }
  }

  /** What the job holds, or held while it ends; null before and after. */
  public static @Nullable Allocation allocation(Job job) {
    return job.state() instanceof JobState.Ended ended
        ? ended.allocation()
        : job.state().allocated();
  }

  /** The licenses that it holds, as a list; null for none. */
  public static @Nullable String licenses(Job job) {
    Allocation allocation = allocation(job);
    return allocation == null || allocation.licenses().isEmpty()
        ? null
        : License.text(allocation.licenses());
  }

  /** When it began, or was submitted where it has not. */
  public static Instant start(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start() == null ? ended.end() : ended.start();
      case JobState.Pending _ -> job.submitTime();
    };
  }

  /** When it ends or has ended, null for never and before it begins. */
  public static @Nullable Instant end(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.end();
      case JobState.Suspended suspended -> suspended.run().end();
      case JobState.Completing completing -> completing.end();
      case JobState.Ended ended -> ended.end();
      case JobState.Pending _ -> null;
    };
  }
}
