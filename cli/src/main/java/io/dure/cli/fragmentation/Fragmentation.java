package io.dure.cli.fragmentation;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Answers;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.Version;
import io.dure.surface.language.HelpText;
import io.dure.surface.language.Phrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.Occurrence;
import io.dure.surface.option.OptionParser;
import java.io.IOException;

/** Shows how much of the GPUs is free, how much of that is of no use to jobs, and why. */
public final class Fragmentation implements Command {
  @Override
  public int run(CommandContext context) {
    try {
      context.out().print(text(context));
      return 0;
    } catch (CommandException e) {
      return context.fail(e);
    }
  }

  private static String text(CommandContext context) throws CommandException {
    OptionParser<FragmentationOption> parser =
        new OptionParser<>(
            context.program(),
            FragmentationOption.specs(),
            OptionParser.Operands.MIXED,
            context.arguments());
    boolean all = false;
    for (Occurrence<FragmentationOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case ALL -> all = true;
        case HELP -> {
          return HelpText.of(Fragmentation.class, "help.txt");
        }
        case VERSION -> {
          return Version.LINE + "\n";
        }
      }
    }
    Response.Fragments told = ask(context);
    Phrases phrases = Phrases.of(Fragmentation.class, context.environment());
    return new FragmentationText(phrases, context.clock().zone()).of(told, all);
  }

  private static Response.Fragments ask(CommandContext context) throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      Response response = connection.ask(new Request.ShowFragments());
      if (response instanceof Response.Fragments told) {
        return told;
      }
      Reply.Refused refused = Answers.refusal(response);
      throw CommandException.error(
          refused == null ? ErrorCode.BAD_INPUT.text() : refused.code().text());
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }
}
