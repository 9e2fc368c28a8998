package io.dure.cli.sdiag;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ClusterNameCheck;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.RpcSortOrder;
import io.dure.surface.json.StatisticsJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows what the controller has counted, or has it count from 0 again. */
public final class Sdiag implements CliCommand {
  /** Slurm's of a controller that refuses or is not there. */
  private static final int FAILED = 255;

  /** What is asked for. */
  private static final class Call {
    private Request request = new Request.ShowStatistics();
    private RpcSortOrder order = RpcSortOrder.COUNT;
    private @Nullable String cluster;
    private @Nullable DocumentFormat document;

    /** What stands before the text of a failure. */
    String function() {
      return request.isQuestion() ? "slurm_get_statistics" : "slurm_reset_statistics";
    }
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = new Call();
    call.cluster = context.environment().get("SLURM_CLUSTERS");
    read(context, call);
    context.out().print(answer(context, call));
    return 0;
  }

  private static void read(CommandContext context, Call call) throws CommandException {
    CallOptions<SdiagOption> parser = context.options(Sdiag.class, SdiagOption.values());
    for (ParsedOption<SdiagOption> option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case HELP, USAGE, VERSION -> {}
        case ALL -> call.request = new Request.ShowStatistics();
        case RESET -> call.request = new Request.ResetStatistics();
        case SORT_BY_ID -> call.order = RpcSortOrder.ID;
        case SORT_BY_TIME -> call.order = RpcSortOrder.TIME;
        case SORT_BY_AVERAGE -> call.order = RpcSortOrder.AVERAGE;
        case CLUSTER -> call.cluster = option.value();
        case JSON -> call.document = DocumentFormat.json(version(option));
        case YAML -> call.document = DocumentFormat.yaml(version(option));
      }
    }
  }

  private static String version(ParsedOption<SdiagOption> option) {
    return Objects.requireNonNullElse(option.value(), "");
  }

  private static String answer(CommandContext context, Call call) throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      if (call.cluster != null
          && connection.ask(new Request.ShowCluster()) instanceof Response.Cluster own) {
        ClusterNameCheck.check(List.of(call.cluster), own.clusterName());
      }
      Response response = connection.ask(call.request);
      Reply.Refused refused = ResponseCheck.refusal(response);
      if (refused != null) {
        throw failure(call, refused.code().text());
      }
      if (response instanceof Response.Statistics(var told)) {
        if (call.document != null) {
          JsonTarget target = context.document(call.document);
          StatisticsJson.print(target, clusterName(connection), told, call.order.order());
          return "";
        }
        return new StatisticsText(told, context.clock().zone(), call.order).text();
      }
      if (call.request instanceof Request.ResetStatistics) {
        return "Reset scheduling statistics\n";
      }
      throw failure(call, ErrorCode.BAD_INPUT.text());
    } catch (IOException e) {
      throw failure(call, String.valueOf(e.getMessage()));
    }
  }

  private static String clusterName(ControllerConnection connection)
      throws IOException, CommandException {
    return connection.ask(new Request.ShowCluster()) instanceof Response.Cluster own
        ? own.clusterName()
        : "";
  }

  private static CommandException failure(Call call, String text) {
    return new CommandException(
        FAILED, List.of(StderrMessage.plain(call.function() + ": " + text)));
  }
}
