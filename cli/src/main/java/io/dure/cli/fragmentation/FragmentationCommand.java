package io.dure.cli.fragmentation;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.language.HelpText;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import java.io.IOException;

/** Shows how much of the GPUs is free, how much of that is of no use to jobs, and why. */
public final class FragmentationCommand implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    context.out().print(text(context));
    return 0;
  }

  private static String text(CommandContext context) throws CommandException {
    OptionParser<FragmentationOption> parser = context.options(FragmentationOption.specs());
    boolean all = false;
    for (ParsedOption<FragmentationOption> option = parser.next();
        option != null;
        option = parser.next()) {
      switch (option.key()) {
        case ALL -> all = true;
        case HELP -> {
          return HelpText.of(FragmentationCommand.class, "help.txt");
        }
        case VERSION -> {
          return DureVersion.LINE + "\n";
        }
      }
    }
    Response.Fragments told = ask(context);
    LocalizedPhrases phrases =
        LocalizedPhrases.of(FragmentationCommand.class, context.environment());
    return new FragmentationText(phrases, context.clock().zone()).of(told, all);
  }

  private static Response.Fragments ask(CommandContext context) throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      Response response = connection.ask(new Request.ShowFragments());
      if (response instanceof Response.Fragments told) {
        return told;
      }
      Reply.Refused refused = ResponseCheck.refusal(response);
      throw CommandException.error(
          refused == null ? ErrorCode.BAD_INPUT.text() : refused.code().text());
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }
}
