package io.dure.cli.request;

import io.dure.cli.command.CommandContext;
import io.dure.model.ErrorCode;
import io.dure.model.command.JobSelector;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.message.CommandException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Attempts of jobs as the accounting database has them, page by page. For the call's thread. */
public final class RecordedRuns {
  private RecordedRuns() {}

  /**
   * A question for all attempts of jobs that were there in a time.
   *
   * @param jobs only these, empty for all
   * @param users only theirs, empty for all
   * @param accounts only those charged to these, empty for all
   * @param from begin of the time, null for the first record
   * @param until its end, outside; null for now
   * @param steps whether their steps are asked for
   */
  public static JobHistoryQuery query(
      List<JobSelector> jobs,
      List<String> users,
      List<String> accounts,
      @Nullable Instant from,
      @Nullable Instant until,
      boolean steps) {
    List<String> all = List.of();
    return new JobHistoryQuery(
        jobs, users, all, accounts, all, all, all, all, all, all, from, until, null, null, null,
        steps, true, null, null, null);
  }

  /**
   * Asks, and gives each attempt to a consumer.
   *
   * @return the last page without its jobs' texts: the cluster's name and what it counts
   */
  public static Response.JobHistory each(
      CommandContext context, JobHistoryQuery query, Consumer<RecordedJob> consumer)
      throws CommandException {
    return each(context, null, query, consumer);
  }

  /** The same of a cluster, null for the controller's own. */
  public static Response.JobHistory each(
      CommandContext context,
      @Nullable String cluster,
      JobHistoryQuery query,
      Consumer<RecordedJob> consumer)
      throws CommandException {
    JobHistoryQuery next = query;
    Response.JobHistory page;
    do {
      page =
          Question.ask(
              context,
              RecordedRuns::failure,
              null,
              new Request.ListJobHistory(next, cluster),
              Response.JobHistory.class);
      page.jobs().forEach(consumer);
      next = next.withAfter(page.last());
    } while (page.last() != null);
    return page;
  }

  /** What is said where the books do not answer. */
  public static CommandException failure(String text) {
    return text.equals(ErrorCode.NOT_SUPPORTED.text())
        ? CommandException.error(
            "this cluster keeps no records of jobs (AccountingStorageType=accounting_storage/none)")
        : CommandException.error("Problem talking to the database: " + text);
  }
}
