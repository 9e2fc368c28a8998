package io.dure.surface.json;

import io.dure.protocol.Response;
import io.dure.surface.facts.JobDetails;
import java.time.Instant;
import java.util.List;

/** A document of jobs. */
public final class JobListJson {

  private JobListJson() {}

  /**
   * Writes jobs.
   *
   * @param cluster its name and its nodes
   * @param now the controller's time
   */
  public static void print(
      JsonTarget target, Response.Cluster cluster, List<JobDetails> jobs, Instant now) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_job_info_resp")) {
      json.object().list("jobs");
      JobJson writer = new JobJson(json, cluster);
      for (JobDetails job : jobs) {
        writer.write(job);
      }
      json.endList().time("last_backfill", lastBackfill(jobs)).time("last_update", now);
      JsonEnvelope.end(json, cluster.clusterName());
    }
  }

  /** The newest look at a job that waits, as far as these jobs tell. */
  private static Instant lastBackfill(List<JobDetails> jobs) {
    Instant last = Instant.EPOCH;
    for (JobDetails job : jobs) {
      Instant looked = job.info().lastEvaluated();
      if (looked != null && looked.isAfter(last)) {
        last = looked;
      }
    }
    return last;
  }
}
