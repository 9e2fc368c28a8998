package io.dure.cli.scrontab;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.filter.SiteFilter;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.SiteMessages;
import io.dure.cli.sbatch.CronJobReader;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.scrontab.CrontabFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The crontab of a user as the controller has it. For one call and one thread. */
final class ControllerCrontab {
  private final CommandContext context;
  private final @Nullable String user;
  private final ChangeIdGenerator names;

  /**
   * A crontab.
   *
   * @param user its owner, null for the caller
   */
  ControllerCrontab(CommandContext context, @Nullable String user) {
    this.context = context;
    this.user = user;
    this.names = new ChangeIdGenerator(context.caller());
  }

  String owner() {
    return user == null ? context.caller().loginName(context.caller().uid()) : user;
  }

  /** Its text, empty where there is none. */
  String text() throws CommandException {
    Response response = ask(new Request.ShowCrontab(user));
    if (response instanceof Response.Text(List<String> lines)) {
      return String.join("", lines);
    }
    throw failure(ResponseCheck.refusal(response));
  }

  /** Puts a crontab there; why that was not possible, null if it was. */
  @Nullable CrontabFaults install(CrontabFile crontab) throws CommandException {
    List<CrontabFile.Problem> problems = new ArrayList<>(crontab.problems());
    List<CrontabChange.Entry> entries = new ArrayList<>();
    String home = context.caller().homeDirectory(owner());
    try (SiteFilter filter = SiteFilter.of(context)) {
      CronJobReader reader =
          new CronJobReader(context, filter, Path.of(home.isEmpty() ? "/" : home));
      for (CrontabFile.Entry entry : crontab.entries()) {
        try {
          entries.add(reader.read(entry));
        } catch (CommandException e) {
          e.messages().forEach(one -> problems.add(of(entry, one.text())));
        }
      }
    }
    if (!problems.isEmpty()) {
      return CrontabFaults.of(problems, List.of());
    }
    CrontabChange change = new CrontabChange(crontab.text(), List.copyOf(entries));
    Reply.Refused refused = refusal(change);
    if (refused == null) {
      return null;
    }
    Integer place = refused.entry();
    if (place == null || place >= crontab.entries().size()) {
      throw failure(refused);
    }
    CrontabFile.Problem problem = of(crontab.entries().get(place), refused.code().text());
    return CrontabFaults.of(List.of(problem), ResponseCheck.details(refused));
  }

  private static CrontabFile.Problem of(CrontabFile.Entry entry, String text) {
    return new CrontabFile.Problem(entry.time().firstLine(), entry.time().lastLine(), text);
  }

  void replace(CrontabChange change) throws CommandException {
    Reply.Refused refused = refusal(change);
    if (refused != null) {
      throw failure(refused);
    }
  }

  private Reply.@Nullable Refused refusal(CrontabChange change) throws CommandException {
    return ResponseCheck.refusal(ask(names.named(new Command.ChangeCrontab(change), user)));
  }

  private Response ask(Request request) throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      return SiteMessages.told(context, connection.ask(request));
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }

  private static CommandException failure(Reply.@Nullable Refused refused) {
    if (refused == null) {
      return CommandException.error("Unexpected message received");
    }
    return refused.code() == ErrorCode.DISABLED
        ? CommandException.fatal("scrontab is disabled on this cluster")
        : new CommandException(1, ResponseCheck.details(refused))
            .and(StderrMessage.error(refused.code().text()));
  }
}
