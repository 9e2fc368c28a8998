package io.dure.cluster.decide.administration;

import io.dure.cluster.ClusterState;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosAccess;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What changes of accounts have to keep that somebody asks for now. A journal of an older release
 * may hold others, so applying an event asks for none of it.
 */
final class AccountingChecks {
  /** Jobs that a refusal names; there may be a hundred thousand. */
  private static final int NAMED_JOBS = 20;

  private final ClusterState state;
  private final List<AccountingChange> changes;

  private AccountingChecks(ClusterState state, List<AccountingChange> changes) {
    this.state = state;
    this.changes = changes;
  }

  /** Why the changes are refused, null if they are not. */
  static Reply.@Nullable Refused refusal(ClusterState state, List<AccountingChange> changes) {
    AccountingTree before = state.accounts();
    AccountingTree after;
    try {
      AccountingNames.check(before, changes);
      after = before.with(changes);
    } catch (InvalidAccountingException invalid) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, invalid.text());
    }
    return new AccountingChecks(state, changes).refusal(before, after);
  }

  private Reply.@Nullable Refused refusal(AccountingTree before, AccountingTree after) {
    String homeless = homeless(after);
    if (homeless != null) {
      return new Reply.Refused(
          ErrorCode.BAD_INPUT, "account " + homeless + " would have no place in the tree");
    }
    for (AccountingChange change : changes) {
      if (change instanceof AccountingChange.QosSet(Qos next) && isLoop(after, next)) {
        return new Reply.Refused(ErrorCode.QOS_PREEMPTION_LOOP, "");
      }
    }
    List<Association> barred = QosAccess.barred(before, after, changes);
    if (!barred.isEmpty()) {
      Association one = barred.getFirst();
      return new Reply.Refused(
          ErrorCode.BAD_INPUT,
          (one.user() == null ? "" : "user " + one.user() + " of ")
              + "account "
              + one.account()
              + " would not have its default QOS "
              + one.defaultQos());
    }
    List<String> jobs = jobs(before);
    return jobs.isEmpty()
        ? null
        : new Reply.Refused(ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION, String.join("\n", jobs));
  }

  /** An account that these changes left without an association of its own. */
  private @Nullable String homeless(AccountingTree after) {
    for (AccountingChange change : changes) {
      String name =
          change instanceof AccountingChange.AccountSet(Account account) ? account.name() : null;
      if (change instanceof AccountingChange.AssociationRemoved(int id)) {
        Association gone = state.accounts().associations().get(id);
        name = gone == null || gone.user() != null ? null : gone.account();
      }
      if (name != null
          && after.account(name) != null
          && after.association(name, null, null) == null) {
        return name;
      }
    }
    return null;
  }

  /** Whether a QOS would preempt itself, by others or at once. */
  private static boolean isLoop(AccountingTree tree, Qos next) {
    TreeSet<String> seen = new TreeSet<>();
    List<String> left = new ArrayList<>(next.preempt());
    while (!left.isEmpty()) {
      String name = left.removeLast();
      if (name.equals(next.name())) {
        return true;
      }
      Qos one = seen.add(name) ? tree.qos(name) : null;
      left.addAll(one == null ? List.of() : one.preempt());
    }
    return false;
  }

  /** Jobs that wait or run for associations that would go. */
  private List<String> jobs(AccountingTree before) {
    List<Association> gone = new ArrayList<>();
    for (AccountingChange change : changes) {
      Association one =
          change instanceof AccountingChange.AssociationRemoved(int id)
              ? before.associations().get(id)
              : null;
      if (one != null && one.user() != null) {
        gone.add(one);
      }
    }
    List<String> lines = new ArrayList<>();
    if (!gone.isEmpty()) {
      state.active().values().forEach(job -> line(job, gone, lines));
      state.pending().values().forEach(job -> line(job, gone, lines));
    }
    return lines;
  }

  private void line(Job job, List<Association> gone, List<String> lines) {
    for (Association one : gone) {
      String partition = one.partition();
      if (lines.size() < NAMED_JOBS
          && one.account().equals(job.spec().account())
          && Objects.equals(one.user(), job.owner().userName())
          && (partition == null || job.spec().partitions().contains(partition))) {
        String cluster = state.settings().controller().clusterName();
        lines.add(
            String.format(
                "  JobID = %-10d C = %-10s A = %-10s U = %-9s",
                job.id(), cluster, one.account(), one.user()));
      }
    }
  }
}
