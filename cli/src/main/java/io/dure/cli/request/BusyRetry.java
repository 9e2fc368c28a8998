package io.dure.cli.request;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.time.Duration;

/**
 * Asks what costs the controller something to answer: where too many ask at once, again after a
 * while, each time after a longer one, and not for ever.
 */
public final class BusyRetry {
  private static final int MOST_TIMES = 4;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private BusyRetry() {}

  /**
   * The answer, which may be that too many ask.
   *
   * @param spread differs between callers, so that not all that ask at once ask again at once
   */
  public static Response ask(CommandContext context, Request request, int spread)
      throws CommandException {
    Duration pause = FIRST_PAUSE.plusMillis(Math.floorMod(spread, 1000));
    for (int time = 1; ; time++) {
      try (ControllerConnection connection = context.controller().open()) {
        Response response = connection.ask(request);
        boolean busy =
            response instanceof Response.Failed failed && failed.code() == ErrorCode.RATE_LIMITED;
        if (!busy || time == MOST_TIMES) {
          return response;
        }
      } catch (IOException e) {
        throw CommandException.error(String.valueOf(e.getMessage()));
      }
      context.clock().pause(pause);
      pause = pause.multipliedBy(2);
    }
  }
}
