package io.dure.cli.who;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.BusyRetry;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows who holds the cluster, by account and user against their shares. */
public final class WhoCommand implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    show(context);
    return 0;
  }

  private static void show(CommandContext context) throws CommandException {
    CallOptions<WhoOption> parser = context.options(WhoCommand.class, WhoOption.values());
    List<String> accounts = new ArrayList<>();
    List<String> users = new ArrayList<>();
    String partition = null;
    boolean everybody = false;
    boolean gpus = false;
    DocumentFormat json = null;
    for (ParsedOption<WhoOption> option = parser.next(); option != null; option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case ACCOUNTS -> accounts.addAll(KeywordParser.list(value));
        case ALL -> everybody = true;
        case GPUS -> gpus = true;
        case HELP, USAGE, VERSION -> {}
        case JSON -> json = DocumentFormat.json(value);
        case PARTITION -> partition = value;
        case USERS -> users.addAll(KeywordParser.list(value));
      }
    }
    if (!parser.operands().isEmpty()) {
      throw CommandException.error(
          "Invalid argument: " + parser.operands().getFirst() + " (try --help)");
    }
    print(context, new WhoArguments(partition, accounts, users, everybody, gpus, json));
  }

  private static void print(CommandContext context, WhoArguments call) throws CommandException {
    Response.Holders answer = ask(context, call.partition(), call.everybody());
    DocumentFormat document = call.json();
    if (document != null) {
      WhoJson.print(context.document(document), answer, WhoTree.of(answer.holdings(), call));
      return;
    }
    LocalizedPhrases phrases = LocalizedPhrases.of(WhoCommand.class, context.environment());
    context.out().print(new WhoText(phrases, context.clock().zone(), call).of(answer));
  }

  private static Response.Holders ask(
      CommandContext context, @Nullable String partition, boolean everybody)
      throws CommandException {
    Response response =
        BusyRetry.ask(
            context, new Request.ShowHolders(partition, everybody), context.caller().uid());
    if (response instanceof Response.Holders answer) {
      return answer;
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused != null && refused.code() == ErrorCode.INVALID_PARTITION_NAME) {
      throw CommandException.error(refused.code().text() + ": " + partition);
    }
    throw CommandException.error(
        refused == null ? ErrorCode.BAD_INPUT.text() : refused.code().text());
  }
}
