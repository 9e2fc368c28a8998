package io.dure.controller.slurmdbd;

import io.dure.accounting.tree.AccountsTable;
import io.dure.cluster.decide.administration.AccountingChecks;
import io.dure.controller.accounting.upkeep.BookKeeping;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.command.Reply;
import io.dure.model.federation.Federations;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all clusters: the database has them, and this has what it last saw there. Any
 * thread.
 *
 * <p>Another daemon, the backup, may change them too. A change begins with the version that it was
 * worked out from, and the database takes it only if it still has that one.
 *
 * <p>All methods that ask the database throw {@link org.jdbi.v3.core.JdbiException} where it does
 * not answer.
 */
final class SharedAccounts {
  /** Changes that are remembered for controllers that follow; others get the whole. */
  private static final int REMEMBERED = 1_000;

  private static final int NAMED_JOBS = 20;

  /** What administrators alone may do. */
  private static final List<AccountingChange> ADMINISTRATION =
      List.of(new AccountingChange.QosRemoved(""));

  /** How often the database is asked whether another daemon changed something. */
  private static final Duration GLANCE = Duration.ofSeconds(1);

  /** A controller that stopped to wait asks again within this time, unless it is gone. */
  private static final Duration STAYS_CONNECTED = Duration.ofSeconds(2);

  /** How long a change waits for controllers to follow. */
  private static final Duration FOLLOWED = Duration.ofSeconds(2);

  private final AccountsTable table;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final SortedMap<String, Cluster> clusters = new TreeMap<>();

  /** A cluster; guarded by the lock. */
  private static final class Cluster {
    private ClusterAccounts accounts;
    private final Deque<SlurmdbdReply.AccountsStep> recent = new ArrayDeque<>();

    /** Controllers that wait for a change. */
    private int waiting;

    /** When one last stopped to wait, to follow what it heard; by {@link System#nanoTime}. */
    private long lastHeard = System.nanoTime() - STAYS_CONNECTED.toNanos();

    /** The version that its controller last said to have. */
    private long followed = -1;

    Cluster(ClusterAccounts accounts) {
      this.accounts = accounts;
    }

    /** Whether a controller follows: it waits, or is about to ask again. */
    boolean isConnected() {
      return waiting > 0 || System.nanoTime() - lastHeard < STAYS_CONNECTED.toNanos();
    }

    long version() {
      return accounts.accounts().version();
    }

    void become(AccountingRecords next) {
      accounts = new ClusterAccounts(accounts.cluster(), accounts.host(), accounts.port(), next);
    }
  }

  SharedAccounts(AccountsTable table) {
    this.table = table;
  }

  /** Has what the database has. The lock is held. */
  private void refresh() {
    SortedMap<String, Long> versions = table.versions();
    boolean same =
        versions.keySet().equals(clusters.keySet())
            && versions.entrySet().stream()
                .allMatch(entry -> known(entry.getKey()).version() == entry.getValue());
    if (same) {
      return;
    }
    for (ClusterAccounts found : table.all()) {
      Cluster known = clusters.get(found.cluster());
      if (known == null) {
        clusters.put(found.cluster(), new Cluster(found));
      } else if (known.version() != found.accounts().version()) {
        known.accounts = found;
        known.recent.clear();
      }
    }
    clusters.keySet().retainAll(versions.keySet());
    changed.signalAll();
  }

  private Cluster known(String name) {
    Cluster found = clusters.get(name);
    if (found == null) {
      throw new IllegalStateException("there is no cluster " + name);
    }
    return found;
  }

  /**
   * A cluster's controller is there. Its accounts are taken over if there are none of that cluster;
   * they get the QOS, licences and federations that others have.
   *
   * @param host where the controller is, empty to leave that as it is
   */
  void open(String cluster, String host, int port, AccountingRecords accounts) {
    lock.lock();
    try {
      refresh();
      while (!clusters.containsKey(cluster)
          && !table.adopt(cluster, accounts(cluster, accounts), versions())) {
        refresh(); // another daemon changed what the others have
      }
      refresh();
      Cluster known = known(cluster);
      boolean moved = !known.accounts.host().equals(host) || known.accounts.port() != port;
      if (!host.isEmpty()) {
        known.lastHeard = System.nanoTime(); // it asks for its accounts next
      }
      if (!host.isEmpty() && moved) {
        table.locate(cluster, host, port);
        known.accounts = new ClusterAccounts(cluster, host, port, known.accounts.accounts());
      }
    } finally {
      lock.unlock();
    }
  }

  private AccountingRecords accounts(String newcomer, AccountingRecords own) {
    List<AccountingRecords> others =
        clusters.values().stream().map(one -> one.accounts.accounts()).toList();
    return NewcomerAccounts.of(newcomer, own, others);
  }

  private SortedMap<String, Long> versions() {
    SortedMap<String, Long> versions = new TreeMap<>();
    clusters.forEach((name, one) -> versions.put(name, one.version()));
    return versions;
  }

  /** The accounts of all clusters. */
  List<ClusterAccounts> all() {
    lock.lock();
    try {
      refresh();
      return clusters.values().stream().map(cluster -> cluster.accounts).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Why a user may not put records of a cluster right, null if it may: operators may. */
  Reply.@Nullable Refused unmanaged(String cluster, String actor, boolean operator) {
    for (ClusterAccounts one : all()) {
      if (one.cluster().equals(cluster)) {
        AccountUser user = AccountingTree.of(one.accounts()).user(actor);
        boolean may = operator || user != null && user.adminLevel() != AdminLevel.NONE;
        return may ? null : new Reply.Refused(ErrorCode.ACCESS_DENIED, "");
      }
    }
    return new Reply.Refused(ErrorCode.BAD_INPUT, "there is no cluster " + cluster);
  }

  /**
   * Those of the clusters whose records a user may have moved: those that it administers. One that
   * has no accounts any more is for those that administer all that have some.
   */
  List<String> administered(List<String> names, BookKeeping.Asker by) {
    lock.lock();
    try {
      refresh();
      List<String> own =
          clusters.entrySet().stream()
              .filter(one -> isAdministrator(one.getValue(), by))
              .map(Map.Entry::getKey)
              .toList();
      boolean all = by.operator() || !own.isEmpty() && own.size() == clusters.size();
      return names.stream()
          .filter(name -> clusters.containsKey(name) ? own.contains(name) : all)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private static boolean isAdministrator(Cluster cluster, BookKeeping.Asker by) {
    return AccountingRights.mayChange(
        AccountingTree.of(cluster.accounts.accounts()), by.user(), by.operator(), ADMINISTRATION);
  }

  /**
   * What happened to a cluster's accounts since a version; waits for it so long.
   *
   * @param version -1 for none that counts
   */
  SlurmdbdReply await(String cluster, long version, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      refresh();
      long end = System.nanoTime() + atMost.toNanos();
      while (true) {
        Cluster known = clusters.get(cluster);
        if (known == null) {
          return new SlurmdbdReply.Failed("there is no cluster " + cluster);
        }
        if (known.followed != version) {
          // Only then: those that wait here too would wake each other for ever.
          known.followed = version;
          changed.signalAll();
        }
        if (known.version() != version) {
          return since(known, version);
        }
        long left = end - System.nanoTime();
        if (left <= 0) {
          return new SlurmdbdReply.AccountsChanged(List.of());
        }
        known.waiting++;
        try {
          if (changed.awaitNanos(Math.min(left, GLANCE.toNanos())) <= 0) {
            refresh();
          }
        } finally {
          known.waiting--;
          known.lastHeard = System.nanoTime();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static SlurmdbdReply since(Cluster known, long version) {
    List<SlurmdbdReply.AccountsStep> steps =
        known.recent.stream().filter(step -> step.basis() >= version).toList();
    boolean whole = steps.isEmpty() || steps.getFirst().basis() != version;
    return whole
        ? new SlurmdbdReply.WholeAccounts(known.accounts.accounts())
        : new SlurmdbdReply.AccountsChanged(steps);
  }

  /**
   * Makes changes, all or none, and waits a moment for the controllers that follow.
   *
   * @return why they were refused, null if they were made
   */
  Reply.@Nullable Refused change(List<ClusterChange> asked, String actor, boolean operator)
      throws InterruptedException {
    lock.lock();
    try {
      refresh();
      List<AccountsTable.Step> steps = new ArrayList<>();
      Map<String, List<AccountingChange>> allowed = new TreeMap<>();
      for (ClusterChange one : asked) {
        Reply.Refused refused = prepare(one, actor, operator, steps, allowed);
        if (refused != null) {
          return refused;
        }
      }
      if (!hasSameFederations(steps) || !steps.isEmpty() && !table.store(steps, names())) {
        refresh();
        return new Reply.Refused(ErrorCode.ACCOUNTS_CHANGED, "");
      }
      follow(steps, actor, allowed);
      awaitFollowed(steps);
      return null;
    } finally {
      lock.unlock();
    }
  }

  private SortedSet<String> names() {
    return new TreeSet<>(clusters.keySet());
  }

  /** Whether all clusters would have the same federations; one that came meanwhile has others. */
  private boolean hasSameFederations(List<AccountsTable.Step> steps) {
    SortedMap<String, Federations> all = new TreeMap<>();
    clusters.forEach((name, one) -> all.put(name, one.accounts.accounts().federations()));
    boolean same =
        steps.stream()
            .allMatch(step -> step.after().federations().equals(step.before().federations()));
    steps.forEach(step -> all.put(step.cluster(), step.after().federations()));
    return same || all.values().stream().distinct().count() == 1;
  }

  /** Has what was stored. */
  private void follow(
      List<AccountsTable.Step> steps, String actor, Map<String, List<AccountingChange>> made) {
    for (AccountsTable.Step step : steps) {
      Cluster cluster = known(step.cluster());
      cluster.become(step.after());
      cluster.recent.add(
          new SlurmdbdReply.AccountsStep(
              step.before().version(), actor, made.getOrDefault(step.cluster(), List.of())));
      if (cluster.recent.size() > REMEMBERED) {
        cluster.recent.removeFirst();
      }
    }
    changed.signalAll();
  }

  private Reply.@Nullable Refused prepare(
      ClusterChange one,
      String actor,
      boolean operator,
      List<AccountsTable.Step> steps,
      Map<String, List<AccountingChange>> allowed) {
    Cluster cluster = clusters.get(one.cluster());
    if (cluster == null) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, "there is no cluster " + one.cluster());
    }
    AccountingTree tree = AccountingTree.of(cluster.accounts.accounts());
    if (!AccountingRights.mayChange(tree, actor, operator, one.changes())) {
      return new Reply.Refused(ErrorCode.ACCESS_DENIED, "");
    }
    if (one.basis() != tree.version()) {
      return new Reply.Refused(ErrorCode.ACCOUNTS_CHANGED, "");
    }
    List<AccountingChange> changes =
        operator ? one.changes() : AccountingRights.within(tree, actor, one.changes());
    if (changes.isEmpty()) {
      return null;
    }
    Reply.Refused refused = AccountingChecks.treeRefusal(tree, changes);
    if (refused == null) {
      refused = activeJobs(one.cluster(), tree, changes);
    }
    if (refused != null) {
      return refused;
    }
    try {
      steps.add(
          new AccountsTable.Step(one.cluster(), tree.records(), tree.with(changes).records()));
    } catch (InvalidAccountingException e) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, e.text());
    }
    allowed.put(one.cluster(), changes);
    return null;
  }

  /** Jobs that wait or run for associations that would go. */
  private Reply.@Nullable Refused activeJobs(
      String cluster, AccountingTree tree, List<AccountingChange> changes) {
    List<String> lines = new ArrayList<>();
    for (AccountingChange change : changes) {
      Association gone =
          change instanceof AccountingChange.AssociationRemoved(int id)
              ? tree.associations().get(id)
              : null;
      String user = gone == null ? null : gone.user();
      if (gone == null || user == null || lines.size() >= NAMED_JOBS) {
        continue;
      }
      String partition = gone.partition();
      for (int job :
          table.activeJobs(
              cluster,
              gone.account(),
              user,
              partition == null ? "" : partition,
              NAMED_JOBS - lines.size())) {
        lines.add(AccountingChecks.activeJob(job, cluster, gone));
      }
    }
    return lines.isEmpty()
        ? null
        : new Reply.Refused(ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION, String.join("\n", lines));
  }

  /**
   * Removes clusters, all or none; what the books have of their jobs stays. One whose controller
   * comes again is added with the accounts that it brings.
   *
   * @param from the cluster whose log of changes has it
   * @return why they were not removed, null if they were
   */
  Reply.@Nullable Refused remove(String from, List<String> names, String actor, boolean operator) {
    lock.lock();
    try {
      refresh();
      List<String> lines = new ArrayList<>();
      for (String name : names) {
        Cluster cluster = clusters.get(name);
        if (cluster == null) {
          return new Reply.Refused(ErrorCode.BAD_INPUT, "there is no cluster " + name);
        }
        if (!isAdministrator(cluster, new BookKeeping.Asker(actor, operator))) {
          return new Reply.Refused(ErrorCode.ACCESS_DENIED, "");
        }
        table
            .activeJobs(name, NAMED_JOBS)
            .forEach((job, owner) -> lines.add(AccountingChecks.activeJob(job, name, owner)));
      }
      if (!lines.isEmpty()) {
        return new Reply.Refused(ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION, String.join("\n", lines));
      }
      List<AccountsTable.Step> steps = new ArrayList<>();
      Map<String, List<AccountingChange>> made = new TreeMap<>();
      leaveFederations(names, steps, made);
      AccountsTable.Asked by = new AccountsTable.Asked(from, actor);
      if (!table.remove(by, names, Instant.now(), steps, names())) {
        refresh();
        return new Reply.Refused(ErrorCode.ACCOUNTS_CHANGED, "");
      }
      follow(steps, actor, made);
      refresh();
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Takes clusters out of the federations, as the others have them. */
  private void leaveFederations(
      List<String> gone, List<AccountsTable.Step> steps, Map<String, List<AccountingChange>> made) {
    clusters.forEach((name, cluster) -> {
      AccountingRecords before = cluster.accounts.accounts();
      Federations left = before.federations();
      for (String one : gone) {
        left = left.forgetting(one);
      }
      if (!gone.contains(name) && !left.equals(before.federations())) {
        List<AccountingChange> changes = List.of(new AccountingChange.FederationsSet(left));
        try {
          AccountingRecords after = AccountingTree.of(before).with(changes).records();
          steps.add(new AccountsTable.Step(name, before, after));
          made.put(name, changes);
        } catch (InvalidAccountingException e) {
          throw new IllegalStateException("federations that were valid", e);
        }
      }
    });
  }

  /** Waits for controllers that were waiting for a change. The lock is held. */
  private void awaitFollowed(List<AccountsTable.Step> steps) throws InterruptedException {
    List<String> followers =
        steps.stream()
            .map(AccountsTable.Step::cluster)
            .filter(name -> known(name).isConnected())
            .toList();
    long nanos = FOLLOWED.toNanos();
    while (nanos > 0 && !followers.stream().allMatch(this::isFollowed)) {
      nanos = changed.awaitNanos(nanos);
    }
  }

  private boolean isFollowed(String name) {
    Cluster cluster = clusters.get(name);
    return cluster == null || cluster.followed >= cluster.version();
  }
}
