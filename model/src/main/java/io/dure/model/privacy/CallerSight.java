package io.dure.model.privacy;

import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterSettings;
import io.dure.model.job.Job;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a caller sees of others (PrivateData), and which of their jobs it may change. Operators and
 * administrators of the accounts see all and may change all jobs, coordinators those of their
 * accounts and of all below them. Lives within one answer; one thread.
 */
public final class CallerSight {
  private final AccountingTree tree;
  private final Caller.User caller;
  private final boolean operator;
  private final List<String> hidden;
  private final Map<String, Boolean> coordinated = new TreeMap<>();

  /**
   * That of a caller.
   *
   * @param privateData the words of PrivateData
   */
  public CallerSight(AccountingTree tree, List<String> privateData, Caller.User caller) {
    AccountUser known = tree.user(caller.identity().userName());
    this.tree = tree;
    this.caller = caller;
    operator = caller.operator() || known != null && known.adminLevel() != AdminLevel.NONE;
    hidden = operator ? List.of() : privateData;
  }

  /** That of a caller, as the cluster is configured. */
  public static CallerSight of(AccountingTree tree, ClusterSettings settings, Caller.User caller) {
    return new CallerSight(tree, settings.controller().privateData(), caller);
  }

  /** Whether it is root, SlurmUser, an operator or an administrator. */
  public boolean operator() {
    return operator;
  }

  /** What is hidden from it, in the words of PrivateData; none for operators. */
  public List<String> hidden() {
    return hidden;
  }

  /** Whether that is hidden from it. */
  public boolean hides(String word) {
    return hidden.contains(word);
  }

  /** Whether it coordinates an account, or one above it. */
  public boolean coordinates(@Nullable String account) {
    return account != null
        && coordinated.computeIfAbsent(
            account, name -> tree.isCoordinator(caller.identity().userName(), name));
  }

  /** Whether it sees that there is such an account: one that it coordinates, and its own branch. */
  public boolean ofAccount(String account) {
    return !hides("accounts")
        || coordinates(account)
        || tree.of(caller.identity().userName()).stream()
            .anyMatch(own -> tree.isBelow(own.account(), account));
  }

  /** The accounts that it coordinates. */
  public List<String> coordinated() {
    return tree.accounts().stream().map(Account::name).filter(this::coordinates).toList();
  }

  /** Whether it sees that there is such a job. */
  public boolean ofJob(Job job) {
    return ofJob(job.owner(), job.spec().account());
  }

  /** Whether it sees jobs of that user in that account. */
  public boolean ofJob(UserIdentity owner, @Nullable String account) {
    return !hides("jobs") || owner.uid() == caller.identity().uid() || coordinates(account);
  }

  /** Whether it may cancel, requeue and change a job. */
  public boolean mayChange(Job job) {
    return operator || caller.mayChange(job) || coordinates(job.spec().account());
  }

  /**
   * Why it may not change a job, null if it may. Of a job that it does not see it does not learn
   * that there is one.
   *
   * @param jobOfAnother the word for jobs of others
   */
  public @Nullable ErrorCode refusal(@Nullable Job job, ErrorCode jobOfAnother) {
    if (job == null || !ofJob(job)) {
      return ErrorCode.INVALID_JOB_ID;
    }
    return mayChange(job) ? null : jobOfAnother;
  }

  /** The same for what belongs to the owner alone: its steps, its files and its script. */
  public @Nullable ErrorCode ownersRefusal(@Nullable Job job, ErrorCode jobOfAnother) {
    if (job == null || !ofJob(job)) {
      return ErrorCode.INVALID_JOB_ID;
    }
    return caller.mayChange(job) ? null : jobOfAnother;
  }
}
