package io.dure.cli.scancel;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.util.List;

/** Cancels jobs, or sends them a signal. */
public final class Scancel implements CliCommand {

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<ScancelOption> call = context.options(Scancel.class, ScancelOption.values());
    List<ParsedOption<ScancelOption>> options = call.all();
    ScancelRequest request = new ScancelReader(context).read(options, call.operands());
    return new JobCanceller(context, request).run();
  }
}
