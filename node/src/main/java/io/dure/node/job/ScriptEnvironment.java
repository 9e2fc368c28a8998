package io.dure.node.job;

import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.model.job.ScriptVariables;
import io.dure.model.request.Workload;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The environment of prolog and epilog on a node. Pure. */
public final class ScriptEnvironment {
  private ScriptEnvironment() {}

  /** For the prolog of a job. */
  public static Map<String, String> prolog(Job job, String cluster, NodeLocalConfig setup) {
    return of(job, cluster, setup, "prolog_slurmd").all();
  }

  /**
   * For the epilog of a job.
   *
   * @param end how its script ended; null if it ran elsewhere or has not ended
   * @param worst the worst end of its numbered steps on this node, null if it is not known
   */
  public static Map<String, String> epilog(
      Job job,
      String cluster,
      NodeLocalConfig setup,
      @Nullable StepEnd end,
      @Nullable ExitStatus worst) {
    ScriptVariables variables = of(job, cluster, setup, "epilog_slurmd");
    if (end instanceof StepEnd.Ran(ExitStatus exit, _, _)) {
      variables.setExit(exit);
    }
    if (worst != null) {
      variables.setDerivedExit(worst);
    }
    return variables.all();
  }

  private static ScriptVariables of(
      Job job, String cluster, NodeLocalConfig setup, String context) {
    ScriptVariables variables = new ScriptVariables(job, cluster, setup.confPath(), context);
    String node = setup.nodeName();
    variables.put("SLURMD_NODENAME", node);
    addGpus(variables, JobVariables.allocation(job), node);
    if (job.workload() instanceof Workload.BatchSpec) {
      JobFiles files = JobFiles.of(job, node);
      variables.set("JOB_STDIN", files.input());
      variables.set("JOB_STDOUT", files.output());
      variables.set("JOB_STDERR", files.messages());
    }
    return variables;
  }

  private static void addGpus(
      ScriptVariables variables, @Nullable Allocation allocation, String node) {
    NodeShare own = allocation == null ? null : allocation.shareOn(node);
    List<Integer> gpus = own == null ? List.of() : JobRecordReader.gpus(own);
    if (!gpus.isEmpty()) {
      String list = gpus.stream().map(String::valueOf).collect(Collectors.joining(","));
      variables.set("JOB_GPUS", list);
      variables.put("CUDA_VISIBLE_DEVICES", list);
    }
  }
}
