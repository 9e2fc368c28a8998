package io.dure.cli.efficiency;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.BusyRetry;
import io.dure.cli.request.SiteMessages;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job would start that is not submitted, as the controller's forecast has it: one line of
 * {@code sbatch --test-only}.
 *
 * @param start when, null where that is not said
 * @param refusal why not, empty where it is said
 */
record TwinAnswer(@Nullable Instant start, String refusal) {

  /**
   * Asks.
   *
   * @param job whose workload it has
   * @param runAs its owner, where that is not the caller; null for the caller
   */
  static TwinAnswer ask(CommandContext context, JobSpec spec, Job job, @Nullable String runAs)
      throws CommandException {
    Response response =
        SiteMessages.untold(
            BusyRetry.ask(
                context,
                new Request.TestSubmit(spec, job.workload(), runAs),
                context.caller().uid()));
    if (response instanceof Response.WouldStart found) {
      return new TwinAnswer(found.start(), "");
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    return new TwinAnswer(
        null, refused == null ? "Unexpected message received" : refused.code().text());
  }
}
