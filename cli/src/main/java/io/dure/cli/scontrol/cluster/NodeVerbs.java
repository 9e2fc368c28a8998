package io.dure.cli.scontrol.cluster;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Allocation;
import io.dure.model.step.Step;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.message.CommandException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verbs about nodes by their addresses, and about what runs there. */
public final class NodeVerbs {
  private static final String LOAD = "slurm_load_node error";

  private final ScontrolSession session;

  /** Asks in the session. */
  public NodeVerbs(ScontrolSession session) {
    this.session = session;
  }

  /** Prints where the daemons of these nodes are reached: {@code NAME: ADDRESS:PORT}. */
  public void addresses(String list) throws CommandException {
    List<NodeInfo> nodes = session.cluster(LOAD, Response.Cluster.NODES).nodes();
    for (String name : expand(list)) {
      NodeConfig node = null;
      for (NodeInfo one : nodes) {
        node = one.config().name().equals(name) ? one.config() : node;
      }
      if (node == null) {
        throw CommandException.error("Invalid node name specified: " + name);
      }
      session.print(name + ": " + numeric(node.address()) + ":" + node.port() + "\n");
    }
  }

  /** Prints the address of a host as this machine knows it. */
  public void host(String name) throws CommandException {
    session.print(numeric(name) + " " + name + "\n");
  }

  private static String numeric(String host) throws CommandException {
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      throw CommandException.error("Unable to resolve \"" + host + "\": Unknown host");
    }
  }

  private static List<String> expand(String list) throws CommandException {
    try {
      return HostList.expand(list);
    } catch (HostListException e) {
      throw CommandException.error("Invalid node list: " + e.getMessage());
    }
  }

  /** Prints the numbers of the jobs of a node, by default those of this machine. */
  public void jobs(@Nullable String name) throws CommandException {
    StringBuilder text = new StringBuilder();
    for (JobInfo info : running(name)) {
      text.append(info.job().id()).append('\n');
    }
    if (text.isEmpty()) {
      throw CommandException.plain("No slurmstepd's found on this node");
    }
    session.print("JOBID\n" + text);
  }

  /** Prints the steps of a node, by default those of this machine. */
  public void steps(@Nullable String name) throws CommandException {
    StringBuilder text = new StringBuilder();
    for (JobInfo info : running(name)) {
      for (Step step : info.job().steps()) {
        String id = Integer.toString(info.job().id());
        text.append(id).append(" ".repeat(Math.max(1, 11 - id.length())));
        text.append(step.name().text()).append('\n');
      }
    }
    if (text.isEmpty()) {
      throw CommandException.plain("No slurmstepd's found on this node");
    }
    session.print("JOBID      STEPID\n" + text);
  }

  private List<JobInfo> running(@Nullable String name) throws CommandException {
    List<String> names = new ArrayList<>();
    String host = session.context().caller().hostName();
    for (NodeInfo node : session.cluster(LOAD, Response.Cluster.NODES).nodes()) {
      boolean meant =
          name == null ? node.config().hostName().equals(host) : node.config().name().equals(name);
      if (meant) {
        names.add(node.config().name());
      }
    }
    Response.Jobs all =
        session.ask(
            "slurm_load_jobs error",
            new Request.ListJobs(List.of(), null, false),
            Response.Jobs.class);
    List<JobInfo> running = new ArrayList<>();
    for (JobInfo info : all.jobs()) {
      Allocation allocation = JobDetails.allocation(info.job().state());
      if (allocation != null && allocation.nodes().stream().anyMatch(names::contains)) {
        running.add(info);
      }
    }
    return running;
  }
}
