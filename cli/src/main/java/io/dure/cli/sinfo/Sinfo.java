package io.dure.cli.sinfo;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sinfo.NodeQuery;
import io.dure.surface.sinfo.NodeQueryReader;
import io.dure.surface.sinfo.SinfoOption;
import java.util.List;

/** Lists the partitions and their nodes. */
public final class Sinfo implements CliCommand {

  @Override
  public int execute(CommandContext context) throws CommandException {
    List<ParsedOption<SinfoOption>> options =
        context.options(Sinfo.class, SinfoOption.values()).all();
    if (options.removeIf(o -> o.key() == SinfoOption.RESERVATION)) {
      boolean header = options.stream().noneMatch(o -> o.key() == SinfoOption.NOHEADER);
      new ReservationListing(context).print(header);
      return 0;
    }
    NodeQuery query = new NodeQueryReader(context.environment()).read(options);
    NodeListing listing = new NodeListing(context, query);
    return context.list(query.everySeconds(), listing::print);
  }
}
