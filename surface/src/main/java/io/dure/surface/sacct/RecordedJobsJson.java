package io.dure.surface.sacct;

import io.dure.model.job.Job;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A document of recorded jobs with their steps. */
public final class RecordedJobsJson {
  private RecordedJobsJson() {}

  /**
   * Jobs of a cluster.
   *
   * @param filter which rows of each job; of a job that has some of the rows it is written with the
   *     steps among them
   * @param scripts the script of a job, null where it is not kept or not asked for
   */
  public record ClusterJobs(
      List<RecordedJob> jobs,
      SacctStyle style,
      SacctListing.RowFilter filter,
      Function<Job, @Nullable String> scripts) {}

  /** Writes jobs of one cluster. */
  public static void print(
      JsonTarget target,
      List<RecordedJob> jobs,
      SacctStyle style,
      SacctListing.RowFilter filter,
      Function<Job, @Nullable String> scripts) {
    print(target, List.of(new ClusterJobs(jobs, style, filter, scripts)));
  }

  /**
   * Writes jobs.
   *
   * @param clusters those of each cluster, of one at least
   */
  public static void print(JsonTarget target, List<ClusterJobs> clusters) {
    TresNumbers numbers = TresNumbers.USUAL;
    for (ClusterJobs one : clusters) {
      numbers = numbers.and(one.style().tres());
    }
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_slurmdbd_jobs_resp")) {
      json.object().list("jobs");
      for (ClusterJobs one : clusters) {
        write(json, one, numbers);
      }
      json.endList();
      JsonEnvelope.end(json, clusters.getFirst().style().cluster());
    }
  }

  private static void write(SlurmJsonWriter json, ClusterJobs of, TresNumbers numbers) {
    for (RecordedJob job : of.jobs()) {
      List<SacctRow> rows = SacctRow.of(job, of.style());
      List<SacctRow> listed =
          rows.stream().filter(row -> of.filter().lists(job.job(), row.stepName())).toList();
      if (!listed.isEmpty()) {
        List<SacctRow> steps = listed.stream().filter(row -> row.step() != null).toList();
        String script = of.scripts().apply(job.job());
        RecordedJobJson.write(json, rows.getFirst(), steps, numbers, script);
      }
    }
  }
}
