package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.message.ErrorTexts;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.value.JobReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts jobs back in the queue. */
final class RequeueOperations {
  private static final String REQUEUE = "slurm_requeue2";

  private RequeueOperations() {}

  static Map<String, RestOperation> all() {
    return Map.of("GET /slurm/{version}/job/{job_id}/requeue", RequeueOperations::one);
  }

  private static boolean isOn(@Nullable String value) {
    return value != null && !value.isEmpty() && !value.equalsIgnoreCase("false");
  }

  private static void one(RestCall call) throws RestFailure, IOException, InterruptedException {
    List<String> flags = new ArrayList<>();
    for (String flag : List.of("Hold", "Incomplete", "SpecialExit")) {
      if (isOn(call.query(flag))) {
        flags.add(flag);
      }
    }
    KillOutcome outcome = requeue(call, call.path("job_id"), flags);
    List<DocumentProblem> errors = errors(outcome);
    if (!errors.isEmpty()) {
      call.failed();
    }
    try (SlurmJsonWriter json = SlurmJsonWriter.of(call.target(), "openapi_job_requeue_resp")) {
      json.object().list("status");
      write(json, outcome);
      json.endList();
      JsonEnvelope.end(json, "", errors, call.document().warnings());
    }
  }

  private static KillOutcome requeue(RestCall call, String text, List<String> flags)
      throws RestFailure, IOException, InterruptedException {
    JobReference job = RestJobWord.parse(text);
    if (job == null || job.step() != null) {
      throw RestCall.failure(
          ErrorCode.INVALID_JOB_ID, "Failed to parse JobId " + text, "parse_job_id");
    }
    boolean special = flags.contains("SpecialExit");
    Command.RequeueJob command =
        new Command.RequeueJob(
            job.selector(),
            special || flags.contains("Hold"),
            special,
            flags.contains("Incomplete"));
    Response told = call.session().ask(new Request.Change(command, null));
    if (told instanceof Response.Failed) {
      throw RestCall.failure(told, REQUEUE);
    }
    Reply.Refused refused = ResponseCheck.refusal(told);
    return new KillOutcome(text, job.jobId(), refused == null ? null : refused.code());
  }

  private static List<DocumentProblem> errors(KillOutcome one) {
    return one.code() == null
        ? List.of()
        : List.of(
            new DocumentProblem(
                "unable to requeue JobId=" + one.text() + ": " + one.code().text(),
                one.code(),
                REQUEUE));
  }

  private static void write(SlurmJsonWriter json, KillOutcome one) {
    ErrorCode code = one.code();
    json.object()
        .number("job_id", one.jobId())
        .text("step_id", one.text())
        .text("error", code == null ? ErrorTexts.of(0) : code.text())
        .number("error_code", code == null ? 0 : code.number())
        .text("why", "")
        .endObject();
  }
}
