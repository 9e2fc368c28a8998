package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.CommandException;
import io.dure.cli.command.HelpText;
import io.dure.cli.option.Occurrence;
import io.dure.cli.option.OptionParser;
import io.dure.protocol.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a call of a command that lists the queue is read. */
final class QueueCall {
  private QueueCall() {}

  /**
   * What the call asks for, null if that was a text, which is printed then.
   *
   * @param texts what the names of the command's texts begin with
   */
  static @Nullable QueueQuery read(CommandContext context, String texts) throws CommandException {
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
          context.out().print(HelpText.of(Squeue.class, texts + "help.txt"));
          return null;
        }
        case USAGE -> {
          context.out().print(HelpText.of(Squeue.class, texts + "usage.txt"));
          return null;
        }
        case VERSION -> {
          context.out().print(Version.LINE + "\n");
          return null;
        }
        default -> options.add(option);
      }
    }
    return new QueryReader(context, texts).read(options, parser.operands());
  }
}
