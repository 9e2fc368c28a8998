package io.dure.cli.why;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Answers;
import io.dure.cli.request.PatientQuestion;
import io.dure.core.controller.Reply;
import io.dure.core.explain.Explanation;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.Version;
import io.dure.surface.language.HelpText;
import io.dure.surface.language.Phrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.Occurrence;
import io.dure.surface.option.OptionParser;
import io.dure.surface.value.JobWord;
import java.util.List;

/** Says why a job waits, who holds it, and what would let it start sooner. */
public final class Why implements Command {
  @Override
  public int run(CommandContext context) {
    try {
      context.out().print(text(context));
      return 0;
    } catch (CommandException e) {
      return context.fail(e);
    }
  }

  private static String text(CommandContext context) throws CommandException {
    OptionParser<WhyOption> parser =
        new OptionParser<>(
            context.program(), WhyOption.specs(), OptionParser.Operands.MIXED, context.arguments());
    boolean facts = false;
    for (Occurrence<WhyOption> option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case FACTS -> facts = true;
        case HELP -> {
          return HelpText.of(Why.class, "help.txt");
        }
        case VERSION -> {
          return Version.LINE + "\n";
        }
      }
    }
    List<String> words = parser.operands();
    if (words.size() != 1) {
      throw CommandException.error("one job is to be named, such as 12, 12_3 or 12+1 (--help)");
    }
    JobWord job = JobWord.parse(words.getFirst());
    if (job == null || job.step() != null) {
      throw CommandException.error(ErrorCode.INVALID_JOB_ID.text());
    }
    Explanation told = ask(context, new Request.ExplainJob(job.selector(), facts));
    Phrases phrases = Phrases.of(Why.class, context.environment());
    return new WhyText(phrases, context.clock().zone(), told).text();
  }

  /** What the controller says of a job. */
  private static Explanation ask(CommandContext context, Request.ExplainJob request)
      throws CommandException {
    Response response = PatientQuestion.ask(context, request, request.job().jobId());
    if (response instanceof Response.Explained(Explanation told)) {
      return told;
    }
    Reply.Refused refused = Answers.refusal(response);
    if (refused == null) {
      throw CommandException.error(ErrorCode.BAD_INPUT.text());
    }
    String detail = refused.detail().isEmpty() ? "" : ": " + refused.detail();
    throw CommandException.error(refused.code().text() + detail);
  }
}
