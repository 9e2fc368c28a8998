package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.AccountsView;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.model.command.Caller;
import io.dure.protocol.Response;
import java.time.Instant;

/** Accounts, users, associations, QOS, their shares, and the priorities that follow from them. */
public final class AccountService {
  private final ServiceContext context;
  private final PriorityCache priorities;

  AccountService(ServiceContext context, PriorityCache priorities) {
    this.context = context;
    this.priorities = priorities;
  }

  /** The account tree, as the caller may see it. */
  public Response accounts(Caller.User caller) {
    return AccountsView.accounts(context.state(), caller);
  }

  /** Fair shares and usage. */
  public Response shares(Caller.User caller) {
    return AccountsView.shares(context.state(), caller, context.now());
  }

  /** Priorities of the pending jobs, by factor. */
  public Response priorities(Caller.User caller) {
    ClusterState state = context.state();
    Instant now = context.now();
    DisplayedPriorities shown = priorities.of(state, state.pending().values(), now);
    return AccountsView.priorities(state, shown, caller, now);
  }
}
