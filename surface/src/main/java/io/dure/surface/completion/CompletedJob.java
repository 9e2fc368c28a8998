package io.dure.surface.completion;

import io.dure.model.ExitStatus;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.print.PlainText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a job that is over.
 *
 * @param facts the job, ended
 * @param cluster the cluster's name
 * @param zone in which its times stand
 */
public record CompletedJob(JobDetails facts, String cluster, ZoneId zone) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ISO_LOCAL_DATE_TIME;
  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  /**
   * A job that is over.
   *
   * @param tres what the cluster counts beside the usual resources
   */
  public static CompletedJob of(Job job, String cluster, List<String> tres, ZoneId zone) {
    if (job.state() instanceof JobState.Ended ended) {
      JobInfo info =
          new JobInfo(job, "None", null, List.of(), null, false, "", false, tres, null, null);
      return new CompletedJob(new JobDetails(info, ended.end()), cluster, zone);
    }
    throw new IllegalArgumentException("job " + job.id() + " has not ended");
  }

  private Job job() {
    return facts.job();
  }

  /** One line of a file, without control characters. */
  public String line() {
    Job job = job();
    StringBuilder line = new StringBuilder();
    add(line, "JobId", job.id());
    add(line, "UserId", job.owner().userName() + "(" + uid() + ")");
    add(line, "GroupId", job.owner().groupName() + "(" + gid() + ")");
    add(line, "Name", job.spec().name());
    add(line, "JobState", state());
    add(line, "Partition", facts.partition());
    add(line, "TimeLimit", limit());
    add(line, "StartTime", time(facts.start()));
    add(line, "EndTime", time(facts.end()));
    add(line, "NodeList", nodes());
    add(line, "NodeCnt", nodeCount());
    add(line, "ProcCnt", cpus());
    add(line, "WorkDir", job.workload().workDirectory());
    add(line, "ReservationName", text(facts.reservation()));
    add(line, "Tres", facts.allocation() == null ? "" : facts.tres());
    add(line, "Account", text(job.spec().account()));
    add(line, "QOS", text(job.spec().qos()));
    add(line, "WcKey", text(job.spec().wckey()));
    add(line, "Cluster", cluster);
    add(line, "SubmitTime", time(job.attemptTime()));
    add(line, "EligibleTime", time(job.eligibleTime()));
    if (job.array() instanceof ArrayPart.Task task) {
      add(line, "ArrayJobId", task.arrayJobId());
      add(line, "ArrayTaskId", task.index());
    }
    if (job.het() != null) {
      add(line, "HetJobId", job.baseId());
      add(line, "HetJobOffset", job.id() - job.baseId());
    }
    add(line, "DerivedExitCode", derived().text());
    add(line, "ExitCode", facts.exit().text());
    return PlainText.of(line.toString());
  }

  /** The environment of a program. */
  public Map<String, String> variables() {
    Job job = job();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("PATH", PATH);
    all.put("ACCOUNT", text(job.spec().account()));
    if (job.array() instanceof ArrayPart.Task task) {
      all.put("ARRAYJOBID", Integer.toString(task.arrayJobId()));
      all.put("ARRAYTASKID", Integer.toString(task.index()));
    }
    all.put("BATCH", job.isBatch() ? "yes" : "no");
    all.put("CLUSTER", cluster);
    all.put("DERIVED_EC", derived().text());
    all.put("END", seconds(facts.end()));
    all.put("EXITCODE", Integer.toString(facts.exit().code()));
    all.put("GID", gid());
    all.put("GROUPNAME", job.owner().groupName());
    if (job.het() != null) {
      all.put("HETJOBID", Integer.toString(job.baseId()));
      all.put("HETJOBOFFSET", Integer.toString(job.id() - job.baseId()));
    }
    all.put("JOBID", Integer.toString(job.id()));
    all.put("JOBNAME", job.spec().name());
    all.put("JOBSTATE", state());
    all.put("LIMIT", limit());
    all.put("NODECNT", Integer.toString(nodeCount()));
    all.put("NODES", nodes());
    all.put("PARTITION", facts.partition());
    all.put("PROCS", Integer.toString(cpus()));
    all.put("QOS", text(job.spec().qos()));
    all.put("RESERVATIONNAME", text(facts.reservation()));
    all.put("START", seconds(facts.start()));
    if (job.isBatch()) {
      all.put("STDERR", error());
      all.put("STDIN", input());
      all.put("STDOUT", output());
    }
    all.put("SUBMIT", seconds(job.attemptTime()));
    all.put("UID", uid());
    all.put("USERNAME", job.owner().userName());
    all.put("WCKEY", text(job.spec().wckey()));
    all.put("WORK_DIR", job.workload().workDirectory());
    all.values().removeIf(value -> value.indexOf('\0') >= 0);
    return all;
  }

  private static void add(StringBuilder line, String key, Object value) {
    line.append(line.isEmpty() ? "" : " ").append(key).append('=').append(value);
  }

  String uid() {
    return Integer.toUnsignedString(job().owner().uid());
  }

  String gid() {
    return Integer.toUnsignedString(job().owner().gid());
  }

  String state() {
    return facts.base().name();
  }

  String nodes() {
    return facts.allocation() == null ? "(null)" : facts.nodeList();
  }

  int nodeCount() {
    return facts.allocation() == null ? 0 : facts.nodeCount();
  }

  int cpus() {
    return facts.allocation() == null ? 0 : facts.cpus();
  }

  ExitStatus derived() {
    return job().runSteps().highest();
  }

  String input() {
    return OutputPaths.expand(OutputPaths.input(facts), facts);
  }

  String output() {
    return OutputPaths.expand(OutputPaths.output(facts), facts);
  }

  String error() {
    return OutputPaths.expand(OutputPaths.error(facts), facts);
  }

  String limit() {
    Duration limit = facts.limit();
    return limit == null ? "UNLIMITED" : Long.toString(limit.toMinutes());
  }

  private static String text(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }

  String time(@Nullable Instant at) {
    return at == null
        ? "Unknown"
        : TIME.format(at.atZone(zone).truncatedTo(ChronoUnit.SECONDS).toLocalDateTime());
  }

  private static String seconds(@Nullable Instant at) {
    return at == null ? "0" : Long.toString(at.getEpochSecond());
  }
}
