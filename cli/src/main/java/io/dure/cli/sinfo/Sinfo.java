package io.dure.cli.sinfo;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sinfo.NodeQuery;
import io.dure.surface.sinfo.NodeQueryReader;
import io.dure.surface.sinfo.SinfoOption;
import java.util.ArrayList;
import java.util.List;

/** Lists the partitions and their nodes. */
public final class Sinfo implements CliCommand {

  @Override
  public int execute(CommandContext context) throws CommandException {
    OptionParser<SinfoOption> parser = context.options(SinfoOption.specs());
    boolean reservations = false;
    List<ParsedOption<SinfoOption>> options = new ArrayList<>();
    for (ParsedOption<SinfoOption> option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case HELP -> {
          context.out().print(HelpText.of(Sinfo.class, "help.txt"));
          return 0;
        }
        case USAGE -> {
          context.out().print(HelpText.of(Sinfo.class, "usage.txt"));
          return 0;
        }
        case VERSION -> {
          context.out().print(DureVersion.LINE + "\n");
          return 0;
        }
        case RESERVATION -> {
          reservations = true;
        }
        default -> options.add(option);
      }
    }
    if (reservations) {
      boolean header = options.stream().noneMatch(o -> o.key() == SinfoOption.NOHEADER);
      new ReservationListing(context).print(header);
      return 0;
    }
    NodeQuery query = new NodeQueryReader(context.environment()).read(options);
    NodeListing listing = new NodeListing(context, query);
    return context.list(query.everySeconds(), listing::print);
  }
}
