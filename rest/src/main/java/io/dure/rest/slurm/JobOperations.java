package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.json.JobListJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.squeue.JobIdFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code /slurm} shows of jobs. */
final class JobOperations {
  private static final String LOAD = "slurm_load_jobs";
  private static final String LOAD_ONE = "slurm_load_job";

  private JobOperations() {}

  static Map<String, RestOperation> all() {
    return Map.of(
        "GET /slurm/{version}/jobs/", JobOperations::jobs,
        "GET /slurm/{version}/job/{job_id}", JobOperations::job);
  }

  private static void jobs(RestCall call) throws RestFailure, IOException, InterruptedException {
    Response.Cluster cluster = call.cluster(LOAD);
    Request first = new Request.ListJobs(List.of(), null, true).inParts(JobParts.MOST);
    Response.Jobs part = call.ask(first, Response.Jobs.class, LOAD);
    JobListJson.print(call.target(), cluster, () -> new JobParts(call.session(), part), part.now());
  }

  private static void job(RestCall call) throws RestFailure, IOException, InterruptedException {
    String asked = call.path("job_id");
    List<JobIdFilter> picks = picks(asked);
    Response.Cluster cluster = call.cluster(LOAD_ONE);
    List<Integer> ids = picks.stream().map(JobIdFilter::jobId).distinct().toList();
    Response.Jobs found =
        call.ask(new Request.ListJobs(ids, null, true), Response.Jobs.class, LOAD_ONE);
    List<JobDetails> details = new ArrayList<>();
    for (JobInfo info : found.jobs()) {
      Job part = JobIdFilter.part(picks, info.job());
      if (part != null) {
        details.add(new JobDetails(info.withJob(part), found.now()));
      }
    }
    if (details.isEmpty()) {
      throw RestCall.failure(ErrorCode.INVALID_JOB_ID, "Unable to find JobId=" + asked, LOAD_ONE);
    }
    JobListJson.print(call.target(), cluster, details, found.now());
  }

  private static List<JobIdFilter> picks(String asked) throws RestFailure {
    try {
      return JobIdFilter.parse(asked);
    } catch (CommandException e) {
      throw RestCall.failure(
          ErrorCode.INVALID_JOB_ID, "Failed to parse JobId " + asked, "parse_job_id");
    }
  }
}
