package io.dure.cli.who;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Answers;
import io.dure.cli.request.PatientQuestion;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.Version;
import io.dure.surface.json.JsonVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.language.Phrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.Occurrence;
import io.dure.surface.option.OptionParser;
import io.dure.surface.value.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows who holds the cluster, by account and user against their shares. */
public final class Who implements Command {
  @Override
  public int run(CommandContext context) {
    try {
      show(context);
      return 0;
    } catch (CommandException e) {
      return context.fail(e);
    }
  }

  private static void show(CommandContext context) throws CommandException {
    OptionParser<WhoOption> parser =
        new OptionParser<>(
            context.program(), WhoOption.specs(), OptionParser.Operands.MIXED, context.arguments());
    List<String> accounts = new ArrayList<>();
    List<String> users = new ArrayList<>();
    String partition = null;
    boolean everybody = false;
    boolean gpus = false;
    boolean json = false;
    for (Occurrence<WhoOption> option = parser.next(); option != null; option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case ACCOUNTS -> accounts.addAll(Words.list(value));
        case ALL -> everybody = true;
        case GPUS -> gpus = true;
        case HELP, USAGE -> {
          boolean help = option.key() == WhoOption.HELP;
          context.out().print(HelpText.of(Who.class, help ? "help.txt" : "usage.txt"));
          return;
        }
        case JSON -> {
          JsonVersion.check(value);
          json = true;
        }
        case PARTITION -> partition = value;
        case USERS -> users.addAll(Words.list(value));
        case VERSION -> {
          context.out().print(Version.LINE + "\n");
          return;
        }
      }
    }
    if (!parser.operands().isEmpty()) {
      throw CommandException.error(
          "Invalid argument: " + parser.operands().getFirst() + " (try --help)");
    }
    print(context, new WhoCall(partition, accounts, users, everybody, gpus, json));
  }

  private static void print(CommandContext context, WhoCall call) throws CommandException {
    Response.Holders told = ask(context, call.partition(), call.everybody());
    if (call.json()) {
      WhoDocument.print(context, told, WhoTree.of(told.holdings(), call));
      return;
    }
    Phrases phrases = Phrases.of(Who.class, context.environment());
    context.out().print(new WhoText(phrases, context.clock().zone(), call).of(told));
  }

  private static Response.Holders ask(
      CommandContext context, @Nullable String partition, boolean everybody)
      throws CommandException {
    Response response =
        PatientQuestion.ask(
            context, new Request.ShowHolders(partition, everybody), context.caller().uid());
    if (response instanceof Response.Holders told) {
      return told;
    }
    Reply.Refused refused = Answers.refusal(response);
    if (refused != null && refused.code() == ErrorCode.INVALID_PARTITION_NAME) {
      throw CommandException.error(refused.code().text() + ": " + partition);
    }
    throw CommandException.error(
        refused == null ? ErrorCode.BAD_INPUT.text() : refused.code().text());
  }
}
