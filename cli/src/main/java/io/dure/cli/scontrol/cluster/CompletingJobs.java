package io.dure.cli.scontrol.cluster;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.HostList;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.TimestampFormat;
import java.util.ArrayList;
import java.util.List;

/** Lists the jobs whose nodes are being cleaned, and which nodes those are. */
public final class CompletingJobs {

  private static final String LOAD = "slurm_load_jobs error";

  private final ScontrolSession session;

  /** Prints by what the session says. */
  public CompletingJobs(ScontrolSession session) {
    this.session = session;
  }

  /** Prints a line for each job. */
  public void run() throws CommandException {
    Response.Jobs jobs =
        session.ask(LOAD, new Request.ListJobs(List.of(), null, false), Response.Jobs.class);
    Response.Cluster cluster = session.cluster("slurm_load_node error", Response.Cluster.NODES);
    TimestampFormat times = session.times(jobs.now());
    for (JobInfo info : jobs.jobs()) {
      if (info.job().state() instanceof JobState.Completing completing) {
        long seconds = jobs.now().getEpochSecond() - completing.end().getEpochSecond();
        session.print(
            "JobId="
                + info.job().displayId()
                + " EndTime="
                + times.format(completing.end())
                + " CompletingTime="
                + ElapsedTimeFormat.full(Math.max(0, seconds))
                + nodes(completing, cluster)
                + "\n");
      }
    }
  }

  private static String nodes(JobState.Completing job, Response.Cluster cluster) {
    List<String> completing = new ArrayList<>();
    List<String> down = new ArrayList<>();
    for (String name : job.nodesLeft()) {
      boolean lost =
          cluster.nodes().stream()
              .anyMatch(node -> node.config().name().equals(name) && node.condition().down());
      (lost ? down : completing).add(name);
    }
    return (completing.isEmpty() ? "" : " Nodes(COMPLETING)=" + HostList.compress(completing))
        + (down.isEmpty() ? "" : " Nodes(DOWN)=" + HostList.compress(down));
  }
}
