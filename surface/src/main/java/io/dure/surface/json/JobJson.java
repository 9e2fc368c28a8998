package io.dure.surface.json;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.cron.CronEntry;
import io.dure.model.gres.GresRequest;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextValue;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.protocol.Response;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.facts.SlurmJobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a job with the members that Slurm's data parser gives it, in its order. */
final class JobJson {

  private static final List<String> NOTHING = List.of();

  private final SlurmJsonWriter json;
  private final String cluster;
  private final JobResourceJson resources;

  JobJson(SlurmJsonWriter json, Response.Cluster cluster) {
    this.json = json;
    this.cluster = cluster.clusterName();
    this.resources = new JobResourceJson(json, cluster);
  }

  void write(JobDetails facts) {
    json.object();
    identity(facts);
    request(facts);
    times(facts);
    placement(facts);
    counts(facts);
    rules(facts);
    paths(facts);
    json.endObject();
  }

  private void identity(JobDetails facts) {
    Job job = facts.job();
    JobSpec spec = facts.spec();
    json.text("account", spec.account())
        .time("accrue_time", job.accrueTime())
        .text("admin_comment", facts.spec().adminComment())
        .text("allocating_node", job.workload().submitHost())
        .maybe("array_job_id", job.array() == null ? 0 : job.array().arrayJobId());
    switch (job.array()) {
      case null ->
          json.maybe("array_task_id", (Integer) null)
              .maybe("array_max_tasks", 0)
              .text("array_task_string", "");
      case ArrayPart.Task task ->
          json.maybe("array_task_id", task.index())
              .maybe("array_max_tasks", task.throttle())
              .text("array_task_string", "");
      case ArrayPart.Waiting waiting ->
          json.maybe("array_task_id", (Integer) null)
              .maybe("array_max_tasks", waiting.throttle())
              .text("array_task_string", waiting.waiting().text());
    }
    Allocation allocation = facts.allocation();
    json.number("association_id", 0)
        .text("batch_features", facts.spec().resources().more().batchFeatures())
        .flag("batch_flag", job.isBatch())
        .text("batch_host", allocation == null ? "" : allocation.batchHost())
        .texts("flags", flags(facts))
        .text("burst_buffer", facts.spec().resources().more().shown().burstBuffer())
        .text("burst_buffer_state", "")
        .text("cluster", cluster)
        .text("cluster_features", facts.spec().resources().more().shown().clusterFeatures())
        .text("command", job.workload().command())
        .text("comment", spec.comment())
        .text("container", facts.spec().resources().more().shown().container())
        .text("container_id", facts.spec().resources().more().shown().containerId())
        .flag("contiguous", spec.resources().contiguous());
  }

  private static List<String> flags(JobDetails facts) {
    List<String> flags = new ArrayList<>();
    if (facts.allocation() != null) {
      flags.add("JOB_WAS_RUNNING");
    }
    if (facts.job().cron() != null) {
      flags.add("CRON_JOB");
    }
    return flags;
  }

  private void request(JobDetails facts) {
    CronEntry cron = facts.job().cron();
    ResourceRequest asked = facts.spec().resources();
    json.number("core_spec", 0)
        .number("thread_spec", 32766)
        .maybe("cores_per_socket", asked.coresPerSocket())
        .maybe("billable_tres", facts.allocation() == null ? null : facts.cpus())
        .maybe("cpus_per_task", facts.asked("cpus-per-task") ? asked.cpusPerTask() : null)
        .maybe("cpu_frequency_minimum", (Integer) null)
        .maybe("cpu_frequency_maximum", (Integer) null)
        .maybe("cpu_frequency_governor", (Integer) null)
        .text("cpus_per_tres", perGpu(facts.spec().resources().gresOrNone().cpusPerGpu()))
        .text("cron", cron == null ? "" : cron.schedule().text())
        .time("deadline", facts.spec().deadline())
        .maybe("delay_boot", JobKeptText.delayBoot(facts))
        .text("dependency", facts.info().dependency());
    exit("derived_exit_code", facts, facts.job().runSteps().highest());
  }

  private void times(JobDetails facts) {
    json.time("eligible_time", facts.eligibleTime())
        .time("end_time", facts.end())
        .text("excluded_nodes", hosts(facts.spec().resources().excludedNodes()));
    exit("exit_code", facts, facts.exit());
    HetComponent het = facts.job().het();
    json.text("extra", facts.spec().resources().more().shown().extra())
        .text(
            "failed_node",
            facts.outcome() instanceof JobOutcome.NodeFailed failed ? failed.node() : "")
        .text("features", facts.spec().resources().features())
        .text("federation_origin", "")
        .text("federation_siblings_active", "")
        .text("federation_siblings_viable", "")
        .texts("gres_detail", gresDetail(facts))
        .number("group_id", Integer.toUnsignedLong(facts.job().owner().gid()))
        .text("group_name", facts.job().owner().groupName())
        .maybe("het_job_id", het == null ? 0 : het.leader())
        .text("het_job_id_set", het == null ? "" : het.idSet())
        .maybe("het_job_offset", het == null ? 0 : het.offset())
        .number("job_id", facts.job().id());
  }

  private static String perGpu(@Nullable Number count) {
    return count == null ? "" : "gres/gpu:" + count;
  }

  /** One text for each node. */
  private static List<String> gresDetail(JobDetails facts) {
    Allocation allocation = facts.allocation();
    return allocation == null || GresFormat.total(allocation).isEmpty()
        ? NOTHING
        : allocation.shares().stream().map(share -> GresFormat.held(share.gres())).toList();
  }

  private void placement(JobDetails facts) {
    Allocation allocation = facts.allocation();
    if (allocation != null) {
      resources.write(allocation, facts.spec().resources());
    }
    json.list("job_size_str")
        .endList()
        .texts("job_state", states(facts))
        .time("last_sched_evaluation", facts.info().lastEvaluated())
        .text("licenses", TextValue.textOf(facts.spec().resources().more().licenses()))
        .text("licenses_allocated", facts.licenses(""))
        .texts("mail_type", JobKeptText.mailTypes(facts))
        .text("mail_user", facts.spec().mailUser())
        .maybe("max_cpus", 0)
        .maybe("max_nodes", facts.asked("nodes") ? facts.spec().resources().maxNodes() : 0)
        .text("mcs_label", facts.spec().resources().more().shown().mcsLabel())
        .text(
            "memory_per_tres",
            facts.spec().resources().memory() instanceof MemoryRequest.PerGpu(long mib)
                ? perGpu(mib)
                : "")
        .text("name", facts.spec().name())
        .text("network", facts.spec().resources().more().shown().network())
        .text("nodes", facts.nodeList())
        .number("nice", facts.spec().nice());
  }

  private static int count(@Nullable Integer asked) {
    return asked == null ? 0 : asked;
  }

  private void counts(JobDetails facts) {
    ResourceRequest asked = facts.spec().resources();
    json.bound("tasks_per_core", null)
        .maybe("tasks_per_tres", 0)
        .maybe("tasks_per_node", asked.tasksPerNode() == null ? 0 : asked.tasksPerNode())
        .bound("tasks_per_socket", null)
        .maybe("tasks_per_board", 0)
        .maybe("cpus", facts.cpus())
        .maybe("node_count", facts.nodeCount())
        .maybe("tasks", facts.tasks())
        .text("partition", facts.partition())
        .text("prefer", asked.reach().prefer());
    MemoryRequest memory = asked.memory();
    json.maybe(
            "memory_per_cpu",
            memory instanceof MemoryRequest.PerCpu(long mib) ? Long.valueOf(mib) : null)
        .maybe(
            "memory_per_node",
            memory instanceof MemoryRequest.PerNode(long mib) ? Long.valueOf(mib) : null)
        .maybe("minimum_cpus_per_node", asked.minCpusPerNode())
        .maybe("minimum_tmp_disk_per_node", asked.tmpDiskMib())
        .time("preempt_time", facts.preemptTime())
        .time("preemptable_time", null)
        .time("pre_sus_time", null);
  }

  private void rules(JobDetails facts) {
    Job job = facts.job();
    ResourceRequest asked = facts.spec().resources();
    boolean held = job.state() instanceof JobState.Pending pending && pending.hold() != Hold.NONE;
    json.flag("hold", held)
        .maybe("priority", job.priority())
        .list("priority_by_partition")
        .endList()
        .texts("profile", JobKeptText.profile(facts))
        .text("qos", facts.spec().qos())
        .flag("reboot", facts.spec().asked().contains("reboot"))
        .text("required_nodes", hosts(asked.requiredNodes()))
        .number("required_switches", count(asked.reach().switches()))
        .flag("requeue", facts.info().requeue())
        .time("resize_time", facts.resizeTime())
        .number("restart_cnt", job.restarts())
        .text("resv_name", facts.reservation())
        .text("scheduled_nodes", hosts(facts.info().scheduledNodes()))
        .number("segment_size", count(asked.reach().segment()))
        .texts("shared", shared(asked.sharing()))
        .object("step_id")
        .maybe("job_id", job.id())
        .endObject()
        .maybe("sockets_per_node", asked.socketsPerNode())
        .time("start_time", facts.start())
        .text("state_description", isWord(facts.info().reason()) ? "" : facts.info().reason())
        .text("state_reason", isWord(facts.info().reason()) ? facts.info().reason() : "Resources");
  }

  private void paths(JobDetails facts) {
    GresRequest gres = facts.spec().resources().gresOrNone();
    Job job = facts.job();
    Duration limit = facts.limit();
    Duration least = facts.spec().timeMin();
    files(facts);
    json.time("submit_time", job.submitTime())
        .text("submit_line", job.workload().submitLine())
        .time("suspend_time", facts.suspendTime())
        .bound("time_limit", limit == null ? null : Long.valueOf(limit.toMinutes()))
        .maybe("time_minimum", least == null ? 0 : least.toMinutes())
        .maybe("threads_per_core", facts.spec().resources().threadsPerCore())
        .text("tres_bind", JobKeptText.tresBind(facts))
        .text("tres_freq", JobKeptText.tresFrequency(facts))
        .text("tres_per_job", GresFormat.asked(gres.perJob()))
        .text("tres_per_node", GresFormat.asked(gres.perNode()))
        .text("tres_per_socket", GresFormat.asked(gres.perSocket()))
        .text("tres_per_task", GresFormat.perTask(gres.perTask()))
        .text("tres_req_str", facts.requestedTres())
        .text("tres_alloc_str", facts.allocation() == null ? "" : facts.tres())
        .number("user_id", Integer.toUnsignedLong(job.owner().uid()))
        .text("user_name", job.owner().userName())
        .number("maximum_switch_wait_time", 0)
        .text("wckey", facts.spec().wckey())
        .text("current_working_directory", job.workload().workDirectory());
  }

  private void files(JobDetails facts) {
    String input = OutputPaths.input(facts);
    String output = OutputPaths.output(facts);
    String error = OutputPaths.error(facts);
    json.text("standard_input", input)
        .text("standard_output", output)
        .text("standard_error", error)
        .text("stdin_expanded", OutputPaths.expand(input, facts))
        .text("stdout_expanded", OutputPaths.expand(output, facts))
        .text("stderr_expanded", OutputPaths.expand(error, facts));
  }

  private void exit(String name, JobDetails facts, ExitStatus exit) {
    boolean waits = facts.base() == SlurmJobState.PENDING;
    json.exit(name, waits ? "PENDING" : SlurmJsonWriter.ending(exit), exit);
  }

  private static List<String> states(JobDetails facts) {
    List<String> states = new ArrayList<>();
    states.add(facts.base().name());
    SlurmJobState flag = facts.flag();
    if (flag != null) {
      states.add(flag.name());
    }
    if (facts.job().state() instanceof JobState.Completing completing) {
      SlurmJobState next = SlurmJobState.next(completing.afterwards());
      if (next != null) {
        states.add(next.name());
      }
    }
    return states;
  }

  private static List<String> shared(OversubscribeMode sharing) {
    return switch (sharing) {
      case DEFAULT -> NOTHING;
      case EXCLUSIVE -> List.of("none");
      case USER -> List.of("user");
      case OVERSUBSCRIBE -> List.of("oversubscribe");
    };
  }

  /** Whether a reason is one of Slurm's words; what is free text stands beside the word. */
  private static boolean isWord(String reason) {
    return reason.indexOf(' ') < 0 && reason.indexOf(':') < 0;
  }

  private static String hosts(@Nullable List<String> names) {
    return names == null || names.isEmpty() ? "" : HostList.compressInOrder(names);
  }
}
