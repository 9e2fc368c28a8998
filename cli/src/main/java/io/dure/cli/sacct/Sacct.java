package io.dure.cli.sacct;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.ClusterChoice;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.model.job.Job;
import io.dure.model.jobtext.TextId;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedText;
import io.dure.surface.facts.JobIdFormat;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacct.RecordedJobsJson;
import io.dure.surface.sacct.SacctListing;
import io.dure.surface.sacct.SacctStyle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists jobs and steps as the accounting database has them. */
public final class Sacct implements CliCommand {
  private static final int COLUMNS = 4;
  private static final int COLUMN_WIDTH = 19;
  private static final int RULE = 80;

  /** Columns that Slurm had, with those that say the same now. */
  private static final Map<String, String> REMOVED =
      Map.of(
          "allocgres",
          "AllocGRES has been removed, please use AllocTRES",
          "reqgres",
          "ReqGRES has been removed, please use ReqTRES");

  @Override
  public int execute(CommandContext asked) throws CommandException {
    CommandContext context = asked.withController(asked.controller().books());
    SacctCall call = new SacctCall(context);
    CallOptions<SacctOption> parser = context.options(Sacct.class, SacctOption.values());
    for (ParsedOption<SacctOption> option = parser.next(); option != null; option = parser.next()) {
      if (option.key() == SacctOption.HELP_FORMAT) {
        context.out().print(fieldNames());
        throw CommandException.done();
      }
      call.take(option);
    }
    call.check();
    if (call.completion()) {
      context.out().print(new CompletionFile(context, call).list());
      return 0;
    }
    SacctListing listing = listing(call);
    List<Found> found = new ArrayList<>();
    for (@Nullable String cluster :
        ClusterChoice.of(context, Sacct::failure, call.clusters(), false)) {
      found.add(find(context, call, cluster));
    }
    DocumentFormat document = call.document();
    if (document == null) {
      print(context, call, listing, found);
    } else {
      print(context.document(document), call, found);
    }
    return 0;
  }

  /** The table, or the texts of what was found. */
  private static void print(
      CommandContext context, SacctCall call, SacctListing listing, List<Found> found) {
    StoredText stored = call.storedText();
    List<String> parts = new ArrayList<>();
    for (Found one : found) {
      parts.add(
          stored == null
              ? listing.text(one.jobs(), one.style(), call.rows(one.query()))
              : texts(stored, one));
    }
    int header = stored == null ? call.table().headerLines() : 0;
    context.out().print(ClusterChoice.joined(parts, header));
  }

  /** One document of all that was found. */
  private static void print(JsonTarget document, SacctCall call, List<Found> found) {
    StoredText stored = call.storedText();
    RecordedJobsJson.print(
        document,
        found.stream()
            .map(one ->
                new RecordedJobsJson.ClusterJobs(
                    one.jobs(),
                    one.style(),
                    call.rows(one.query()),
                    job -> stored == StoredText.SCRIPT ? one.text(stored, job) : null))
            .toList());
  }

  private static SacctListing listing(SacctCall call) throws CommandException {
    List<String> unknown = new ArrayList<>();
    SacctListing listing = SacctListing.of(call.format(), call.table(), unknown);
    if (listing != null) {
      return listing;
    }
    String name = unknown.getFirst();
    String removed = REMOVED.get(name.toLowerCase(Locale.ROOT));
    throw removed == null
        ? CommandException.error("Invalid field requested: \"" + name + "\"")
        : CommandException.fatal(removed);
  }

  private static CommandException failure(String text) {
    return text.equals(ErrorCode.NOT_SUPPORTED.text())
        ? CommandException.plain("Slurm accounting storage is disabled")
        : CommandException.error("Problem talking to the database: " + text);
  }

  /** What was found for a query. */
  private record Found(
      JobHistoryQuery query, List<RecordedJob> jobs, SacctStyle style, Map<TextId, String> texts) {
    /** What is printed of a text of a job, null where it is not kept. */
    @Nullable String text(StoredText which, Job job) {
      String text = texts.get(which.kind().of(job.workload()));
      return text == null ? null : which.print(text);
    }
  }

  private static Found find(CommandContext context, SacctCall call, @Nullable String cluster)
      throws CommandException {
    boolean root = context.caller().uid() == 0;
    JobHistoryQuery first = call.query(Integer.toUnsignedString(context.caller().uid()), root);
    JobHistoryQuery query = first;
    List<RecordedJob> jobs = new ArrayList<>();
    Map<TextId, String> texts = new HashMap<>();
    Response.JobHistory page;
    do {
      page =
          Question.ask(
              context,
              Sacct::failure,
              null,
              new Request.ListJobHistory(query, cluster),
              Response.JobHistory.class);
      jobs.addAll(page.jobs());
      List<RecordedText> said = Objects.requireNonNullElse(page.texts(), List.of());
      said.forEach(one -> texts.put(one.id(), one.text()));
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
            call.units(),
            JobIdFormat.of(context.environment()),
            call.expandsPatterns());
    return new Found(first, call.filter().listed(jobs, style), style, texts);
  }

  /** The scripts or the environments of jobs. */
  private static String texts(StoredText which, Found found) {
    StringBuilder out = new StringBuilder();
    for (RecordedJob job : found.jobs()) {
      out.append(which.title(found.style().ids().text(job.job())))
          .append('\n')
          .repeat('-', RULE)
          .append('\n')
          .append(Objects.requireNonNullElse(found.text(which, job.job()), "NONE\n"))
          .append('\n');
    }
    return out.toString();
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
