package io.dure.cli.fragmentation;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.message.CommandException;

/** Shows how much of the GPUs is free, how much of that is of no use to jobs, and why. */
public final class FragmentationCommand implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    context.out().print(text(context));
    return 0;
  }

  private static String text(CommandContext context) throws CommandException {
    boolean all =
        !context.options(FragmentationCommand.class, FragmentationOption.values()).all().isEmpty();
    Response.Fragments told =
        Question.ask(
            context,
            CommandException::error,
            null,
            new Request.ShowFragments(),
            Response.Fragments.class);
    LocalizedPhrases phrases =
        LocalizedPhrases.of(FragmentationCommand.class, context.environment());
    return new FragmentationText(phrases, context.clock().zone()).of(told, all);
  }
}
