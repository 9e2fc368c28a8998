package io.dure.controller.slurmdbd;

import io.dure.accounting.JobHistory;
import io.dure.accounting.store.AccountingStore;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Wckey;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The workload keys of recorded jobs, where slurmdbd.conf has them tracked: a job without one gets
 * the default of its user behind a star, and a key that a job began with, or that its record is put
 * right by, is added to those of its user. Users that the accounts of the cluster do not have keep
 * none. Any thread.
 */
final class UsedWckeys {
  private static final String ACTOR = "slurmdbd";

  /** As often as the accounts may change between being read and being changed. */
  private static final int ATTEMPTS = 5;

  /** Jobs that the books are asked for together. */
  private static final int AT_ONCE = 500;

  private final boolean tracked;
  private final SharedAccounts accounts;
  private final AccountingStore books;
  private final Logger log;

  /** Of jobs of a user. */
  private record Use(String user, String key) {}

  /**
   * Those of jobs whose users these accounts have.
   *
   * @param tracked whether there are any
   * @param books where jobs are that were recorded before
   */
  UsedWckeys(boolean tracked, SharedAccounts accounts, AccountingStore books, Logger log) {
    this.tracked = tracked;
    this.accounts = accounts;
    this.books = books;
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

  /** Adds those of records that their users do not have. */
  void add(String cluster, List<AccountingRecord> records)
      throws IOException, InterruptedException {
    Set<Use> uses = tracked && known(cluster) != null ? uses(cluster, records) : Set.of();
    for (int i = 0; !uses.isEmpty() && i < ATTEMPTS; i++) {
      AccountingRecords known = known(cluster);
      List<AccountingChange> missing = known == null ? List.of() : missing(known, uses);
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

  private Set<Use> uses(String cluster, List<AccountingRecord> records) throws IOException {
    Set<Use> uses = new LinkedHashSet<>();
    Map<AttemptId, String> owners = new LinkedHashMap<>();
    Map<AttemptId, String> corrected = new LinkedHashMap<>();
    for (AccountingRecord record : records) {
      if (record instanceof AccountingRecord.JobAttempt attempt) {
        Job job = attempt.job();
        owners.put(attempt.attempt(), job.owner().userName());
        add(uses, job.owner().userName(), began(job.state()) ? job.spec().wckey() : null);
      } else if (record instanceof AccountingRecord.JobCorrected put
          && put.correction().wckey() != null) {
        corrected.put(put.attempt(), put.correction().wckey());
      }
    }
    corrected.values().removeIf(String::isEmpty);
    List<AttemptId> before =
        corrected.keySet().stream().filter(one -> !owners.containsKey(one)).toList();
    for (int from = 0; from < before.size(); from += AT_ONCE) {
      recorded(cluster, before.subList(from, Math.min(before.size(), from + AT_ONCE)), owners);
    }
    corrected.forEach((attempt, key) -> add(uses, owners.get(attempt), key));
    return uses;
  }

  /** Adds the owners of attempts that are in the books. */
  private void recorded(String cluster, List<AttemptId> attempts, Map<AttemptId, String> owners)
      throws IOException {
    List<JobSelector> jobs =
        attempts.stream().map(one -> new JobSelector(one.jobId(), null)).distinct().toList();
    AttemptId after = null;
    do {
      JobHistoryQuery query =
          JobHistoryQuery.OPEN.with().jobs(jobs).open(null).after(after).build();
      JobHistory.Page page = books.find(cluster, query, Instant.now());
      page.jobs().forEach(one -> owners.put(one.attempt(), one.job().owner().userName()));
      after = page.last();
    } while (after != null);
  }

  private static void add(Set<Use> uses, @Nullable String user, @Nullable String key) {
    if (user != null && key != null) {
      uses.add(new Use(user, key.toLowerCase(Locale.ROOT)));
    }
  }

  private static List<AccountingChange> missing(AccountingRecords known, Set<Use> uses) {
    Map<String, AccountUser> users = users(known);
    Map<String, AccountUser> changed = new TreeMap<>();
    AccountingTree tree = null;
    int next = 0;
    for (Use use : uses) {
      AccountUser user = users.get(use.user());
      if (user != null && user.wckey(use.key()) == null) {
        // Rare: a tree of many users takes a while to make.
        tree = tree == null ? AccountingTree.of(known) : tree;
        next = Math.max(next, tree.nextWckey());
        AccountUser more = with(tree, user, next, use.key());
        if (more != null) {
          users.put(more.name(), more);
          changed.put(more.name(), more);
          next++;
        }
      }
    }
    return changed.values().stream().<AccountingChange>map(AccountingChange.UserSet::new).toList();
  }

  private static boolean began(JobState state) {
    return state.runningOrSuspended() != null
        || state instanceof JobState.Completing
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
