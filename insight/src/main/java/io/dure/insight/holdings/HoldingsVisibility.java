package io.dure.insight.holdings;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.command.Caller;
import io.dure.model.job.Job;
import io.dure.model.privacy.CallerSight;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which users' holdings a caller may see (PrivateData). One thread. */
public final class HoldingsVisibility {
  private final AccountingTree tree;
  private final Caller.User asker;
  private final CallerSight sight;
  private final List<String> hidden;

  /** That of somebody who asks. */
  public HoldingsVisibility(ClusterState state, Caller.User asker) {
    tree = state.accounts();
    this.asker = asker;
    sight = CallerSight.of(tree, state.settings(), asker);
    hidden = sight.hidden();
  }

  /** Whether it sees all that anybody sees. */
  public boolean ofAll() {
    return hidden.isEmpty();
  }

  /** Whether it sees what becomes of nodes. */
  public boolean ofNodes() {
    return !hidden.contains("nodes");
  }

  /** Whether it sees reservations. */
  public boolean ofReservations() {
    return !hidden.contains("reservations");
  }

  /** Whether it sees that there is such a job. */
  public boolean ofJob(Job job) {
    return !hidden.contains("jobs") || isOwn(job.owner().userName(), job.spec().account());
  }

  private boolean isOwn(String user, @Nullable String account) {
    String name = asker.identity().userName();
    return user.equals(name) || account != null && tree.isCoordinator(name, account);
  }

  /** Whether it sees whose jobs those are. */
  public boolean of(String user, @Nullable String account) {
    return !hidden.contains("jobs") && !hidden.contains("users") || isOwn(user, account);
  }

  /** Whether it sees that there is such an account. */
  public boolean ofAccount(String account) {
    return sight.ofAccount(account);
  }

  /**
   * Whether it sees what was used by others than itself.
   *
   * @param user whose use it is, null for an account's
   */
  public boolean ofUsage(@Nullable String user, String account) {
    if (!hidden.contains("usage")) {
      return true;
    }
    return user == null
        ? tree.isCoordinator(asker.identity().userName(), account)
        : isOwn(user, account);
  }
}
