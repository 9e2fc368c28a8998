package io.dure.cli.sreport;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sreport.ReportPort;
import io.dure.surface.value.WallClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The controller's books, and the caller's streams. For one thread. */
final class ControllerReports implements ReportPort {
  private final CommandContext context;
  private final @Nullable String clusters;
  private final BufferedReader in;

  ControllerReports(CommandContext context, @Nullable String clusters) {
    this.context = context;
    this.clusters = clusters;
    in = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8));
  }

  private static CommandException failure(String text) {
    return text.equals(ErrorCode.NOT_SUPPORTED.text())
        ? CommandException.plain("Slurm accounting storage is disabled")
        : CommandException.error("Problem with the database: " + text);
  }

  @Override
  public UsageReport usage(UsageQuery query) throws CommandException {
    return Question.ask(
            context,
            ControllerReports::failure,
            clusters,
            new Request.ShowUsage(query),
            Response.Usage.class)
        .report();
  }

  @Override
  public Response.Accounts accounts() throws CommandException {
    return Question.ask(
        context,
        ControllerReports::failure,
        clusters,
        new Request.ShowAccounts(),
        Response.Accounts.class);
  }

  @Override
  public String realName(String loginName) {
    return context.caller().realName(loginName);
  }

  @Override
  public WallClock clock() {
    return context.clock();
  }

  @Override
  public void print(String text) {
    context.out().print(text);
  }

  @Override
  public void report(StderrMessage message) {
    context.out().flush();
    context.report(message);
  }

  @Override
  public @Nullable String nextLine() throws IOException {
    context.out().flush();
    return in.readLine();
  }
}
