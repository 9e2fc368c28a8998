package io.dure.cli.request;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A question on a connection of its own. All functions are for the call's thread. */
public final class Question {
  private Question() {}

  /**
   * Asks.
   *
   * @param prefix what stands before the text of a failure
   * @param clusters the argument of {@code --clusters}, null for none
   * @throws CommandException if there is no answer, or another one
   */
  public static <R extends Response> R ask(
      CommandContext context,
      String prefix,
      @Nullable String clusters,
      Request request,
      Class<R> type)
      throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      if (clusters != null) {
        ClusterCheck.check(clusters, connection);
      }
      Response response = connection.ask(request);
      Reply.Refused refused = ResponseCheck.refusal(response);
      if (refused != null) {
        throw CommandException.error(prefix + refused.code().text());
      }
      return expected(type, response);
    } catch (IOException e) {
      throw CommandException.error(prefix + e.getMessage());
    }
  }

  /** The answer if it is of a kind, else the failure that it is. */
  public static <R extends Response> R expected(Class<R> type, Response response)
      throws CommandException {
    if (type.isInstance(response)) {
      return type.cast(response);
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    throw CommandException.error(
        refused == null ? ErrorCode.BAD_INPUT.text() : refused.code().text());
  }
}
