package io.dure.cli.forecast;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.StartForecastInfo;
import java.time.Instant;

/** What is known of a job's start. */
sealed interface JobStartStatus {
  /** Its number, or the array's with its tasks. */
  String id();

  /** What is known of it. */
  JobInfo info();

  /** It is expected to start. */
  record Expected(String id, JobInfo info, StartForecastInfo forecast) implements JobStartStatus {}

  /** It waits, and nothing can be said; {@code phrase} names why, by what the job waits for. */
  record Unknown(String id, JobInfo info, String phrase, String reason) implements JobStartStatus {}

  /** It has started. */
  record Started(String id, JobInfo info, Instant at) implements JobStartStatus {}

  /** It is over. */
  record Over(String id, JobInfo info) implements JobStartStatus {}

  /** What can be said. */
  static JobStartStatus of(JobInfo info) {
    Job job = info.job();
    String id = id(job);
    return switch (job.state()) {
      case JobState.Pending pending -> waiting(info, id, pending);
      case JobState.Running running -> new Started(id, info, running.start());
      case JobState.Suspended suspended -> new Started(id, info, suspended.run().start());
      case JobState.Completing _, JobState.Ended _ -> new Over(id, info);
    };
  }

  private static JobStartStatus waiting(JobInfo info, String id, JobState.Pending pending) {
    String reason = info.reason();
    if (pending.hold() != Hold.NONE) {
      boolean own = pending.hold() == Hold.USER;
      return new Unknown(id, info, own ? "held-user" : "held-admin", reason);
    }
    if (pending.dependencyFailed()) {
      return new Unknown(id, info, "never", reason);
    }
    StartForecastInfo forecast = info.forecast();
    return forecast == null
        ? new Unknown(id, info, "not-yet", reason)
        : new Expected(id, info, forecast);
  }

  private static String id(Job job) {
    return switch (job.array()) {
      case ArrayPart.Task task -> task.arrayJobId() + "_" + task.index();
      case ArrayPart.Waiting waiting ->
          waiting.arrayJobId() + "_[" + waiting.waiting().text() + "]";
      case null -> job.displayId();
    };
  }
}
