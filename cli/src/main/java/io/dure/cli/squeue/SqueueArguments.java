package io.dure.cli.squeue;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.squeue.QueueQuery;
import io.dure.surface.squeue.QueueQueryReader;
import io.dure.surface.squeue.SqueueOption;

/** Reads a call of a command that lists the queue. */
final class SqueueArguments {
  private SqueueArguments() {}

  /**
   * What the call asks for.
   *
   * @param texts what the names of the command's texts begin with
   */
  static QueueQuery read(CommandContext context, String texts) throws CommandException {
    CallOptions<SqueueOption> call =
        context.options(SqueueArguments.class, texts, SqueueOption.values());
    QueueQueryReader reader =
        new QueueQueryReader(context.environment(), () -> context.caller().uid());
    QueueQuery query = reader.read(call.all(), call.operands());
    if (!reader.unread().isEmpty()) {
      context.out().print(call.usage());
      throw CommandException.error("Unrecognized option: " + reader.unread().getFirst());
    }
    return query;
  }
}
