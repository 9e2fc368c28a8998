package io.dure.surface.sacctmgr;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.JobState;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts records of jobs right, also of those that the controller does not have any more. */
final class SacctmgrJobs {
  private static final String QUESTION =
      "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ";
  private static final int MOST_JOBS = 5_000;
  private static final int HIGHEST_EXIT = 255;
  private static final int HIGHEST_SIGNAL = 127;

  private final SacctmgrSession session;
  private final List<JobSelector> jobs = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final List<String> wckeys = new ArrayList<>();
  private final List<String> clusters = new ArrayList<>();
  private @Nullable Instant from;
  private @Nullable Instant until;
  private JobCorrection correction = new JobCorrection(null, null, null, null);

  SacctmgrJobs(SacctmgrSession session) {
    this.session = session;
  }

  void modify(List<String> words) throws CommandException {
    boolean setting = false;
    for (String word : words) {
      if (SacctmgrSetting.isKeyword(word, "set")) {
        setting = true;
      } else if (SacctmgrSetting.isKeyword(word, "where")) {
        setting = false;
      } else if (setting) {
        correction = changed(SacctmgrSetting.of(word));
      } else {
        condition(SacctmgrSetting.of(word));
      }
    }
    if (correction.equals(new JobCorrection(null, null, null, null))) {
      throw CommandException.plain(" You didn't give me anything to set");
    }
    if (jobs.isEmpty() && users.isEmpty() && wckeys.isEmpty() && from == null && until == null) {
      throw CommandException.error(
          "name the jobs that are meant: where jobid=, user=, wckey=, ...");
    }
    for (String cluster : clusters) {
      if (!cluster.equals(session.cluster())) {
        throw CommandException.error(
            "the controller of cluster " + cluster + " alone changes records of its jobs: ask it");
      }
    }
    commit(found());
  }

  private void condition(SacctmgrSetting setting) throws CommandException {
    if (setting.isNameOr(1, "JobIDs")) {
      for (String one : KeywordParser.list(setting.value())) {
        JobReference job = JobReference.parse(one);
        if (job == null || job.step() != null) {
          throw CommandException.error("Invalid job id " + one);
        }
        jobs.add(job.selector());
      }
    } else if (setting.is(1, "Clusters")) {
      clusters.addAll(setting.names());
    } else if (setting.is(1, "StartTime")) {
      from = time(setting);
    } else if (setting.is(1, "EndTime")) {
      until = time(setting);
    } else if (setting.is(1, "Users")) {
      users.addAll(KeywordParser.list(setting.value()));
    } else if (setting.is(1, "WCKeys")) {
      wckeys.addAll(setting.names());
    } else {
      throw CommandException.plain(
          " Unknown condition: " + setting.word(), " Use keyword 'set' to modify value");
    }
  }

  private Instant time(SacctmgrSetting setting) throws CommandException {
    WallClock clock = new WallClock.Fixed(session.port().now(), session.port().zone());
    return DateTimeParser.parse(setting.value(), clock, DateTimeParser.PastOrFuture.PAST);
  }

  private JobCorrection changed(SacctmgrSetting setting) throws CommandException {
    String value = setting.value();
    if (setting.is(1, "AdminComment")) {
      return correction.withAdminComment(value);
    }
    if (setting.is(1, "Comment")) {
      return correction.withComment(value);
    }
    if (setting.is(1, "DerivedExitCode") || setting.is(9, "DerivedES")) {
      return correction.withDerivedExit(exit(value));
    }
    if (setting.is(1, "NewWCKey")) {
      return correction.withWckey(value.toLowerCase(Locale.ROOT));
    }
    if (setting.is(1, "SystemComment") || setting.is(1, "Extra")) {
      throw CommandException.error(
          setting.word() + ": jobs have no such text here; there are AdminComment and Comment");
    }
    throw CommandException.plain(
        " Unknown option: " + setting.word(), " Use keyword 'where' to modify condition");
  }

  /** An exit code, and a signal behind a colon. */
  private static ExitStatus exit(String text) throws CommandException {
    String[] parts = text.split(":", -1);
    long code = DigitParser.parse(parts[0], HIGHEST_EXIT);
    long signal = parts.length > 1 ? DigitParser.parse(parts[1], HIGHEST_SIGNAL) : 0;
    if (code < 0 || signal < 0 || parts.length > 2) {
      throw CommandException.error(
          "Invalid value for DerivedExitCode (" + text + "): write CODE or CODE:SIGNAL");
    }
    return new ExitStatus((int) code, (int) signal);
  }

  /** The last attempts of the jobs that are meant. */
  private List<RecordedJob> found() throws CommandException {
    // What a job was is known of a run that is over, though the next one waits already.
    boolean ofPast = correction.isOfPast();
    List<String> all = List.of();
    JobHistoryQuery next =
        new JobHistoryQuery(
            jobs, users, all, all, all, all, all, wckeys, all, all, from, until, null, null, null,
            false, ofPast, null, null, null);
    Map<Integer, RecordedJob> lasts = new LinkedHashMap<>();
    Response.JobHistory page;
    do {
      page = session.ask(new Request.ListJobHistory(next, null), Response.JobHistory.class);
      for (RecordedJob one : page.jobs()) {
        lasts.merge(one.job().id(), one, (before, later) -> isOver(later) ? later : before);
      }
      next = next.withAfter(page.last());
    } while (page.last() != null && lasts.size() <= MOST_JOBS);
    if (lasts.size() > MOST_JOBS) {
      throw CommandException.error(
          "more than " + MOST_JOBS + " jobs are meant: name fewer, for instance by times");
    }
    return List.copyOf(lasts.values());
  }

  /** The record of a run that was requeued has it as it was before that: as one that completes. */
  private static boolean isOver(RecordedJob one) {
    return one.requeued()
        || switch (one.job().state()) {
          case JobState.Ended _, JobState.Completing _ -> true;
          case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> false;
        };
  }

  private void commit(List<RecordedJob> found) throws CommandException {
    if (found.isEmpty()) {
      session.print(" Nothing modified\n");
      session.exitCode(1);
      return;
    }
    StringBuilder report = new StringBuilder(" Modified jobs...\n");
    TimestampFormat times = session.port().times(session.port().now());
    for (RecordedJob one : found) {
      report.append("  ").append(one.job().displayId()).append(" submitted at ");
      report.append(times.format(one.job().attemptTime())).append('\n');
    }
    boolean asks = !session.isImmediate();
    session.print(asks ? report.toString() : "");
    if (!session.agrees(QUESTION)) {
      session.print(" Changes Discarded\n");
      return;
    }
    List<AttemptId> attempts = found.stream().map(RecordedJob::attempt).toList();
    Reply.Refused refused =
        ResponseCheck.refusal(session.port().ask(new Request.CorrectJobs(attempts, correction)));
    if (refused == null) {
      session.print(asks ? "" : report.toString());
      return;
    }
    session.complain(SacctmgrSession.ERROR + refused.code().text());
    for (StderrMessage detail : ResponseCheck.details(refused)) {
      session.report(detail);
    }
  }
}
