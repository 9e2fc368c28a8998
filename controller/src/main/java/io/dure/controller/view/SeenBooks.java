package io.dure.controller.view;

import io.dure.accounting.JobHistory;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.Wckey;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.command.Caller;
import io.dure.model.job.Allocation;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextId;
import io.dure.model.privacy.CallerSight;
import io.dure.model.request.JobSpec;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedText;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a caller sees of the books, whichever program it asks. */
public final class SeenBooks {
  /** What is done to jobs, and not to accounts. */
  private static final Set<String> ABOUT_JOBS =
      Set.of(
          AccountingRecord.AccountsChange.MODIFY_JOB,
          AccountingRecord.AccountsChange.FIX_RUNAWAY_JOBS);

  private SeenBooks() {}

  /**
   * A page of jobs without those that the caller may not see.
   *
   * @param query that it answers
   * @param numbers the accounts whose numbers jobs show, null where they show none
   */
  public static JobHistory.Page jobs(
      JobHistory.Page page,
      JobHistoryQuery query,
      CallerSight sight,
      Caller.User caller,
      @Nullable AccountingTree numbers) {
    List<RecordedJob> seen =
        page.jobs().stream()
            .filter(job ->
                sight.ofJob(job.job().owner(), job.job().spec().account())
                    && (query.text() == null || sight.operator() || owns(caller, job)))
            .map(job -> numbers == null ? job : numbered(numbers, job))
            .toList();
    return new JobHistory.Page(seen, page.last(), texts(query, page, seen));
  }

  /** Whether all of an answer is hidden from the caller. */
  public static boolean hides(UsageQuery query, CallerSight sight) {
    return query.part() == UsageQuery.Part.RESERVATIONS && sight.hides("reservations");
  }

  /** The same of history. */
  public static boolean hides(ClusterHistoryQuery query, CallerSight sight) {
    return switch (query.part()) {
      case EVENTS -> sight.hides("events");
      case RESERVATIONS -> sight.hides("reservations");
      case TRANSACTIONS -> sight.hides("accounts") || sight.hides("users");
    };
  }

  /**
   * Lines of history without those that tell of jobs of others which the caller may not see.
   *
   * @param history that is not hidden as a whole
   */
  public static ClusterHistory history(
      ClusterHistory history, CallerSight sight, Caller.User caller) {
    if (!sight.hides("jobs")) {
      return history;
    }
    String name = caller.identity().userName();
    return new ClusterHistory(
        history.clusterName(),
        history.events(),
        history.transactions().stream()
            .filter(line -> line.actor().equals(name) || !ABOUT_JOBS.contains(line.action()))
            .toList(),
        history.reservations());
  }

  /**
   * What was used, without what the caller may not see of others.
   *
   * @param query that it answers
   */
  public static UsageReport usage(
      UsageReport report, UsageQuery query, CallerSight sight, Caller.User caller) {
    boolean sizes = query.part() == UsageQuery.Part.JOB_SIZES;
    boolean ownOnly = sight.hides("usage") || sight.hides("users") || sizes && sight.hides("jobs");
    String name = caller.identity().userName();
    return new UsageReport(
        report.clusterName(),
        report.owners().stream()
            .filter(row ->
                ownOnly
                    ? row.user().equals(name) || sight.coordinates(row.account())
                    : sight.ofAccount(row.account()))
            .toList(),
        report.cluster(),
        report.sizes().stream()
            .filter(row ->
                ownOnly
                    ? row.user().equals(name) || sight.coordinates(row.account())
                    : sight.ofAccount(row.account()))
            .toList(),
        report.trackedTres(),
        report.reservations());
  }

  /** With the numbers that its account and QOS have now. */
  private static RecordedJob numbered(AccountingTree tree, RecordedJob job) {
    JobSpec spec = job.job().spec();
    JobState ran = job.job().state();
    Allocation held = ran instanceof JobState.Ended over ? over.allocation() : ran.allocated();
    Association charged =
        spec.account() == null
            ? null
            : tree.charged(
                spec.account(),
                job.job().owner().userName(),
                held == null ? null : held.partition());
    Qos qos = spec.qos() == null ? null : tree.qos(spec.qos());
    AccountUser owner = tree.user(job.job().owner().userName());
    String key = spec.wckey();
    Wckey named =
        owner == null || key == null
            ? null
            : owner.wckey(key.startsWith("*") ? key.substring(1) : key);
    return job.charged(
        charged == null ? null : charged.id(),
        qos == null ? null : qos.id(),
        named == null ? null : named.id());
  }

  /** The texts of jobs that the caller sees, and of no others. */
  private static List<RecordedText> texts(
      JobHistoryQuery query, JobHistory.Page page, List<RecordedJob> seen) {
    RecordedText.Kind kind = query.text();
    if (kind == null) {
      return List.of();
    }
    Set<TextId> ids =
        seen.stream().map(job -> kind.of(job.job().workload())).collect(Collectors.toSet());
    return page.texts().stream().filter(text -> ids.contains(text.id())).toList();
  }

  private static boolean owns(Caller.User caller, RecordedJob job) {
    return job.job().owner().uid() == caller.identity().uid();
  }
}
