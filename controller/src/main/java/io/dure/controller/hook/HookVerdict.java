package io.dure.controller.hook;

import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a script of the site says of a command.
 *
 * @param command the command as the script wants it
 * @param messages lines for the user
 * @param refusal why it is not to be decided, null if it is
 */
public record HookVerdict(
    Command.UserCommand command, List<String> messages, Reply.@Nullable Refused refusal) {
  public HookVerdict {
    messages = List.copyOf(messages);
  }

  /** A command of which the script says nothing. */
  public static HookVerdict unchanged(Command.UserCommand command) {
    return new HookVerdict(command, List.of(), null);
  }

  /** The answer with what the script has to say to the user. */
  public Response advised(Response answer) {
    // A failure says that another controller is to be asked, which has its own word for it.
    return messages.isEmpty() || answer instanceof Response.Failed
        ? answer
        : new Response.Advised(answer, messages);
  }
}
