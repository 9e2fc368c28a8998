package io.dure.cli.request;

import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Response;
import io.dure.surface.message.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an answer of the controller says about success. All functions are pure. */
public final class Answers {

  private Answers() {}

  /** Why the request was not carried out, or null if it was. */
  public static Reply.@Nullable Refused refusal(Response response) {
    if (response instanceof Response.Failed(ErrorCode code, String detail, _)) {
      return new Reply.Refused(code, detail);
    }
    if (response instanceof Response.Decided(Reply.Refused refused)) {
      return refused;
    }
    return null;
  }

  /** The lines that explain a refusal, one message each. */
  public static List<Message> details(Reply.Refused refused) {
    List<Message> lines = new ArrayList<>();
    for (String line : refused.detail().split("\n", -1)) {
      if (!line.isEmpty()) {
        lines.add(Message.error(line));
      }
    }
    return lines;
  }
}
