package io.dure.cli.torque;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.print.PlainText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that {@code qstat -f} tells of a job, by PBS's names.
 *
 * @param server the cluster
 * @param zone in which times are told
 */
record PbsAttributes(String server, ZoneId zone) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ROOT);

  /** The attributes in order. */
  Map<String, String> of(PbsRow row) {
    JobDetails details = row.details();
    Job job = details.job();
    Map<String, String> all = new LinkedHashMap<>();
    String host = job.workload().submitHost();
    all.put("Job_Name", row.name());
    all.put("Job_Owner", row.owner() + "@" + (host.isEmpty() ? server : host));
    if (details.elapsedSeconds() > 0) {
      all.put("resources_used.walltime", row.elapsed());
    }
    all.put("job_state", Character.toString(row.state()));
    all.put("queue", row.queue());
    all.put("server", server);
    put(all, "Account_Name", details.spec().account());
    put(all, "depend", details.info().dependency());
    if (job.isBatch()) {
      all.put("Error_Path", path(details, OutputPaths.error(details)));
      all.put("Output_Path", path(details, OutputPaths.output(details)));
    } else {
      all.put("interactive", "True");
    }
    put(all, "exec_host", row.hosts());
    all.put("Priority", Long.toString(job.priority()));
    times(all, details);
    all.put("Rerunable", details.info().requeue() ? "True" : "False");
    put(all, "Resource_List.mem", row.memory());
    all.put("Resource_List.ncpus", Integer.toString(details.cpus()));
    all.put("Resource_List.nodect", Integer.toString(details.nodeCount()));
    all.put("Resource_List.nodes", nodes(details));
    put(all, "Resource_List.walltime", row.limit());
    int session = job.workload().sessionId();
    put(all, "session_id", session == 0 ? null : Integer.toString(session));
    all.put("euser", row.owner());
    all.put("egroup", job.owner().groupName());
    put(all, "submit_args", job.workload().submitLine());
    put(all, "comment", details.info().reason().equals("None") ? null : details.info().reason());
    JobOutcome outcome = details.outcome();
    if (outcome != null) {
      int signal = outcome.exit().signal();
      // PBS adds 256 to the number of a signal.
      all.put("exit_status", Integer.toString(signal == 0 ? outcome.exit().code() : signal + 256));
    }
    return all;
  }

  /** {@code 2:ppn=4}, or the names of its nodes where they are named. */
  private static String nodes(JobDetails details) {
    int nodes = Math.max(1, details.nodeCount());
    return nodes + ":ppn=" + Math.max(1, details.cpus() / nodes);
  }

  private void times(Map<String, String> all, JobDetails details) {
    Job job = details.job();
    all.put("ctime", time(job.submitTime()));
    all.put("qtime", time(job.submitTime()));
    Instant eligible = details.eligibleTime();
    put(all, "etime", eligible == null ? null : time(eligible));
    Instant start = details.start();
    boolean ran = details.allocation() != null;
    put(all, "start_time", start == null || !ran ? null : time(start));
    Instant end = details.end();
    put(all, "comp_time", end == null || details.outcome() == null ? null : time(end));
  }

  private String path(JobDetails details, String pattern) {
    String host = details.job().workload().submitHost();
    return (host.isEmpty() ? "" : host + ":") + OutputPaths.expand(pattern, details);
  }

  private String time(Instant at) {
    return TIME.format(at.atZone(zone));
  }

  private static void put(Map<String, String> all, String name, @Nullable String value) {
    if (!Objects.requireNonNullElse(value, "").isEmpty()) {
      all.put(name, Objects.requireNonNull(value));
    }
  }

  /** A block of lines for each job. */
  String full(List<PbsRow> rows) {
    StringBuilder text = new StringBuilder();
    for (PbsRow row : rows) {
      text.append("Job Id: ").append(row.id()).append('\n');
      of(row).forEach((name, value) -> attribute(text, name, value));
      text.append('\n');
    }
    return text.toString();
  }

  /** The same of queues. */
  static String queues(List<PartitionConfig> queues, List<PbsRow> rows) {
    StringBuilder text = new StringBuilder();
    for (PartitionConfig queue : queues) {
      text.append("Queue: ").append(queue.name()).append('\n');
      attribute(text, "queue_type", "Execution");
      attribute(
          text,
          "total_jobs",
          Long.toString(
              rows.stream()
                  .filter(row -> !row.isDone() && row.queue().equals(queue.name()))
                  .count()));
      if (queue.limits().maxTime() != null) {
        long most = queue.limits().maxTime().toSeconds();
        attribute(text, "resources_max.walltime", PbsRow.clock(most));
      }
      attribute(text, "enabled", queue.state().accepts() ? "True" : "False");
      attribute(text, "started", queue.state().starts() ? "True" : "False");
      text.append('\n');
    }
    return text.toString();
  }

  private static void attribute(StringBuilder text, String name, String value) {
    text.append("    ").append(name).append(" = ").append(PlainText.of(value)).append('\n');
  }

  /** As programs read it ({@code qstat -x}). */
  String xml(List<PbsRow> rows) {
    StringBuilder text = new StringBuilder("<Data>");
    for (PbsRow row : rows) {
      text.append("<Job><Job_Id>").append(row.id()).append("</Job_Id>");
      String group = "";
      for (Map.Entry<String, String> one : of(row).entrySet()) {
        int point = one.getKey().indexOf('.');
        String next = point < 0 ? "" : one.getKey().substring(0, point);
        if (!next.equals(group)) {
          text.append(group.isEmpty() ? "" : "</" + group + ">");
          text.append(next.isEmpty() ? "" : "<" + next + ">");
          group = next;
        }
        String name = one.getKey().substring(point + 1);
        text.append('<').append(name).append('>').append(escaped(one.getValue()));
        text.append("</").append(name).append('>');
      }
      text.append(group.isEmpty() ? "" : "</" + group + ">").append("</Job>");
    }
    return text.append("</Data>\n").toString();
  }

  private static String escaped(String text) {
    return PlainText.of(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
