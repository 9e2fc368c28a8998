package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.job.Allocation;
import io.dure.model.node.NodeFacts;
import io.dure.model.step.Step;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.TimestampFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints what the controller knows of a machine's node daemon. */
final class ShowDaemon {
  private static final String LOAD = "slurm_slurmd_status error";
  private static final int KEY = 24;

  private final ScontrolSession session;

  ShowDaemon(ScontrolSession session) {
    this.session = session;
  }

  /** The daemon of that node, by default of the first one on this machine. */
  void show(@Nullable String name) throws CommandException {
    Response.Cluster cluster = session.cluster(LOAD, Response.Cluster.NODES);
    String host = session.context().caller().hostName();
    for (NodeInfo node : cluster.nodes()) {
      boolean meant =
          name == null ? node.config().hostName().equals(host) : node.config().name().equals(name);
      NodeFacts facts = node.facts();
      if (meant && facts != null && node.responding()) {
        print(node, facts, session.times(cluster.now()));
        return;
      }
    }
    throw CommandException.plain(
        LOAD + ": Unable to contact slurmd on " + (name == null ? host : name));
  }

  private void print(NodeInfo node, NodeFacts facts, TimestampFormat times)
      throws CommandException {
    List<String> steps = steps(node.config().name());
    line("Active Steps", steps.isEmpty() ? "NONE" : String.join(",", steps));
    line("Actual CPUs", Integer.toString(facts.cpus()));
    line("Actual Boards", Integer.toString(node.config().shape().boards()));
    line("Actual sockets", Integer.toString(facts.sockets()));
    line("Actual cores", Integer.toString(facts.coresPerSocket()));
    line("Actual threads per core", Integer.toString(facts.threadsPerCore()));
    line("Actual real memory", facts.memoryMib() + " MB");
    line("Actual temp disk space", facts.tmpDiskMib() + " MB");
    line("Boot time", times.format(facts.daemonStart()));
    line("Hostname", node.config().name());
    line("Version", facts.version());
    session.print("\n");
  }

  private void line(String key, String value) {
    session.print(key + " ".repeat(KEY - key.length()) + " = " + value + "\n");
  }

  private List<String> steps(String name) throws CommandException {
    Request running = new Request.ListJobs(List.of(), null, false);
    List<String> steps = new ArrayList<>();
    for (JobInfo info : session.ask(LOAD, running, Response.Jobs.class).jobs()) {
      Allocation allocation = JobDetails.allocation(info.job().state());
      if (allocation != null && allocation.nodes().contains(name)) {
        for (Step step : info.job().steps()) {
          steps.add(info.job().id() + "." + step.name().text());
        }
      }
    }
    return steps;
  }
}
