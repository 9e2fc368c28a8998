package io.dure.cli.request;

import io.dure.cli.command.CommandContext;
import io.dure.protocol.Response;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import java.util.List;

/** What a script of the site had the controller tell the user. */
public final class SiteMessages {
  private SiteMessages() {}

  /** The answer; prints what comes with it, as errors where it is a refusal. */
  public static Response told(CommandContext context, Response response) {
    if (!(response instanceof Response.Advised(Response answer, List<String> messages))) {
      return response;
    }
    boolean refused = ResponseCheck.refusal(answer) != null;
    for (String line : messages) {
      context.report(refused ? StderrMessage.error(line) : StderrMessage.info(line));
    }
    return answer;
  }

  /** The answer alone. */
  public static Response untold(Response response) {
    return response instanceof Response.Advised advised ? advised.answer() : response;
  }
}
