package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.ListingFilters;
import io.dure.controller.view.ReservationView;
import io.dure.model.ErrorCode;
import io.dure.model.HostListException;
import io.dure.model.command.Caller;
import io.dure.model.hook.Trigger;
import io.dure.model.job.Job;
import io.dure.model.privacy.CallerSight;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.TriggerCriteria;
import io.dure.surface.show.TriggerText;
import java.util.List;

/** Nodes, partitions, reservations and topology. */
public final class NodeService {
  private final ServiceContext context;
  private final NodeLinks nodes;

  NodeService(ServiceContext context, NodeLinks nodes) {
    this.context = context;
    this.nodes = nodes;
  }

  /**
   * Nodes and partitions, as the caller may see them.
   *
   * @param asked which nodes, and how much of them
   */
  public Response cluster(Request.ShowCluster asked, Caller.User caller) {
    Response.Cluster all =
        ClusterView.of(
            context.state(),
            context.verdicts(),
            nodes::load,
            context.callers()::userName,
            caller,
            context.now());
    return ListingFilters.only(asked.criteria(), asked.gpus() ? all : all.withoutGpus());
  }

  /** The reservations that the caller may see. */
  public Response.Reservations reservations(Caller.User caller) {
    return ReservationView.of(context.state(), caller, context.now());
  }

  /** Switches or blocks. */
  public Response.NodeTopology topology() {
    return new Response.NodeTopology(context.state().topology(), context.state().topologies());
  }

  /** The triggers that are asked for, a line each; of jobs those of jobs that the caller sees. */
  public Response triggers(TriggerCriteria criteria, Caller.User caller) {
    ClusterState state = context.state();
    CallerSight sight = CallerSight.of(state.accounts(), state.settings(), caller);
    List<Trigger> seen =
        state.hooks().triggers().stream().filter(one -> sees(state, sight, one)).toList();
    try {
      return new Response.Text(TriggerText.lines(seen, criteria));
    } catch (HostListException e) {
      return new Response.Failed(ErrorCode.INVALID_NODE_NAME, "");
    }
  }

  private static boolean sees(ClusterState state, CallerSight sight, Trigger trigger) {
    Integer id = trigger.wish().jobId();
    Job job = id == null ? null : state.job(id);
    return id == null || !sight.hides("jobs") || job != null && sight.ofJob(job);
  }
}
