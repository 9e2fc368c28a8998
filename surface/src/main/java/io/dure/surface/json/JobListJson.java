package io.dure.surface.json;

import io.dure.protocol.Response;
import io.dure.surface.facts.JobDetails;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A document of jobs. */
public final class JobListJson {

  private JobListJson() {}

  /**
   * Writes jobs.
   *
   * @param cluster its name and its nodes
   * @param jobs gone through once, while they are written
   * @param now the controller's time
   */
  public static void print(
      JsonTarget target, Response.Cluster cluster, Iterable<JobDetails> jobs, Instant now) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_job_info_resp")) {
      json.object().list("jobs");
      JobJson writer = new JobJson(json, cluster);
      Instant lastBackfill = Instant.EPOCH;
      for (JobDetails job : jobs) {
        writer.write(job);
        lastBackfill = later(lastBackfill, job.info().lastEvaluated());
      }
      json.endList().time("last_backfill", lastBackfill).time("last_update", now);
      JsonEnvelope.end(json, cluster.clusterName());
    }
  }

  /** The newest look at a job that waits, as far as these jobs tell. */
  private static Instant later(Instant last, @Nullable Instant looked) {
    return looked != null && looked.isAfter(last) ? looked : last;
  }
}
