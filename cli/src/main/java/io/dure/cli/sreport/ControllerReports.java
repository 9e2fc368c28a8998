package io.dure.cli.sreport;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sreport.ReportPort;
import io.dure.surface.value.WallClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The controller's books, and the caller's streams. For one thread. */
final class ControllerReports implements ReportPort {
  /** What a controller of an older release tells. */
  private static final List<ClusterAccounts> NONE = List.of();

  private final CommandContext context;
  private final @Nullable String cluster;
  private final @Nullable StringBuilder taken;
  private final BufferedReader in;

  /**
   * The books of a cluster.
   *
   * @param cluster null for the controller's own
   * @param taken takes what is printed, null to print it
   */
  ControllerReports(
      CommandContext context, @Nullable String cluster, @Nullable StringBuilder taken) {
    this.context = context;
    this.cluster = cluster;
    this.taken = taken;
    in = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8));
  }

  static CommandException failure(String text) {
    return text.equals(ErrorCode.NOT_SUPPORTED.text())
        ? CommandException.plain("Slurm accounting storage is disabled")
        : CommandException.error("Problem with the database: " + text);
  }

  @Override
  public UsageReport usage(UsageQuery query) throws CommandException {
    return Question.ask(
            context,
            ControllerReports::failure,
            null,
            new Request.ShowUsage(query, cluster),
            Response.Usage.class)
        .report();
  }

  @Override
  public Response.Accounts accounts() throws CommandException {
    Response.Accounts own =
        Question.ask(
            context,
            ControllerReports::failure,
            null,
            new Request.ShowAccounts(),
            Response.Accounts.class);
    for (ClusterAccounts one : Objects.requireNonNullElse(own.clusters(), NONE)) {
      if (one.cluster().equals(cluster)) {
        return new Response.Accounts(
            one.cluster(),
            one.host(),
            one.port(),
            one.accounts(),
            own.userName(),
            own.operator(),
            own.clusters());
      }
    }
    return own;
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
    if (taken == null) {
      context.out().print(text);
    } else {
      taken.append(text);
    }
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
