package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.script.SchedulerLog;
import io.dure.controller.statistics.ControllerStatistics;
import io.dure.controller.view.AccountVisibility;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.parameters.JwtSettings;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controller itself: liveness, configuration, statistics, replicas, its end. */
public final class AdministrationService {
  private static final int USUAL_TOKEN_SECONDS = 1800;

  private final ServiceContext context;
  private final ControllerAdmin administration;
  private final ControllerStatistics statistics;
  private final NodeLinks nodes;
  private final SchedulerLog schedulerLog;

  AdministrationService(
      ServiceContext context,
      ControllerAdmin administration,
      ControllerStatistics statistics,
      NodeLinks nodes,
      SchedulerLog schedulerLog) {
    this.context = context;
    this.administration = administration;
    this.statistics = statistics;
    this.nodes = nodes;
    this.schedulerLog = schedulerLog;
  }

  /** Host name and version. */
  public Response.Pong ping(Caller.User caller) {
    return new Response.Pong(administration.hostName(), DureVersion.SLURM, caller.identity());
  }

  /** The settings in force. */
  public ClusterSettings settings() {
    return context.state().settings();
  }

  /** How many events have led to the state, since the cluster's first. */
  public long events() {
    return context.state().origin().events();
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

  /** Has the scheduler write down what it starts, or not; for operators. */
  public Response logStarts(boolean written, Caller.User caller) {
    if (!caller.operator()) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    return schedulerLog.set(written, context.state())
        ? done()
        : new Response.Failed(ErrorCode.DISABLED, "");
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

  /** A token for the caller, or for another user if root or SlurmUser asks. */
  public Response token(Request.MakeToken asked, Caller.User caller) {
    JwtSettings settings = context.state().settings().rules().tokens();
    if (settings == null) {
      return new Response.Text(List.of());
    }
    ErrorCode obstacle = obstacle(asked, settings, caller);
    String user = asked.user() == null ? caller.identity().userName() : asked.user();
    if (obstacle == null && context.callers().byName(user) == null) {
      obstacle = ErrorCode.USER_ID_MISSING;
    }
    if (obstacle != null) {
      return new Response.Failed(obstacle, "");
    }
    String token = administration.token(user, seconds(asked, settings));
    return new Response.Text(token == null ? List.of() : List.of(token));
  }

  /** Why a caller is not given a token, null if he is. */
  static @Nullable ErrorCode obstacle(
      Request.MakeToken asked, JwtSettings settings, Caller.User caller) {
    if (asked.seconds() < 0) {
      return ErrorCode.BAD_INPUT;
    }
    if (caller.operator()) {
      return null;
    }
    if (settings.onlyForOperators()) {
      return ErrorCode.ACCESS_DENIED;
    }
    if (asked.user() != null && !asked.user().equals(caller.identity().userName())) {
      return ErrorCode.USER_ID_MISSING;
    }
    int longest = settings.longestSeconds();
    return longest > 0 && asked.seconds() > longest ? ErrorCode.INVALID_TIME_LIMIT : null;
  }

  /** How long a token is valid; the bound cuts what is usual for root and SlurmUser, too. */
  static int seconds(Request.MakeToken asked, JwtSettings settings) {
    if (asked.seconds() > 0) {
      return asked.seconds();
    }
    int longest = settings.longestSeconds();
    return longest > 0 ? Math.min(longest, USUAL_TOKEN_SECONDS) : USUAL_TOKEN_SECONDS;
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
