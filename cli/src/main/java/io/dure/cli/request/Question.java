package io.dure.cli.request;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A question on a connection of its own. All functions are for the call's thread. */
public final class Question {
  private Question() {}

  /**
   * Asks.
   *
   * @param failure makes a failure of its text
   * @param clusters the argument of {@code --clusters}, null for none
   * @throws CommandException if there is no answer, or another one
   */
  public static <R extends Response> R ask(
      CommandContext context,
      Function<String, CommandException> failure,
      @Nullable String clusters,
      Request request,
      Class<R> type)
      throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      if (clusters != null) {
        ClusterCheck.check(clusters, connection);
      }
      return expected(type, connection.ask(request), failure);
    } catch (IOException e) {
      throw failure.apply(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The answer if it is of a kind.
   *
   * @throws CommandException the failure that it is otherwise
   */
  public static <R extends Response> R expected(
      Class<R> type, Response response, Function<String, CommandException> failure)
      throws CommandException {
    if (type.isInstance(response)) {
      return type.cast(response);
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    throw failure.apply(refused == null ? "Unexpected message received" : refused.code().text());
  }
}
