package io.dure.cli.squeue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.squeue.QueueQuery;

/** Lists the jobs in the queue. */
public final class Squeue implements CliCommand {

  @Override
  public int execute(CommandContext context) throws CommandException {
    QueueQuery query = SqueueArguments.read(context, "");
    QueueListing listing = new QueueListing(context, query);
    return context.list(query.everySeconds(), listing::print);
  }
}
