package io.dure.cli.squeue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.squeue.QueueQuery;
import java.time.Duration;

/** Lists the jobs in the queue. */
public final class Squeue implements CliCommand {

  @Override
  public int run(CommandContext context) {
    try {
      return list(context);
    } catch (CommandException e) {
      return context.fail(e);
    }
  }

  private static int list(CommandContext context) throws CommandException {
    QueueQuery query = SqueueArguments.read(context, "");
    if (query == null) {
      return 0;
    }
    QueueListing listing = new QueueListing(context, query);
    Integer seconds = query.everySeconds();
    if (seconds == null) {
      listing.print();
      return 0;
    }
    return repeat(context, listing, seconds);
  }

  private static int repeat(CommandContext context, QueueListing listing, int seconds) {
    int code = 0;
    while (!context.out().checkError()) {
      try {
        listing.print();
      } catch (CommandException e) {
        code = context.fail(e);
      }
      context.out().print('\n');
      context.out().flush();
      context.clock().pause(Duration.ofSeconds(seconds));
    }
    return code;
  }
}
