package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.statistics.ControllerStatistics;
import io.dure.controller.view.AccountVisibility;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import java.util.List;

/** The controller itself: liveness, configuration, statistics, replicas, its end. */
public final class AdministrationService {
  private final ServiceContext context;
  private final ControllerAdmin administration;
  private final ControllerStatistics statistics;
  private final NodeLinks nodes;

  AdministrationService(
      ServiceContext context,
      ControllerAdmin administration,
      ControllerStatistics statistics,
      NodeLinks nodes) {
    this.context = context;
    this.administration = administration;
    this.statistics = statistics;
    this.nodes = nodes;
  }

  /** Host name and version. */
  public Response.Pong ping() {
    return new Response.Pong(administration.hostName(), DureVersion.SLURM);
  }

  /** The lines of {@code scontrol show config}. */
  public Response.Text configuration() {
    return new Response.Text(administration.configuration());
  }

  /** The files of the configuration, where it says that nodes may fetch them; for operators. */
  public Response configFiles(Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, "");
    }
    return context.state().settings().rules().configless()
        ? new Response.ConfigFiles(administration.configFiles())
        : new Response.Failed(
            ErrorCode.DISABLED, "SlurmctldParameters does not have enable_configless");
  }

  /** What {@code sdiag} shows; of users those that the caller may see. */
  public Response.Statistics statistics(Caller.User caller) {
    ClusterState state = context.state();
    NodeLinks.SendBacklog backlog = nodes.backlog();
    CallerDirectory callers = context.callers();
    int daemons = callers.uid(state.settings().daemon().user());
    StatisticsInfo all =
        statistics.told(state, backlog.messages(), backlog.nodes(), callers::userName, daemons);
    AccountVisibility visible = new AccountVisibility(state, caller);
    return new Response.Statistics(all.onlyOf(visible::sees));
  }

  /** Counts from 0 again; for operators. */
  public Response resetStatistics(Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.ACCESS_DENIED, "");
    }
    statistics.reset();
    return done();
  }

  /** Tells more or less in the log; for operators. */
  public Response setLogLevel(String level, Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    return administration.setLogLevel(level)
        ? done()
        : new Response.Failed(ErrorCode.BAD_INPUT, "no level of the log: " + level);
  }

  /** Tells more or less of parts of the controller in the log; for operators. */
  public Response setDebugFlags(List<String> changes, Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    String unknown = administration.setDebugFlags(changes);
    return unknown == null ? done() : new Response.Failed(ErrorCode.BAD_INPUT, unknown);
  }

  /** Reads the configuration again; for operators. */
  public Response reconfigure(Caller.User caller) throws InterruptedException {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    ControllerAdmin.Reconfiguration found = administration.reconfigure();
    if (!found.inForce()) {
      return new Response.Failed(ErrorCode.BAD_INPUT, String.join("\n", found.lines()));
    }
    return found.lines().isEmpty() ? done() : new Response.Text(found.lines());
  }

  /** The controllers of the cluster and their roles. */
  public Response.Replicas replicas() {
    return administration.replicas();
  }

  /** Hands leadership over to another controller; for operators. */
  public Response takeOver(int index, Caller.User caller) throws InterruptedException {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    String obstacle = administration.takeOver(index);
    return obstacle == null ? done() : new Response.Failed(ErrorCode.NOT_SUPPORTED, obstacle);
  }

  /** Prepares the controller's end, which the transport brings about once this is answered. */
  public Response shutdown(boolean controllerOnly, Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    administration.shutdown(!controllerOnly);
    return done();
  }

  private static Response done() {
    return new Response.Decided(new Reply.Done());
  }
}
