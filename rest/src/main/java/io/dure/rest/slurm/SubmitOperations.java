package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.submission.DescribedSubmission;
import io.dure.surface.submission.SubmissionException;
import io.dure.surface.submission.SubmissionReader;
import io.dure.surface.submission.SubmittingClient;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Submits jobs. */
final class SubmitOperations {
  private static final String SUBMIT = "slurm_submit_batch_job";

  private SubmitOperations() {}

  static Map<String, RestOperation> all() {
    return Map.of("POST /slurm/{version}/job/submit", SubmitOperations::submit);
  }

  private static void submit(RestCall call) throws RestFailure, IOException, InterruptedException {
    DescribedSubmission asked = described(call);
    checkClusters(call, asked);
    Response told = call.session().ask(new Request.Change(asked.command(), asked.runAs()));
    List<String> messages = List.of();
    if (told instanceof Response.Advised(Response answer, List<String> said)) {
      told = answer;
      messages = said;
    }
    if (!(told instanceof Response.Decided(Reply.Submitted(int jobId)))) {
      throw RestCall.failure(told, SUBMIT);
    }
    try (SlurmJsonWriter json = SlurmJsonWriter.of(call.target(), "openapi_job_submit_response")) {
      json.object()
          .number("job_id", jobId)
          .text("step_id", "batch")
          .text("job_submit_user_msg", String.join("\n", messages));
      JsonEnvelope.end(json, "", List.of(), asked.warnings());
    }
  }

  private static DescribedSubmission described(RestCall call) throws RestFailure {
    UserIdentity user = call.session().caller().identity();
    SubmittingClient client =
        new SubmittingClient(
            user.userName(), user.uid(), user.gid(), user.groupName(), call.request().host());
    try {
      return new SubmissionReader(call.clock(), client).read(call.document());
    } catch (SubmissionException e) {
      throw new RestFailure(RestCall.UNPROCESSABLE, e.problem());
    }
  }

  /** There are no other clusters for a job to go to. */
  private static void checkClusters(RestCall call, DescribedSubmission asked)
      throws RestFailure, IOException, InterruptedException {
    String clusters = asked.clusters();
    if (clusters == null) {
      return;
    }
    String own = call.cluster(SUBMIT).clusterName();
    for (String name : KeywordParser.list(clusters)) {
      if (name.equalsIgnoreCase("all") || name.equalsIgnoreCase(own)) {
        return;
      }
    }
    throw RestCall.failure(
        ErrorCode.UNSPECIFIED, "No cluster '" + clusters + "' known by database.", SUBMIT);
  }
}
