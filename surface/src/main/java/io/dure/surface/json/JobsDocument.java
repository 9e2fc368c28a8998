package io.dure.surface.json;

import io.dure.surface.facts.JobFacts;
import java.time.Instant;
import java.util.List;

/** A document of jobs. */
public final class JobsDocument {

  private JobsDocument() {}

  /**
   * Writes jobs.
   *
   * @param cluster the cluster's name
   * @param now the controller's time
   */
  public static void print(JsonTarget target, String cluster, List<JobFacts> jobs, Instant now) {
    try (JsonText json = JsonText.of(target)) {
      json.object().list("jobs");
      JobJson writer = new JobJson(json, cluster);
      for (JobFacts job : jobs) {
        writer.write(job);
      }
      json.endList().time("last_backfill", lastBackfill(jobs)).time("last_update", now);
      Envelope.end(json, cluster);
    }
  }

  /** The newest look at a job that waits, as far as these jobs tell. */
  private static Instant lastBackfill(List<JobFacts> jobs) {
    Instant last = Instant.EPOCH;
    for (JobFacts job : jobs) {
      Instant looked = job.info().lastEvaluated();
      if (looked != null && looked.isAfter(last)) {
        last = looked;
      }
    }
    return last;
  }
}
