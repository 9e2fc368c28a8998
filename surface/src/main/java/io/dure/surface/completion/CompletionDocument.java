package io.dure.surface.completion;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.message.CommandException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON document of a job that is over, in one line. */
public final class CompletionDocument {
  private static final double SECONDS_AN_HOUR = 3600;

  private final CompletedJob ended;
  private final SlurmJsonWriter json;

  private CompletionDocument(CompletedJob ended, SlurmJsonWriter json) {
    this.ended = ended;
    this.json = json;
  }

  /** The document, without the end of the line. */
  public static String of(CompletedJob ended) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    JsonTarget target =
        JsonTarget.ofCommand(text, Map.of("SLURM_JSON", "compact"), List.of(), format());
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object();
      CompletionDocument document = new CompletionDocument(ended, json);
      document.identity();
      document.run();
      document.times();
      document.request();
      json.endObject();
    }
    return text.toString(StandardCharsets.UTF_8).strip();
  }

  private static DocumentFormat format() {
    try {
      return DocumentFormat.json("");
    } catch (CommandException e) {
      throw new IllegalStateException(e);
    }
  }

  private void identity() {
    Job job = ended.facts().job();
    json.number("jobid", job.id())
        .text("username", job.owner().userName())
        .number("user_id", Integer.toUnsignedLong(job.owner().uid()))
        .text("groupname", job.owner().groupName())
        .number("group_id", Integer.toUnsignedLong(job.owner().gid()))
        .text("job_name", job.spec().name())
        .text("account", job.spec().account())
        .text("cluster", ended.cluster())
        .text("qos", job.spec().qos())
        .text("wc_key", job.spec().wckey());
    if (job.array() instanceof ArrayPart.Task task) {
      json.number("array_job_id", task.arrayJobId()).number("array_task_id", task.index());
    }
    if (job.het() != null) {
      json.number("het_job_id", job.baseId()).number("het_job_offset", job.id() - job.baseId());
    }
  }

  private void run() {
    long seconds = ended.facts().elapsedSeconds();
    json.text("state", ended.state())
        .text("derived_ec", ended.derived().text())
        .text("exit_code", ended.facts().exit().text())
        .text("partition", ended.facts().partition())
        .text("nodes", ended.nodes())
        .number("total_nodes", ended.nodeCount())
        .number("total_cpus", ended.cpus())
        .number("elapsed", seconds)
        .fraction("cpu_hours", seconds * ended.cpus() / SECONDS_AN_HOUR)
        .text("tres_alloc", ended.facts().allocation() == null ? "" : ended.facts().tres())
        .number("restart_cnt", ended.facts().job().restarts());
  }

  private void times() {
    Job job = ended.facts().job();
    moment("@submit", job.attemptTime());
    moment("@eligible", job.eligibleTime());
    moment("@start", ended.facts().start());
    moment("@end", ended.facts().end());
    Instant start = ended.facts().start();
    Instant eligible = job.eligibleTime();
    if (start != null && eligible != null && !start.isBefore(eligible)) {
      json.number("queue_wait", Duration.between(eligible, start).toSeconds());
    }
    Duration limit = ended.facts().limit();
    if (limit != null) {
      json.number("time_limit", limit.toMinutes());
    }
  }

  private void moment(String name, @Nullable Instant at) {
    if (at != null) {
      json.text(name, ended.time(at));
    }
  }

  private void request() {
    JobSpec spec = ended.facts().spec();
    json.text("tres_req", ended.facts().requestedTres())
        .text("reservation_name", ended.facts().reservation())
        .text("comment", spec.comment())
        .text("admin_comment", spec.adminComment())
        .text("work_dir", ended.facts().job().workload().workDirectory());
    if (ended.facts().job().isBatch()) {
      json.text("std_err", ended.error())
          .text("std_in", ended.input())
          .text("std_out", ended.output());
    }
  }
}
