package io.dure.surface.show;

import io.dure.model.cron.CronEntry;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.protocol.JobInfo;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The record of a job.
 *
 * @param times how moments are printed
 * @param now the controller's time
 * @param details whether the nodes are shown one by one
 */
public record JobRecordText(TimestampFormat times, Instant now, boolean details) {

  private static final String UNKNOWN = "Unknown";
  private static final String NONE = "(null)";

  public RecordText record(JobInfo info) {
    Job job = info.job();
    JobDetails facts = new JobDetails(info, now);
    RecordText record = new RecordText();
    record.line(name(job));
    record.lineIf(job.het() != null, job.het() == null ? "" : "HetJobIdSet=" + job.het().idSet());
    identity(record, info, facts);
    times(record, info, facts);
    JobResourceText resources = new JobResourceText(facts);
    record.line("Partition", facts.partition()).and("AllocNode:Sid", submitter(job));
    resources.addTo(record, details);
    paths(record, job, facts);
    resources.addGres(record);
    options(record, job.spec());
    return record.line("");
  }

  private static String name(Job job) {
    String array =
        switch (job.array()) {
          case null -> component(job.het());
          case ArrayPart.Task task ->
              array(task.arrayJobId(), Integer.toString(task.index()), task.throttle());
          case ArrayPart.Waiting waiting ->
              array(
                  waiting.arrayJobId(),
                  waiting.waiting().text()
                      + (waiting.throttle() == 0 ? "" : "%" + waiting.throttle()),
                  waiting.throttle());
        };
    return "JobId=" + job.id() + array + " JobName=" + job.spec().name();
  }

  private static String component(@Nullable HetComponent part) {
    return part == null ? "" : " HetJobId=" + part.leader() + " HetJobOffset=" + part.offset();
  }

  private static String array(int id, String tasks, int throttle) {
    return " ArrayJobId="
        + id
        + " ArrayTaskId="
        + tasks
        + (throttle == 0 ? "" : " ArrayTaskThrottle=" + throttle);
  }

  private void identity(RecordText record, JobInfo info, JobDetails facts) {
    Job job = info.job();
    JobSpec spec = job.spec();
    record
        .line("UserId", named(job.owner().userName(), job.owner().uid()))
        .and("GroupId", named(job.owner().groupName(), job.owner().gid()))
        .and("MCS_label", or(spec.resources().more().shown().mcsLabel(), "N/A"));
    record
        .line("Priority", job.priority())
        .and("Nice", spec.nice())
        .and("Account", or(spec.account(), NONE))
        .and("QOS", or(spec.qos(), NONE) + (spec.wckey() == null ? "" : " WCKey=" + spec.wckey()));
    String failed =
        facts.outcome() instanceof JobOutcome.NodeFailed lost ? " FailedNode=" + lost.node() : "";
    record
        .line("JobState", facts.status())
        .and("Reason", info.reason().replace(' ', '_') + failed)
        .and("Dependency", info.dependency().isEmpty() ? NONE : info.dependency());
    record
        .line("Requeue", info.requeue() ? 1 : 0)
        .and("Restarts", job.restarts())
        .and("BatchFlag", job.isBatch() ? 1 : 0)
        .and("Reboot", job.spec().asked().contains("reboot") ? "1" : "0")
        .and("ExitCode", facts.exit().text());
    CronEntry cron = job.cron();
    record.lineIf(
        cron != null,
        "CronJob=Yes CrontabSpec=\"" + (cron == null ? "" : cron.schedule().text()) + "\"");
    record.lineIf(
        details, "DerivedExitCode=" + job.runSteps().highest().text() + " SLUID=" + job.sluid());
  }

  private static String named(String name, int number) {
    return name + "(" + Integer.toUnsignedString(number) + ")";
  }

  private void times(RecordText record, JobInfo info, JobDetails facts) {
    JobSpec spec = info.job().spec();
    String eligible = times.formatOr(facts.eligibleTime(), UNKNOWN);
    record
        .line("RunTime", ElapsedTimeFormat.full(facts.elapsedSeconds()))
        .and("TimeLimit", limit(spec.timeLimit()))
        .and(
            "TimeMin",
            spec.timeMin() == null ? "N/A" : ElapsedTimeFormat.full(spec.timeMin().toSeconds()));
    record.line("SubmitTime", times.format(info.job().submitTime())).and("EligibleTime", eligible);
    record.line("AccrueTime=" + times.formatOr(info.job().accrueTime(), UNKNOWN));
    Instant resized = facts.resizeTime();
    if (resized != null) {
      record.line("ResizeTime=" + times.format(resized));
    }
    record
        .line("StartTime", times.formatOr(facts.start(), UNKNOWN))
        .and("EndTime", times.formatOr(facts.end(), UNKNOWN))
        .and("Deadline", times.formatOr(spec.deadline(), "N/A"));
    Instant start = facts.start();
    if (start != null && facts.base() != SlurmJobState.PENDING) {
      Instant from = info.preemptableFrom();
      record
          .line("PreemptEligibleTime", times.format(from == null ? start : from))
          .and("PreemptTime", times.formatOr(facts.preemptTime(), "None"));
    }
    record
        .line("SuspendTime", times.formatOr(facts.suspendTime(), "None"))
        .and("SecsPreSuspend", facts.secondsBeforeSuspension())
        .and("LastSchedEval", times.formatOr(info.lastEvaluated(), UNKNOWN))
        .and("Scheduler", "Main");
  }

  static String limit(TimeLimit limit) {
    return switch (limit) {
      case TimeLimit.Limited(Duration duration) -> ElapsedTimeFormat.full(duration.toSeconds());
      case TimeLimit.Unlimited _ -> ElapsedTimeFormat.UNLIMITED;
      case TimeLimit.PartitionDefault _ -> "Partition_Limit";
    };
  }

  private static String submitter(Job job) {
    return job.workload().submitHost() + ":" + job.workload().sessionId();
  }

  private static void paths(RecordText record, Job job, JobDetails facts) {
    StringBuilder command = new StringBuilder(or(job.workload().command(), NONE));
    for (String argument : job.workload().arguments()) {
      command.append(' ').append(argument);
    }
    record.line("Command=" + command);
    record.line("SubmitLine=" + job.workload().submitLine());
    record.line("WorkDir=" + job.workload().workDirectory());
    String admin = job.spec().adminComment();
    record.lineIf(admin != null, "AdminComment=" + admin + " ");
    String comment = job.spec().comment();
    record.lineIf(comment != null, "Comment=" + comment + " ");
    ResourceRequest.RareOptions more = job.spec().resources().more();
    KeptOptions kept = more.shown();
    record.lineIf(kept.extra() != null, "Extra=" + kept.extra() + " ");
    record.line("StdErr=" + OutputPaths.expand(OutputPaths.error(facts), facts));
    record.line("StdIn=" + OutputPaths.expand(OutputPaths.input(facts), facts));
    record.line("StdOut=" + OutputPaths.expand(OutputPaths.output(facts), facts));
    record.lineIf(kept.burstBuffer() != null, "BurstBuffer=" + kept.burstBuffer());
    record.lineIf(more.batchFeatures() != null, "BatchFeatures=" + more.batchFeatures());
    record.lineIf(kept.container() != null, "Container=" + kept.container());
    record.lineIf(kept.containerId() != null, "ContainerID=" + kept.containerId());
  }

  private static void options(RecordText record, JobSpec spec) {
    ResourceRequest.NodePreferences reach = spec.resources().reach();
    Duration wait = reach.switchWait();
    record.lineIf(
        reach.switches() != null,
        "Switches="
            + reach.switches()
            + (wait == null ? "" : "@" + ElapsedTimeFormat.full(wait.toSeconds())));
    if (spec.mailType() != null) {
      String user = or(spec.mailUser(), NONE);
      record.line("MailUser", user).and("MailType", spec.mailType());
    }
    record.lineIf(spec.asked().contains("spread-job"), "SpreadJob=Yes");
    Boolean kill = spec.killOnInvalidDependency();
    if (kill != null) {
      record.line("KillOInInvalidDependent=" + (kill ? "Yes" : "No"));
    }
  }

  private static String or(@Nullable String text, String otherwise) {
    return text == null || text.isEmpty() ? otherwise : text;
  }
}
