package io.dure.cli.sbcast;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Copies a file from each node of the job around it. */
public final class Sgather implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<SgatherOption> call =
        context.options(Sbcast.class, "gather-", SgatherOption.values());
    Set<SgatherOption> options = EnumSet.noneOf(SgatherOption.class);
    for (ParsedOption<SgatherOption> option = call.next(); option != null; option = call.next()) {
      options.add(option.key());
    }
    List<String> names = call.operands();
    if (names.size() != 2) {
      throw CommandException.plain(
          "Need two file names, have " + names.size() + " names",
          "Try \"" + context.program() + " --help\" for more information");
    }
    FileMove files = new FileMove(context);
    int flags = options.contains(SgatherOption.FORCE) ? FileMove.FORCE : 0;
    flags |= options.contains(SgatherOption.PRESERVE) ? FileMove.TIMES : 0;
    return files.run(
        files.job(null),
        List.of(
            "source=" + context.directory().resolve(names.get(0)),
            "path=" + context.directory().resolve(names.get(1)),
            "gather=1",
            "flags=" + flags));
  }
}
