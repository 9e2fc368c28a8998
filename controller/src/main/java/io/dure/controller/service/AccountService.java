package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.accounting.SharedAccountsView;
import io.dure.controller.view.AccountsView;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accounts, users, associations, QOS, their shares, and the priorities that follow from them. */
public final class AccountService {
  private final ServiceContext context;
  private final PriorityCache priorities;
  private final @Nullable SharedAccountsView shared;
  private final Supplier<List<String>> privateBooks;

  AccountService(
      ServiceContext context,
      PriorityCache priorities,
      @Nullable SharedAccountsView shared,
      Supplier<List<String>> privateBooks) {
    this.context = context;
    this.privateBooks = privateBooks;
    this.shared = shared;
    this.priorities = priorities;
  }

  /** The account tree, as the caller may see it. */
  public Response accounts(Caller.User caller) {
    return AccountsView.accounts(
        context.state(), caller, shared == null ? List.of() : shared.all(), privateBooks.get());
  }

  /** Changes the accounts of several clusters. */
  public Response change(List<ClusterChange> changes, Caller.User caller) {
    return new Response.Decided(shared == null ? alone() : shared.change(changes, caller));
  }

  /** Has slurmdbd keep accounts for a further cluster. */
  public Response add(String cluster, Caller.User caller) {
    return new Response.Decided(shared == null ? alone() : shared.add(cluster, caller));
  }

  /** Has slurmdbd keep no accounts any more for clusters without jobs. */
  public Response remove(List<String> clusters, Caller.User caller) {
    return new Response.Decided(
        shared == null
            ? alone()
            : shared.remove(
                context.state().settings().controller().clusterName(), clusters, caller));
  }

  private static Reply alone() {
    return new Reply.Refused(
        ErrorCode.NOT_SUPPORTED, "this cluster keeps its accounts itself, without a slurmdbd");
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
