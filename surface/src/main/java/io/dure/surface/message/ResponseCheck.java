package io.dure.surface.message;

import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells refusals among answers of the controller. All functions are pure. */
public final class ResponseCheck {

  private ResponseCheck() {}

  /** Why the request was not carried out, or null if it was. */
  public static Reply.@Nullable Refused refusal(Response response) {
    if (response instanceof Response.Advised(Response answer, _)) {
      return refusal(answer);
    }
    if (response instanceof Response.Failed(ErrorCode code, String detail, _)) {
      return new Reply.Refused(code, detail);
    }
    if (response instanceof Response.Decided(Reply.Refused refused)) {
      return refused;
    }
    return null;
  }

  /**
   * The failure that a refusal is.
   *
   * @param text what is said of it, before the lines that explain it
   */
  public static CommandException failure(Reply.Refused refused, String text) {
    CommandException failure = CommandException.plain(text);
    for (StderrMessage detail : details(refused)) {
      failure = failure.and(detail);
    }
    return failure;
  }

  /** The lines that explain a refusal, one message each. */
  public static List<StderrMessage> details(Reply.Refused refused) {
    List<StderrMessage> lines = new ArrayList<>();
    for (String line : refused.detail().split("\n", -1)) {
      if (!line.isEmpty()) {
        lines.add(StderrMessage.error(line));
      }
    }
    return lines;
  }
}
