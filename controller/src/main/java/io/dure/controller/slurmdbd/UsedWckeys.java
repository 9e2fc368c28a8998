package io.dure.controller.slurmdbd;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Wckey;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The workload keys of recorded jobs, where slurmdbd.conf has them tracked: a job without one gets
 * the default of its user behind a star, and a key that a job began with is added to those of its
 * user. Users that the accounts of the cluster do not have keep none. Any thread.
 */
final class UsedWckeys {
  private static final String ACTOR = "slurmdbd";

  /** As often as the accounts may change between being read and being changed. */
  private static final int ATTEMPTS = 5;

  private final boolean tracked;
  private final SharedAccounts accounts;
  private final Logger log;

  /**
   * Those of jobs whose users these accounts have.
   *
   * @param tracked whether there are any
   */
  UsedWckeys(boolean tracked, SharedAccounts accounts, Logger log) {
    this.tracked = tracked;
    this.accounts = accounts;
    this.log = log;
  }

  /** The records with a key for each job: slurm.conf of the cluster need not have them tracked. */
  List<AccountingRecord> named(String cluster, List<AccountingRecord> records) {
    AccountingRecords known = tracked ? known(cluster) : null;
    if (known == null || records.stream().noneMatch(UsedWckeys::lacksKey)) {
      return records;
    }
    Map<String, AccountUser> users = users(known);
    return records.stream()
        .map(record ->
            record instanceof AccountingRecord.JobAttempt attempt && lacksKey(record)
                ? named(attempt, users.get(attempt.job().owner().userName()))
                : record)
        .toList();
  }

  private static boolean lacksKey(AccountingRecord record) {
    return record instanceof AccountingRecord.JobAttempt attempt
        && attempt.job().spec().wckey() == null;
  }

  private static AccountingRecord named(
      AccountingRecord.JobAttempt attempt, @Nullable AccountUser owner) {
    String usual = owner == null ? null : owner.defaultWckey();
    Job job = attempt.job();
    return new AccountingRecord.JobAttempt(
        attempt.attempt(),
        job.withSpec(job.spec().withWckey("*" + (usual == null ? "" : usual))),
        attempt.requeued(),
        attempt.askedBilling());
  }

  /** Adds those that jobs began with and their users do not have. */
  void add(String cluster, List<AccountingRecord> records) throws InterruptedException {
    for (int i = 0; tracked && i < ATTEMPTS; i++) {
      AccountingRecords known = known(cluster);
      List<AccountingChange> missing = known == null ? List.of() : missing(known, records);
      if (known == null || missing.isEmpty()) {
        return;
      }
      Reply.Refused refused =
          accounts.change(
              List.of(new ClusterChange(cluster, known.version(), missing)), ACTOR, true);
      if (refused == null) {
        return;
      }
      if (refused.code() != ErrorCode.ACCOUNTS_CHANGED) {
        log.error(
            "workload keys of jobs of cluster {} are not added: {}", cluster, refused.detail());
        return;
      }
    }
  }

  private static List<AccountingChange> missing(
      AccountingRecords known, List<AccountingRecord> records) {
    Map<String, AccountUser> users = users(known);
    Map<String, AccountUser> changed = new TreeMap<>();
    AccountingTree tree = null;
    int next = 0;
    for (AccountingRecord record : records) {
      String key = used(record, users);
      if (key != null && record instanceof AccountingRecord.JobAttempt attempt) {
        // Rare: a tree of many users takes a while to make.
        tree = tree == null ? AccountingTree.of(known) : tree;
        next = Math.max(next, tree.nextWckey());
        AccountUser user = users.get(attempt.job().owner().userName());
        AccountUser more = user == null ? null : with(tree, user, next, key);
        if (more != null) {
          users.put(more.name(), more);
          changed.put(more.name(), more);
          next++;
        }
      }
    }
    return changed.values().stream().<AccountingChange>map(AccountingChange.UserSet::new).toList();
  }

  /** The key that a job began with and that its user does not have, null for none. */
  private static @Nullable String used(AccountingRecord record, Map<String, AccountUser> users) {
    if (!(record instanceof AccountingRecord.JobAttempt attempt) || !began(attempt.job().state())) {
      return null;
    }
    String key = attempt.job().spec().wckey();
    AccountUser user = users.get(attempt.job().owner().userName());
    String name = key == null ? null : key.toLowerCase(Locale.ROOT);
    return name == null || user == null || user.wckey(name) != null ? null : name;
  }

  private static boolean began(JobState state) {
    return state.runningOrSuspended() != null
        || state instanceof JobState.Ended over && over.start() != null;
  }

  /** The user with another key, null if that is no name of one. */
  private static @Nullable AccountUser with(
      AccountingTree tree, AccountUser user, int id, String key) {
    List<Wckey> more = new ArrayList<>(user.wckeys());
    more.add(new Wckey(id, key, false));
    AccountUser next = user.withWckeys(more);
    try {
      AccountingNames.check(tree, List.of(new AccountingChange.UserSet(next)));
      return next;
    } catch (InvalidAccountingException e) {
      return null;
    }
  }

  private @Nullable AccountingRecords known(String cluster) {
    for (ClusterAccounts one : accounts.all()) {
      if (one.cluster().equals(cluster)) {
        return one.accounts();
      }
    }
    return null;
  }

  private static Map<String, AccountUser> users(AccountingRecords known) {
    Map<String, AccountUser> users = new TreeMap<>();
    known.users().forEach(user -> users.put(user.name(), user));
    return users;
  }
}
