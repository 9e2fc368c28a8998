package io.dure.cli.scontrol.session;

import io.dure.cli.command.CommandContext;
import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.RepeatedCounts;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.protocol.JobInfo;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a shell inside of a job needs once the job has other nodes: its variables, as scripts. */
final class ResizeScripts {
  /** What stands before the text of a failure. */
  static final String LOOKUP = "slurm_allocation_lookup";

  private final CommandContext context;

  ResizeScripts(CommandContext context) {
    this.context = context;
  }

  /** What is said of a job that does not get other nodes. */
  static String words(ErrorCode code, String job) {
    return switch (code) {
      case INVALID_ARRAY -> "scontrol: error: Job resizing not supported for job arrays";
      case INVALID_JOB_ID ->
          "scontrol: error: Could not load state information for job " + job + ": " + code.text();
      default -> code.text() + " for job " + job;
    };
  }

  /** Whether the call comes from inside of a job, which alone needs them. */
  boolean areNeeded() {
    return context.environment().get("SLURM_JOBID") != null;
  }

  /**
   * Writes them into the directory of the call.
   *
   * @param jobs among them the one that is meant
   */
  void write(JobSelector selector, List<JobInfo> jobs) {
    int id = selector.jobId();
    Job job = meant(jobs, selector);
    Allocation allocation = job == null ? null : job.state().allocated();
    if (allocation == null) {
      boolean waits = job != null && job.state() instanceof JobState.Pending;
      ErrorCode code = waits ? ErrorCode.JOB_PENDING : ErrorCode.ALREADY_DONE;
      context.report(StderrMessage.plain(LOOKUP + ": " + code.text()));
      return;
    }
    String stem = "slurm_job_" + id + "_resize.";
    if (file(stem + "csh", "setenv ", " ", "unsetenv ", allocation)
        && file(stem + "sh", "export ", "=", "unset ", allocation)) {
      context
          .out()
          .print(
              "To reset Slurm environment variables, execute\n"
                  + "  For bash or sh shells:  . ./"
                  + stem
                  + "sh\n  For csh shells:         source ./"
                  + stem
                  + "csh\n");
    }
  }

  private static @Nullable Job meant(List<JobInfo> jobs, JobSelector selector) {
    for (JobInfo info : jobs) {
      Job job = info.job();
      boolean named =
          selector.tasks() == null
              ? job.id() == selector.jobId()
              : job.array() instanceof ArrayPart.Task task
                  && selector.tasks().contains(task.index());
      if (named) {
        return job;
      }
    }
    return null;
  }

  private boolean file(
      String name, String set, String equals, String unset, Allocation allocation) {
    String nodes = '"' + HostList.compress(allocation.nodes()) + '"';
    String count = String.valueOf(allocation.shares().size());
    String cpus =
        '"' + RepeatedCounts.text(allocation.shares().stream().map(NodeShare::cpus).toList()) + '"';
    String text =
        String.join(
            "",
            set + "SLURM_NODELIST" + equals + nodes + '\n',
            set + "SLURM_JOB_NODELIST" + equals + nodes + '\n',
            set + "SLURM_NNODES" + equals + count + '\n',
            set + "SLURM_JOB_NUM_NODES" + equals + count + '\n',
            set + "SLURM_JOB_CPUS_PER_NODE" + equals + cpus + '\n',
            unset + "SLURM_NPROCS\n",
            unset + "SLURM_NTASKS\n",
            unset + "SLURM_TASKS_PER_NODE\n");
    try (OutputStream out = context.caller().write(context.directory().resolve(name))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IOException e) {
      context.report(StderrMessage.plain("Could not create file " + name + ": " + e.getMessage()));
      return false;
    }
  }
}
