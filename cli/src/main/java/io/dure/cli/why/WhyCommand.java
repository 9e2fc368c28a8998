package io.dure.cli.why;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.BusyRetry;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.model.report.JobExplanation;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.value.JobReference;
import java.util.List;

/** Says why a job waits, what holds it, and what would let it start sooner. */
public final class WhyCommand implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    context.out().print(text(context));
    return 0;
  }

  private static String text(CommandContext context) throws CommandException {
    CallOptions<WhyOption> call = context.options(WhyCommand.class, WhyOption.values());
    boolean facts = !call.all().isEmpty();
    List<String> words = call.operands();
    if (words.size() != 1) {
      throw CommandException.error("one job is to be named, such as 12, 12_3 or 12+1 (--help)");
    }
    JobReference job = JobReference.parse(words.getFirst());
    if (job == null || job.step() != null) {
      throw CommandException.error(ErrorCode.INVALID_JOB_ID.text());
    }
    JobExplanation explanation = ask(context, new Request.ExplainJob(job.selector(), facts));
    LocalizedPhrases phrases = LocalizedPhrases.of(WhyCommand.class, context.environment());
    return new WhyText(phrases, context.clock().zone(), explanation).text();
  }

  /** What the controller says of a job. */
  private static JobExplanation ask(CommandContext context, Request.ExplainJob request)
      throws CommandException {
    Response response = BusyRetry.ask(context, request, request.job().jobId());
    if (response instanceof Response.Explained(JobExplanation explanation)) {
      return explanation;
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused == null) {
      throw CommandException.error(ErrorCode.BAD_INPUT.text());
    }
    String detail = refused.detail().isEmpty() ? "" : ": " + refused.detail();
    throw CommandException.error(refused.code().text() + detail);
  }
}
