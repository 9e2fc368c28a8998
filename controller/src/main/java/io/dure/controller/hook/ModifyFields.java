package io.dure.controller.hook;

import io.dure.model.command.JobChange;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Job;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.surface.facts.GresFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a change of a job asks for, in the words of {@code job_desc}: little of it is there. */
final class ModifyFields {
  private final Map<String, Object> fields = new TreeMap<>();

  private ModifyFields() {}

  static Map<String, Object> of(JobChange change, Job job) {
    ModifyFields all = new ModifyFields();
    all.words(change);
    all.numbers(change);
    all.shape(change.shape());
    all.fields.put("job_id", (long) job.id());
    all.fields.put("user_id", Integer.toUnsignedLong(job.owner().uid()));
    all.fields.put("user_name", job.owner().userName());
    all.fields.put("group_id", Integer.toUnsignedLong(job.owner().gid()));
    return all.fields;
  }

  private void put(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  private void list(String name, @Nullable List<String> words) {
    put(name, words == null ? null : String.join(",", words));
  }

  private void words(JobChange change) {
    put("account", change.account());
    put("admin_comment", change.adminComment());
    put("comment", change.comment());
    put("dependency", change.dependency() == null ? null : JobFields.text(change.dependency()));
    put("mail_user", change.mailUser());
    put("name", change.name());
    list("partition", change.partitions());
    put("qos", change.qos());
    list("reservation", change.reservations());
    put("wckey", change.wckey());
    put("std_in", change.output().standardInput());
    put("std_out", change.output().standardOutput());
    put("std_err", change.output().standardError());
    put("work_dir", change.output().workDirectory());
  }

  private void numbers(JobChange change) {
    put(
        "time_limit",
        change.timeLimit() == null ? NoValue.INT : JobFields.minutes(change.timeLimit()));
    put("time_min", change.timeMin() == null ? NoValue.INT : change.timeMin().toMinutes());
    put("begin_time", change.beginTime() == null ? 0 : change.beginTime().getEpochSecond());
    put("deadline", change.deadline() == null ? 0 : change.deadline().getEpochSecond());
    put("priority", NoValue.ofInt(change.priority()));
    put("nice", change.nice() == null ? NoValue.INT : NoValue.NICE_OFFSET + change.nice());
    put("site_factor", NoValue.INT);
    put(
        "requeue",
        change.requeue() == null ? NoValue.SHORT : change.requeue() == RequeuePolicy.NO ? 0L : 1L);
    put("reboot", change.reboot() == null ? NoValue.SHORT : change.reboot() ? 1L : 0L);
  }

  private void shape(JobChange.ResourceChange change) {
    put("min_nodes", NoValue.ofInt(change.minNodes()));
    put("max_nodes", NoValue.ofInt(change.maxNodes()));
    put("num_tasks", NoValue.ofInt(change.tasks()));
    put("min_cpus", NoValue.ofInt(change.cpus()));
    put("cpus_per_task", NoValue.ofShort(change.cpusPerTask()));
    put("ntasks_per_node", NoValue.ofShort(change.tasksPerNode()));
    put("pn_min_cpus", NoValue.ofShort(change.minCpusPerNode()));
    put("pn_min_tmp_disk", NoValue.ofInt(change.tmpDiskMib()));
    put("features", change.features());
    put("licenses", change.licenses());
    list("req_nodes", change.requiredNodes());
    list("exc_nodes", change.excludedNodes());
    put(
        "shared",
        change.sharing() == null
            ? NoValue.SHORT
            : change.sharing() == OversubscribeMode.EXCLUSIVE
                ? 0L
                : change.sharing() == OversubscribeMode.USER ? 2L : 1L);
    put("contiguous", change.contiguous() == null ? NoValue.SHORT : change.contiguous() ? 1L : 0L);
    if (change.memory() == null) {
      put("pn_min_memory", NoValue.LONG);
    } else {
      JobFields.memory(fields, change.memory());
    }
    GresRequest gres = change.gres();
    if (gres != null) {
      put("tres_per_node", GresFormat.asked(gres.perNode()));
      put("tres_per_job", GresFormat.asked(gres.perJob()));
      put("tres_per_socket", GresFormat.asked(gres.perSocket()));
      put("tres_per_task", GresFormat.perTask(gres.perTask()));
    }
  }
}
