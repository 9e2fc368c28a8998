package io.dure.surface.sacct;

import io.dure.model.ExitStatus;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.MemoryRequest;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.json.SlurmJsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a recorded job with the members that Slurm's data parser gives it, in its order. For one
 * thread.
 */
final class RecordedJobJson {
  private final SlurmJsonWriter json;
  private final SacctRow row;
  private final JobDetails facts;
  private final TresNumbers numbers;

  private RecordedJobJson(SlurmJsonWriter json, SacctRow row, TresNumbers numbers) {
    this.json = json;
    this.row = row;
    this.facts = row.job();
    this.numbers = numbers;
  }

  /**
   * Writes a job.
   *
   * @param row its own row
   * @param steps those of its steps that are asked for
   * @param script its script, null where that is not known
   */
  static void write(
      SlurmJsonWriter json,
      SacctRow row,
      List<SacctRow> steps,
      TresNumbers numbers,
      @Nullable String script) {
    RecordedJobJson writer = new RecordedJobJson(json, row, numbers);
    json.object();
    writer.identity();
    writer.times();
    writer.ends();
    writer.placement();
    writer.request();
    writer.texts(script);
    writer.files();
    writer.state();
    json.list("steps");
    steps.forEach(step -> RecordedStepJson.write(json, step, numbers));
    json.endList();
    writer.resources();
    json.endObject();
  }

  private void identity() {
    JobSpec spec = facts.spec();
    KeptOptions kept = spec.resources().more().shown();
    Integer association = row.recorded().association();
    json.text("account", spec.account())
        .object("comment")
        .text("administrator", spec.adminComment())
        .text("job", spec.comment())
        .text("system", "")
        .endObject()
        .number("allocation_nodes", facts.allocation() == null ? 0 : row.nodeCount());
    array();
    json.object("association")
        .text("account", spec.account())
        .text("cluster", row.style().cluster())
        .text("partition", "")
        .text("user", facts.job().owner().userName())
        .number("id", association == null ? 0 : association)
        .endObject()
        .text("block", "")
        .text("cluster", row.style().cluster())
        .text("constraints", spec.resources().features())
        .text("container", kept.container());
    json.text("sluid", facts.job().sluid());
    exit("derived_exit_code", facts.job().runSteps().highest());
  }

  private void array() {
    ArrayPart array = facts.job().array();
    int throttle =
        switch (array) {
          case null -> 0;
          case ArrayPart.Task task -> task.throttle();
          case ArrayPart.Waiting waiting -> waiting.throttle();
        };
    json.object("array")
        .number("job_id", array == null ? 0 : array.arrayJobId())
        .object("limits")
        .object("max")
        .object("running")
        .number("tasks", throttle)
        .endObject()
        .endObject()
        .endObject()
        .maybe("task_id", array instanceof ArrayPart.Task task ? task.index() : null)
        .text("task", array instanceof ArrayPart.Waiting waiting ? waiting.waiting().text() : "")
        .endObject();
  }

  private void times() {
    Duration limit = facts.limit();
    json.object("time")
        .number("elapsed", row.elapsed())
        .number("eligible", SacctRow.seconds(SacctFields.eligible(row)))
        .number("end", SacctRow.seconds(row.end()))
        .maybe("planned", SacctFields.waited(row))
        .number("start", SacctRow.seconds(row.start()))
        .number("submission", SacctRow.seconds(facts.job().attemptTime()))
        .number("suspended", row.suspended());
    json.cpuTime("system", row.micros(false, true));
    json.bound("limit", limit == null ? null : Long.valueOf(limit.toMinutes()));
    json.cpuTime("total", row.micros(true, true));
    json.cpuTime("user", row.micros(true, false));
    json.endObject();
  }

  private void ends() {
    JobSpec spec = facts.spec();
    json.text("exclusive", SacctFields.exclusive(row));
    exit("exit_code", row.exit());
    json.text("extra", spec.resources().more().shown().extra())
        .text(
            "failed_node",
            facts.outcome() instanceof JobOutcome.NodeFailed failed ? failed.node() : "")
        .texts("flags", flags());
    HetComponent het = facts.job().het();
    json.text("group", facts.job().owner().groupName())
        .object("het")
        .number("job_id", het == null ? 0 : het.leader())
        .maybe("job_offset", het == null ? null : het.offset())
        .endObject()
        .number("job_id", facts.job().id())
        .text("name", spec.name())
        .text("licenses", facts.licenses(""));
  }

  private void exit(String name, ExitStatus exit) {
    json.exit(name, SlurmJsonWriter.ending(exit), exit);
  }

  private List<String> flags() {
    return SchedulingFlag.of(facts).stream().map(SchedulingFlag::member).toList();
  }

  private void placement() {
    Job job = facts.job();
    json.object("mcs")
        .text("label", facts.spec().resources().more().shown().mcsLabel())
        .endObject()
        .text("nodes", row.nodes());
    json.text("oversubscribe", facts.sharesCores() ? "YES" : "NO");
    boolean held = job.state() instanceof JobState.Pending pending && pending.hold() != Hold.NONE;
    json.text("partition", facts.partition())
        .flag("hold", held)
        .maybe("priority", job.priority())
        .text("qos", facts.spec().qos())
        .text("qosreq", facts.spec().qos());
  }

  private void request() {
    Allocation held = facts.allocation();
    Integer reservation = held == null ? null : held.reservationId();
    MemoryRequest memory = facts.spec().resources().memory();
    Long perNode =
        switch (memory) {
          case MemoryRequest.PerNode(long mib) -> Long.valueOf(mib);
          case MemoryRequest.PerCpu _, MemoryRequest.PerGpu _ -> null;
          // What the site gives such a job.
          case MemoryRequest.Default _ ->
              held == null ? null : Long.valueOf(held.memoryMib() / held.shares().size());
        };
    json.object("required")
        .number("CPUs", facts.spec().resources().neededCpus())
        .maybe(
            "memory_per_cpu",
            memory instanceof MemoryRequest.PerCpu(long mib) ? Long.valueOf(mib) : null)
        .maybe("memory_per_node", perNode)
        .endObject()
        .text("kill_request_user", killer())
        .number("restart_cnt", facts.job().restarts())
        .object("reservation")
        .number("id", reservation == null ? 0 : reservation)
        .text("name", facts.reservation());
    json.text("requested", String.join(",", facts.spec().reservations()));
    json.endObject();
  }

  private void texts(@Nullable String script) {
    json.text("script", script);
    Integer segment = facts.spec().resources().reach().segment();
    json.number("segment_size", Objects.requireNonNullElse(segment, 0));
    json.text("original_sluid", facts.job().sluid());
  }

  /** Names of others than the owner are not recorded, and stand as numbers. */
  private String killer() {
    if (!(facts.outcome() instanceof JobOutcome.Cancelled cancelled)) {
      return "";
    }
    return cancelled.uid() == facts.job().owner().uid()
        ? facts.job().owner().userName()
        : cancelled.uid() == 0 ? "root" : Integer.toUnsignedString(cancelled.uid());
  }

  private void files() {
    boolean batch = facts.job().isBatch();
    String input = batch ? OutputPaths.input(facts) : "";
    String output = batch ? OutputPaths.output(facts) : "";
    String error = batch ? OutputPaths.error(facts) : "";
    json.text("stdin_expanded", OutputPaths.expand(input, facts))
        .text("stdout_expanded", OutputPaths.expand(output, facts))
        .text("stderr_expanded", OutputPaths.expand(error, facts))
        .text("stdout", output)
        .text("stderr", error)
        .text("stdin", input);
  }

  private void state() {
    json.object("state")
        .texts("current", row.states())
        .text("reason", Objects.requireNonNullElse(SacctFields.reason(row), SacctFields.NO_REASON))
        .endObject();
  }

  private void resources() {
    String key = Objects.requireNonNullElse(facts.spec().wckey(), "");
    boolean usual = key.startsWith("*");
    json.text("submit_line", SacctFields.submitLine(row))
        .object("tres")
        .resources("allocated", RowResources.allocated(row), numbers)
        .resources("requested", RowResources.requested(row), numbers)
        .endObject()
        .text("used_gres", "")
        .text("user", facts.job().owner().userName())
        .object("wckey")
        .text("wckey", usual ? key.substring(1) : key)
        .texts("flags", usual ? List.of("ASSIGNED_DEFAULT") : List.of())
        .endObject()
        .text("working_directory", facts.job().workload().workDirectory());
  }
}
