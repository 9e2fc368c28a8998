package io.dure.cli.sacct;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacct.SacctListing;
import io.dure.surface.sacct.SacctStyle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Lists jobs and steps as the accounting database has them. */
public final class Sacct implements CliCommand {
  private static final int COLUMNS = 4;
  private static final int COLUMN_WIDTH = 19;

  @Override
  public int execute(CommandContext context) throws CommandException {
    SacctCall call = new SacctCall(context);
    CallOptions<SacctOption> parser = context.options(Sacct.class, SacctOption.values());
    for (ParsedOption<SacctOption> option = parser.next(); option != null; option = parser.next()) {
      if (option.key() == SacctOption.HELP_FORMAT) {
        context.out().print(fieldNames());
        throw CommandException.done();
      }
      call.take(option);
    }
    List<String> unknown = new ArrayList<>();
    SacctListing listing = SacctListing.of(call.format(), call.table(), unknown);
    if (listing == null) {
      throw CommandException.fatal("Invalid field requested: \"" + unknown.getFirst() + "\"");
    }
    context.out().print(text(context, call, listing));
    return 0;
  }

  private static CommandException failure(String text) {
    return text.equals(ErrorCode.NOT_SUPPORTED.text())
        ? CommandException.plain("Slurm accounting storage is disabled")
        : CommandException.error("Problem talking to the database: " + text);
  }

  private static String text(CommandContext context, SacctCall call, SacctListing listing)
      throws CommandException {
    boolean root = context.caller().uid() == 0;
    JobHistoryQuery query = call.query(Integer.toUnsignedString(context.caller().uid()), root);
    List<RecordedJob> jobs = new ArrayList<>();
    Response.JobHistory page;
    do {
      page =
          Question.ask(
              context,
              Sacct::failure,
              call.clusters(),
              new Request.ListJobHistory(query),
              Response.JobHistory.class);
      jobs.addAll(page.jobs());
      query = query.withAfter(page.last());
    } while (page.last() != null);
    Instant now = context.clock().now();
    SacctStyle style =
        new SacctStyle(
            page.clusterName(),
            page.trackedTres(),
            TimestampFormat.of(context.environment(), now, context.clock().zone()),
            now,
            call.begin(),
            call.end(),
            call.truncates(),
            call.plain());
    return listing.text(jobs, style, call::lists);
  }

  private static String fieldNames() {
    StringBuilder out = new StringBuilder();
    List<String> names = SacctListing.names();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      boolean ends = i % COLUMNS == COLUMNS - 1 || i == names.size() - 1;
      out.append(name).repeat(' ', Math.max(0, COLUMN_WIDTH - name.length()));
      out.append(ends ? "\n" : " ");
    }
    return out.toString();
  }
}
