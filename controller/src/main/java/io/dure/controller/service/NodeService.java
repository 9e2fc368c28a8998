package io.dure.controller.service;

import io.dure.controller.node.NodeLinks;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.ListingFilters;
import io.dure.controller.view.ReservationView;
import io.dure.model.command.Caller;
import io.dure.protocol.NodeCriteria;
import io.dure.protocol.Response;
import org.jspecify.annotations.Nullable;

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
   * @param criteria which of the nodes, null for all
   */
  public Response cluster(@Nullable NodeCriteria criteria, Caller.User caller) {
    return ListingFilters.only(
        criteria,
        ClusterView.of(
            context.state(),
            context.verdicts(),
            nodes::load,
            context.callers()::userName,
            caller,
            context.now()));
  }

  /** The reservations that the caller may see. */
  public Response.Reservations reservations(Caller.User caller) {
    return ReservationView.of(context.state(), caller, context.now());
  }

  /** Switches or blocks. */
  public Response.NodeTopology topology() {
    return new Response.NodeTopology(context.state().topology(), context.state().topologies());
  }
}
