package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.facts.JobIdFormat;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.print.SizeUnits;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacct.RecordedJobsJson;
import io.dure.surface.sacct.SacctStyle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that the accounting database takes for running or waiting and that the controller does not
 * have: they are listed, and ended there if the user wants it.
 */
final class SacctmgrRunaways {
  private static final String NOTE =
      "NOTE: Runaway jobs are jobs that don't exist in the controller but have a start time and no"
          + " end time in the database\n";
  private static final String QUESTION =
      """

      Would you like to fix these runaway jobs?
      (This will set the end time for each job to the latest out of the start, eligible, or submit \
      times, and set the state to completed.
      Once corrected, this will trigger the rollup to reroll usage from before the earliest submit \
      time of all the runaway jobs.)

       (You have 30 seconds to decide)
      (N/y):\
      """
          + " ";
  private static final String USUAL =
      "ID%-12,Name,Partition,Cluster,State%10,TimeSubmit,TimeStart,TimeEnd";

  private final SacctmgrSession session;
  private final List<String> clusters = new ArrayList<>();
  private @Nullable String format;

  SacctmgrRunaways(SacctmgrSession session) {
    this.session = session;
  }

  void show(List<String> words) throws CommandException {
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.is(3, "Format")) {
        format = setting.value();
      } else if (setting.isNameOr(1, "Clusters")) {
        clusters.addAll(setting.key().isEmpty() ? List.of(setting.value()) : setting.names());
      } else if (!SacctmgrSetting.isKeyword(word, "where")) {
        session.complain(" Unknown condition: " + word);
      }
    }
    clusters.removeIf(word -> word.equalsIgnoreCase("where"));
    if (clusters.isEmpty()) {
      clusters.add(session.cluster());
    }
    if (!session.isOperator()) {
      throw CommandException.error("You must have an AdminLevel>=Operator to fix runaway jobs");
    }
    for (String cluster : clusters) {
      show(cluster);
    }
  }

  private void show(String cluster) throws CommandException {
    Response.JobHistory found = find(cluster);
    List<RecordedJob> jobs = found.jobs();
    JsonTarget target = session.documentTarget();
    if (target != null) {
      print(target, found);
      return;
    }
    if (jobs.isEmpty()) {
      session.print("Runaway Jobs: No runaway jobs found on cluster " + cluster + "\n");
      return;
    }
    session.print(NOTE);
    session.print(session.table().text(columns(cluster), jobs));
    if (session.agrees(QUESTION)) {
      end(cluster, jobs);
    } else {
      session.print("Changes Discarded\n");
    }
  }

  private Response.JobHistory find(String cluster) throws CommandException {
    if (!cluster.equals(session.cluster())
        && session.clusters().stream().noneMatch(one -> one.cluster().equals(cluster))) {
      return new Response.JobHistory(cluster, List.of(), null, List.of(), List.of());
    }
    Response answer = session.port().ask(new Request.ShowRunawayJobs(named(cluster)));
    Reply.Refused refused = ResponseCheck.refusal(answer);
    if (refused != null && !refused.detail().isEmpty()) {
      throw CommandException.error(refused.detail());
    }
    return session.expected(answer, Response.JobHistory.class);
  }

  /** Null for the controller's own, which one of an older release knows alone. */
  private @Nullable String named(String cluster) throws CommandException {
    return cluster.equals(session.cluster()) ? null : cluster;
  }

  private void print(JsonTarget target, Response.JobHistory found) {
    Instant now = session.port().now();
    SacctStyle style =
        new SacctStyle(
            found.clusterName(),
            found.trackedTres(),
            session.port().times(now),
            now,
            null,
            null,
            false,
            SizeUnits.EXACT,
            JobIdFormat.of(Map.of()));
    RecordedJobsJson.print(target, found.jobs(), style, (_, _) -> true, _ -> null);
  }

  private void end(String cluster, List<RecordedJob> jobs) throws CommandException {
    session.refuseIfReadOnly();
    Reply.Refused refused =
        ResponseCheck.refusal(
            session
                .port()
                .ask(
                    new Request.EndRunawayJobs(
                        jobs.stream().map(RecordedJob::attempt).toList(), named(cluster))));
    if (refused != null) {
      boolean denied = refused.code() == ErrorCode.ACCESS_DENIED;
      throw CommandException.error(
          "Failed to fix runaway job: " + (denied ? refused.code().text() : refused.detail()));
    }
  }

  private List<AccountingField<RecordedJob>> columns(String cluster) throws CommandException {
    TimestampFormat times = session.port().times(session.port().now());
    List<AccountingField<RecordedJob>> all =
        List.of(
            column("ID", 6, job -> Integer.toString(job.id())),
            column("Name", 10, job -> Objects.requireNonNullElse(job.spec().name(), "")),
            column("Partition", 10, SacctmgrRunaways::partition),
            column("Cluster", 10, _ -> cluster),
            column("State", 6, job -> SlurmJobState.base(job.state()).name()),
            column("TimeSubmit", 19, job -> times.format(job.attemptTime())),
            column("TimeStart", 19, job -> start(job, times)),
            column("TimeEnd", 19, _ -> "Unknown"),
            column("User", 10, job -> job.owner().userName()));
    List<String> unknown = new ArrayList<>();
    List<AccountingField<RecordedJob>> fields =
        AccountingField.parse(all, Objects.requireNonNullElse(format, USUAL), unknown);
    if (fields == null) {
      throw CommandException.plain("Unknown field '" + unknown.getFirst() + "'");
    }
    return fields;
  }

  private static AccountingField<RecordedJob> column(
      String header, int width, Function<Job, String> value) {
    return new AccountingField<>(
        header, List.of(header.toLowerCase(Locale.ROOT)), width, row -> value.apply(row.job()));
  }

  private static String partition(Job job) {
    var held = job.state().allocated();
    return held == null ? String.join(",", job.spec().partitions()) : held.partition();
  }

  private static String start(Job job, TimestampFormat times) {
    JobState.Running run = job.state().runningOrSuspended();
    return run == null ? "Unknown" : times.format(run.start());
  }
}
