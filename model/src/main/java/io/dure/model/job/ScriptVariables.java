package io.dure.model.job;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.RepeatedCounts;
import io.dure.model.collection.GroupedShares;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * What programs of the site are told of a job: the prologs and epilogs of controller and nodes,
 * "Prolog and Epilog Guide". There is no PATH. Not thread-safe.
 */
public final class ScriptVariables {
  private final SequencedMap<String, String> variables = new LinkedHashMap<>();

  /**
   * What is true of the job wherever the program runs.
   *
   * @param cluster the cluster's name
   * @param conf path of its slurm.conf
   * @param context what the program is, such as {@code prolog_slurmd}
   */
  public ScriptVariables(Job job, String cluster, String conf, String context) {
    set("CLUSTER_NAME", cluster);
    set("WORKING_CLUSTER", cluster);
    set("CONF", conf);
    set("SCRIPT_CONTEXT", context);
    JobVariables.of(job).forEach(this::set);
    identify(job);
    ask(job);
    addArray(job.array());
    addHet(job.het());
    Allocation held = JobVariables.allocation(job);
    if (held != null) {
      addNodes(held, job.spec().resources().sharing());
    }
  }

  private void identify(Job job) {
    set("JOB_ID", job.id());
    set("JOBID", job.id());
    set("UID", Integer.toUnsignedString(job.owner().uid()));
    set("JOB_NAME", job.spec().name());
    set("JOB_ACCOUNT", job.spec().account());
    set("JOB_QOS", job.spec().qos());
    set("JOB_COMMENT", job.spec().comment());
    set("JOB_EXTRA", job.spec().resources().more().shown().extra());
    set("JOB_RESTART_COUNT", job.restarts());
    set("JOB_WORK_DIR", job.workload().workDirectory());
  }

  private void ask(Job job) {
    ResourceRequest asked = job.spec().resources();
    set("JOB_CONSTRAINTS", asked.features());
    set("JOB_NTASKS", asked.tasks());
    set("JOB_EXCLUSIVE", asked.sharing().excludes());
  }

  private void addArray(@Nullable ArrayPart part) {
    if (part instanceof ArrayPart.Task task) {
      set("ARRAY_JOB_ID", task.arrayJobId());
      set("ARRAY_TASK_ID", task.index());
      set("ARRAY_TASK_COUNT", task.shape().count());
      set("ARRAY_TASK_MAX", task.shape().max());
      set("ARRAY_TASK_MIN", task.shape().min());
      set("ARRAY_TASK_STEP", task.shape().step());
    }
  }

  private void addHet(@Nullable HetComponent component) {
    if (component != null) {
      set("HET_JOB_ID", component.leader());
      set("HET_JOB_OFFSET", component.offset());
      set("HET_SIZE", component.size());
    }
  }

  private void addNodes(Allocation held, OversubscribeMode asked) {
    String nodes = HostList.compress(held.nodes());
    set("JOB_PARTITION", held.partition());
    set("JOB_NODELIST", nodes);
    set("NODELIST", nodes);
    set("JOB_NUM_NODES", held.shares().size());
    set("JOB_OVERSUBSCRIBE", asked.oversubscribes(held.sharesCores()));
    set(
        "JOB_CPUS_PER_NODE",
        RepeatedCounts.text(GroupedShares.numbers(held.shares(), NodeShare::cpus)));
  }

  /** How the job ended. */
  public void setExit(ExitStatus exit) {
    set("JOB_EXIT_CODE", waitStatus(exit));
    set("JOB_EXIT_CODE2", exit.text());
  }

  /** The worst end of its steps. */
  public void setDerivedExit(ExitStatus worst) {
    set("JOB_DERIVED_EC", waitStatus(worst));
  }

  private static int waitStatus(ExitStatus exit) {
    return (exit.code() << 8) | exit.signal();
  }

  /** Sets {@code SLURM_name}, unless there is no value or a program cannot be told of it. */
  public void set(String name, @Nullable Object value) {
    put("SLURM_" + name, value);
  }

  /** Sets a variable, unless there is no value or a program cannot be told of it. */
  public void put(String name, @Nullable Object value) {
    // A name or comment with a zero byte cannot be told to a program.
    if (value != null && value.toString().indexOf('\0') < 0) {
      variables.put(name, value.toString());
    }
  }

  /** What was set. */
  public SequencedMap<String, String> all() {
    return variables;
  }
}
