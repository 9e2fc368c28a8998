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
public final class AccountingChecks {
  /** Jobs that a refusal names; there may be a hundred thousand. */
  private static final int NAMED_JOBS = 20;

  private final AccountingTree before;
  private final List<AccountingChange> changes;

  private AccountingChecks(AccountingTree before, List<AccountingChange> changes) {
    this.before = before;
    this.changes = changes;
  }

  /** Why the changes are refused, null if they are not. */
  static Reply.@Nullable Refused refusal(ClusterState state, List<AccountingChange> changes) {
    Reply.Refused refused = treeRefusal(state.accounts(), changes);
    if (refused != null) {
      return refused;
    }
    List<String> jobs = new AccountingChecks(state.accounts(), changes).jobs(state);
    return jobs.isEmpty()
        ? null
        : new Reply.Refused(ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION, String.join("\n", jobs));
  }

  /** Why the changes of a tree are refused, whatever its jobs are; null if they are not. */
  public static Reply.@Nullable Refused treeRefusal(
      AccountingTree before, List<AccountingChange> changes) {
    AccountingTree after;
    try {
      AccountingNames.check(before, changes);
      after = before.with(changes);
    } catch (InvalidAccountingException invalid) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, invalid.text());
    }
    return new AccountingChecks(before, changes).treeRefusal(after);
  }

  private Reply.@Nullable Refused treeRefusal(AccountingTree after) {
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
    if (barred.isEmpty()) {
      return null;
    }
    Association one = barred.getFirst();
    return new Reply.Refused(
        ErrorCode.BAD_INPUT,
        (one.user() == null ? "" : "user " + one.user() + " of ")
            + "account "
            + one.account()
            + " would not have its default QOS "
            + one.defaultQos());
  }

  /** An account that these changes left without an association of its own. */
  private @Nullable String homeless(AccountingTree after) {
    for (AccountingChange change : changes) {
      String name =
          change instanceof AccountingChange.AccountSet(Account account) ? account.name() : null;
      if (change instanceof AccountingChange.AssociationRemoved(int id)) {
        Association gone = before.associations().get(id);
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
  private List<String> jobs(ClusterState state) {
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
      String cluster = state.settings().controller().clusterName();
      state.active().values().forEach(job -> line(cluster, job, gone, lines));
      state.pending().values().forEach(job -> line(cluster, job, gone, lines));
    }
    return lines;
  }

  private static void line(String cluster, Job job, List<Association> gone, List<String> lines) {
    for (Association one : gone) {
      String partition = one.partition();
      if (lines.size() < NAMED_JOBS
          && one.account().equals(job.spec().account())
          && Objects.equals(one.user(), job.owner().userName())
          && (partition == null || job.spec().partitions().contains(partition))) {
        lines.add(activeJob(job.id(), cluster, one));
      }
    }
  }

  /** A line that names a job that counts to an association. */
  public static String activeJob(int jobId, String cluster, Association one) {
    return String.format(
        "  JobID = %-10d C = %-10s A = %-10s U = %-9s", jobId, cluster, one.account(), one.user());
  }
}
