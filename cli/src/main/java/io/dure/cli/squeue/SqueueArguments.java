package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.squeue.QueueQuery;
import io.dure.surface.squeue.QueueQueryReader;
import io.dure.surface.squeue.SqueueOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a call of a command that lists the queue is read. */
final class SqueueArguments {
  private SqueueArguments() {}

  /**
   * What the call asks for, null if that was a text, which is printed then.
   *
   * @param texts what the names of the command's texts begin with
   */
  static @Nullable QueueQuery read(CommandContext context, String texts) throws CommandException {
    OptionParser<SqueueOption> parser = context.options(SqueueOption.specs());
    List<ParsedOption<SqueueOption>> options = new ArrayList<>();
    for (ParsedOption<SqueueOption> option = parser.next();
        option != null;
        option = parser.next()) {
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
          context.out().print(DureVersion.LINE + "\n");
          return null;
        }
        default -> options.add(option);
      }
    }
    QueueQueryReader reader =
        new QueueQueryReader(context.environment(), () -> context.caller().uid());
    QueueQuery query = reader.read(options, parser.operands());
    if (!reader.unread().isEmpty()) {
      context.out().print(HelpText.of(Squeue.class, texts + "usage.txt"));
      throw CommandException.error("Unrecognized option: " + reader.unread().getFirst());
    }
    return query;
  }
}
