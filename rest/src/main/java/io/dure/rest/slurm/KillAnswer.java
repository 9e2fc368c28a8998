package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.rest.RestCall;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.kill.KillManner;
import io.dure.surface.message.ErrorTexts;
import java.util.ArrayList;
import java.util.List;

/** Says what became of each job that was to be cancelled or signalled. */
final class KillAnswer {
  private static final int KILL = 9;

  private KillAnswer() {}

  static void write(
      RestCall call,
      String schema,
      List<KillOutcome> outcomes,
      KillManner manner,
      List<DocumentProblem> warnings) {
    List<DocumentProblem> errors = new ArrayList<>();
    for (KillOutcome one : outcomes) {
      if (one.code() != null) {
        int signal = manner.signal() == null ? KILL : manner.signal();
        String text =
            "unable to kill JobId="
                + one.text()
                + " with signal "
                + signal
                + ": "
                + one.code().text();
        errors.add(new DocumentProblem(text, one.code(), "slurm_kill_job"));
      }
    }
    if (!errors.isEmpty()) {
      call.failed();
    }
    try (SlurmJsonWriter json = SlurmJsonWriter.of(call.target(), schema)) {
      json.object().list("status");
      for (KillOutcome one : outcomes) {
        ErrorCode code = one.code();
        json.object()
            .object("error")
            .text("string", code == null ? ErrorTexts.of(0) : code.text())
            .number("code", code == null ? 0 : code.number())
            .text("message", "")
            .endObject()
            .text("step_id", one.text())
            .maybe("job_id", one.jobId())
            .object("federation")
            .text("sibling", "")
            .endObject()
            .endObject();
      }
      json.endList();
      JsonEnvelope.end(json, "", errors, warnings);
    }
  }
}
