package io.dure.cli.squeue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Question;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.squeue.QueueQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Shows the queue, and shows it anew whenever the controller says that it looks different. Ends
 * with its caller.
 */
public final class WatchCommand implements CliCommand {
  /** The least time between two listings. */
  private static final Duration REST = Duration.ofMillis(200);

  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int LONGEST_WAIT_MILLIS = 20_000;

  @Override
  public int execute(CommandContext context) throws CommandException {
    QueueQuery query = SqueueArguments.read(context, "watch-");
    if (query.everySeconds() != null) {
      throw CommandException.error("--iterate is an option of squeue");
    }
    return new Watching(context, query).run();
  }

  /** One call. One thread. */
  private static final class Watching {
    private final CommandContext context;
    private final ScreenRefresher frames;
    private boolean shown;
    private List<StderrMessage> said = List.of();

    Watching(CommandContext context, QueueQuery query) {
      this.context = context;
      this.frames = new ScreenRefresher(context, query);
    }

    /**
     * Goes on until the output is closed.
     *
     * @throws CommandException if not even the first listing is to be had
     */
    int run() throws CommandException {
      while (!context.out().checkError()) {
        try {
          follow();
        } catch (CommandException e) {
          if (!shown) {
            throw e;
          }
          // A controller that starts again is worth one line, not one for each try.
          if (!e.messages().equals(said)) {
            context.fail(e);
            said = e.messages();
          }
          context.clock().pause(RETRY);
        }
      }
      return 0;
    }

    private void follow() throws CommandException {
      try (ControllerConnection connection = context.controller().open()) {
        long seen = 0;
        while (!context.out().checkError()) {
          // The version is older than the listing, so nothing is missed between the two.
          Response response = connection.await(new Request.AwaitJobs(seen, LONGEST_WAIT_MILLIS));
          long version =
              Question.expected(Response.JobsVersion.class, response, QueueListing::failure)
                  .version();
          if (version != seen || context.terminal()) {
            frames.next();
            shown = true;
            said = List.of();
            context.clock().pause(REST);
          }
          seen = version;
        }
      } catch (IOException e) {
        throw QueueListing.failure(String.valueOf(e.getMessage()));
      }
    }
  }
}
