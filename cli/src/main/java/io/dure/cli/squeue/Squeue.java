package io.dure.cli.squeue;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.CommandException;
import io.dure.cli.command.HelpText;
import io.dure.cli.option.Occurrence;
import io.dure.cli.option.OptionParser;
import io.dure.protocol.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Lists the jobs in the queue. */
public final class Squeue implements Command {

  @Override
  public int run(CommandContext context) {
    try {
      return list(context);
    } catch (CommandException e) {
      return context.fail(e);
    }
  }

  private static int list(CommandContext context) throws CommandException {
    OptionParser<SqueueOption> parser =
        new OptionParser<>(
            context.program(),
            SqueueOption.specs(),
            OptionParser.Operands.MIXED,
            context.arguments());
    List<Occurrence<SqueueOption>> options = new ArrayList<>();
    for (Occurrence<SqueueOption> option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case HELP -> {
          context.out().print(HelpText.of(Squeue.class, "help.txt"));
          return 0;
        }
        case USAGE -> {
          context.out().print(HelpText.of(Squeue.class, "usage.txt"));
          return 0;
        }
        case VERSION -> {
          context.out().print(Version.LINE + "\n");
          return 0;
        }
        default -> options.add(option);
      }
    }
    QueueQuery query = new QueryReader(context).read(options, parser.operands());
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
