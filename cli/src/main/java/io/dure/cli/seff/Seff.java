package io.dure.cli.seff;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.RecordedRuns;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.JobReference;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows how much of what it held a job used. */
public final class Seff implements CliCommand {
  private static final int NOT_FOUND = 2;

  @Override
  public int execute(CommandContext asked) throws CommandException {
    CommandContext context = asked.withController(asked.controller().books());
    CallOptions<SeffOption> parser = context.options(Seff.class, SeffOption.values());
    boolean raw = false;
    for (ParsedOption<SeffOption> option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case DEBUG -> raw = true;
        case HELP, VERSION -> {}
      }
    }
    List<String> words = parser.operands();
    if (words.size() != 1) {
      context.out().print(parser.usage());
      return 1;
    }
    JobReference job = JobReference.parse(words.getFirst());
    if (job == null || job.step() != null) {
      throw CommandException.error(
          "'" + words.getFirst() + "' is no job; jobs are named as 12, 12_3 or 12+1");
    }
    report(context, job, raw);
    return 0;
  }

  private static void report(CommandContext context, JobReference job, boolean raw)
      throws CommandException {
    Map<Integer, RecordedJob> lasts = new TreeMap<>();
    JobHistoryQuery query =
        RecordedRuns.query(List.of(job.selector()), List.of(), List.of(), null, null, true);
    Response.JobHistory page =
        RecordedRuns.each(context, query, one -> lasts.put(one.job().id(), one));
    if (lasts.isEmpty()) {
      throw CommandException.plain("Job not found.").withExitCode(NOT_FOUND);
    }
    // The number of an array is that of one of its tasks, too.
    RecordedJob named = lasts.get(job.jobId());
    RecordedJob one =
        named == null || job.tasks() != null || job.component() != null
            ? lasts.values().iterator().next()
            : named;
    SeffReport report = SeffReport.of(one, page.clusterName(), context.clock().now());
    context.out().print(raw ? report.data() + report.text() : report.text());
  }
}
