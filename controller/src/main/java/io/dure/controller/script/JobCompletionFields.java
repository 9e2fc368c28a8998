package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.model.HostList;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.TimeLimit;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.facts.TresFormat;
import io.dure.surface.print.PlainText;
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
 * @param job the job, ended
 * @param ended its state
 * @param cluster the cluster's name
 */
record JobCompletionFields(Job job, JobState.Ended ended, String cluster) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ISO_LOCAL_DATE_TIME;

  static JobCompletionFields of(Job job, ClusterState state) {
    if (job.state() instanceof JobState.Ended ended) {
      return new JobCompletionFields(job, ended, state.settings().controller().clusterName());
    }
    throw new IllegalArgumentException("job " + job.id() + " has not ended");
  }

  /** One line of a file, without control characters. */
  String line(ZoneId zone) {
    StringBuilder line = new StringBuilder();
    add(line, "JobId", job.id());
    add(line, "UserId", job.owner().userName() + "(" + Integer.toUnsignedLong(uid()) + ")");
    long gid = Integer.toUnsignedLong(job.owner().gid());
    add(line, "GroupId", job.owner().groupName() + "(" + gid + ")");
    add(line, "Name", job.spec().name());
    add(line, "JobState", state());
    add(line, "Partition", partition());
    add(line, "TimeLimit", limit());
    add(line, "StartTime", time(ended.start(), zone));
    add(line, "EndTime", time(ended.end(), zone));
    add(line, "NodeList", nodes());
    add(line, "NodeCnt", shares().size());
    add(line, "ProcCnt", cpus());
    add(line, "WorkDir", job.workload().workDirectory());
    add(line, "ReservationName", String.join(",", job.spec().reservations()));
    add(line, "Tres", tres());
    add(line, "Account", text(job.spec().account()));
    add(line, "QOS", text(job.spec().qos()));
    add(line, "WcKey", text(job.spec().wckey()));
    add(line, "Cluster", cluster);
    add(line, "SubmitTime", time(job.submitTime(), zone));
    add(line, "EligibleTime", time(job.eligibleTime(), zone));
    add(line, "DerivedExitCode", job.runSteps().highest().text());
    add(line, "ExitCode", ended.outcome().exit().text());
    return PlainText.of(line.toString());
  }

  /** The environment of a program. */
  Map<String, String> variables() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("ACCOUNT", text(job.spec().account()));
    if (job.array() instanceof ArrayPart.Task task) {
      all.put("ARRAYJOBID", Integer.toString(task.arrayJobId()));
      all.put("ARRAYTASKID", Integer.toString(task.index()));
    }
    all.put("BATCH", job.isBatch() ? "yes" : "no");
    all.put("CLUSTER", cluster);
    all.put("END", seconds(ended.end()));
    all.put("EXITCODE", Integer.toString(ended.outcome().exit().code()));
    all.put("GID", Integer.toUnsignedString(job.owner().gid()));
    all.put("GROUPNAME", job.owner().groupName());
    all.put("JOBID", Integer.toString(job.id()));
    all.put("JOBNAME", job.spec().name());
    all.put("JOBSTATE", state());
    all.put("LIMIT", limit());
    all.put("NODECNT", Integer.toString(shares().size()));
    all.put("NODES", nodes());
    all.put("PARTITION", partition());
    all.put("PROCS", Integer.toString(cpus()));
    all.put("QOS", text(job.spec().qos()));
    all.put("START", seconds(ended.start()));
    all.put("SUBMIT", seconds(job.submitTime()));
    all.put("UID", Integer.toUnsignedString(uid()));
    all.put("USERNAME", job.owner().userName());
    all.put("WCKEY", text(job.spec().wckey()));
    all.put("WORK_DIR", job.workload().workDirectory());
    all.values().removeIf(value -> value.indexOf('\0') >= 0);
    return all;
  }

  private static void add(StringBuilder line, String key, Object value) {
    line.append(line.isEmpty() ? "" : " ").append(key).append('=').append(value);
  }

  private int uid() {
    return job.owner().uid();
  }

  private String state() {
    return SlurmJobState.base(ended).name();
  }

  private String partition() {
    Allocation allocation = ended.allocation();
    return allocation == null ? String.join(",", job.spec().partitions()) : allocation.partition();
  }

  private List<NodeShare> shares() {
    Allocation allocation = ended.allocation();
    return allocation == null ? List.of() : allocation.shares();
  }

  private String nodes() {
    Allocation allocation = ended.allocation();
    return allocation == null ? "(null)" : HostList.compress(allocation.nodes());
  }

  private int cpus() {
    return shares().stream().mapToInt(NodeShare::cpus).sum();
  }

  private String tres() {
    long memory = shares().stream().mapToLong(NodeShare::memoryMib).sum();
    return shares().isEmpty() ? "" : TresFormat.ofJob(cpus(), memory, shares().size());
  }

  private String limit() {
    return job.spec().timeLimit() instanceof TimeLimit.Limited limited
        ? Long.toString(limited.duration().toMinutes())
        : "UNLIMITED";
  }

  private static String text(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }

  private static String time(@Nullable Instant at, ZoneId zone) {
    return at == null
        ? "Unknown"
        : TIME.format(at.atZone(zone).truncatedTo(ChronoUnit.SECONDS).toLocalDateTime());
  }

  private static String seconds(@Nullable Instant at) {
    return at == null ? "0" : Long.toString(at.getEpochSecond());
  }
}
