package io.dure.faults.accounts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalRecord;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.StoredState;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The other places where a tree of accounts lies: the journal on disk, a snapshot, a dump file.
 * Each has to give the tree that the controller has.
 */
final class AccountsCopies {
  private final SacctmgrCluster cluster;
  private final Path directory;
  private int stored;

  /**
   * Those of a controller.
   *
   * @param directory of its journal, empty
   */
  AccountsCopies(SacctmgrCluster cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
  }

  /** What the disk says is of no interest here; the journal that is read again tells. */
  private static final class Ear implements JournalListener {
    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }

  private RecoveredJournal open() throws IOException {
    return RecoveredJournal.open(
        directory, new JournalSettings(1 << 20, 64L << 20, Duration.ofMillis(1)), new Ear());
  }

  /** Stores what is new, and reads all of it as a process that starts does. */
  void journal() throws Exception {
    List<Event> fresh = cluster.events().subList(stored, cluster.events().size());
    try (Journal journal = open().journal()) {
      for (Event event : fresh) {
        journal.append(EventJournal.records(SacctmgrCluster.NOW, List.of(event))).get();
      }
    }
    stored = cluster.events().size();
    ClusterState state = cluster.initial();
    RecoveredJournal found = open();
    try (Journal _ = found.journal()) {
      for (JournalRecord record : found.records()) {
        for (EventJournal.Timed timed : EventJournal.decode(directory, record)) {
          state = EventApplier.apply(state, timed.event());
        }
      }
    }
    assertEquals(cluster.records(), state.accounts().records(), "the journal tells another tree");
    StateInvariants.same(state, cluster.state());
  }

  /** Stores the whole state and restores it. */
  void snapshot() throws IOException {
    List<byte[]> items = new ArrayList<>();
    StoredState.of(cluster.state(), 4000).into(items::add);
    ClusterState read = StoredState.restore(SnapshotItems.of(items));
    assertEquals(cluster.records(), read.accounts().records(), "the snapshot has another tree");
  }

  /** Dumps the tree, and loads it into a cluster without accounts. */
  void file(ClusterConfig config, Caller.User root) {
    ran(cluster.run(root, "dump test file=dump.cfg"), "");
    SacctmgrCluster other = new SacctmgrCluster(config);
    AccountingTree tree = cluster.state().accounts();
    for (Qos qos : tree.qosByNumber()) {
      if (other.state().accounts().qos(qos.name()) == null) {
        ran(other.run(root, List.of("add", "qos", "name=" + qos.name())), "");
      }
    }
    ran(other.run(root, "modify cluster test set qos="), "");
    if (tree.qos("normal") == null) {
      ran(other.run(root, "delete qos normal"), "");
    }
    if (tree.association(AccountingTree.ROOT, "root", null) == null) {
      ran(other.run(root, "delete user root"), "");
    }
    String text = cluster.file("dump.cfg");
    other.file("dump.cfg", text);
    SacctmgrPort.Outcome loaded = other.run(root, "load dump.cfg");
    ran(loaded, text);
    List<String> lost = new ArrayList<>(inFile(cluster.records()));
    List<String> found = new ArrayList<>(inFile(other.records()));
    List<String> both = List.copyOf(found);
    found.removeAll(lost);
    lost.removeAll(both);
    assertTrue(
        lost.isEmpty() && found.isEmpty(), () -> "loaded " + found + " for " + lost + "\n" + text);
  }

  private static void ran(SacctmgrPort.Outcome outcome, String about) {
    assertTrue(outcome.exitCode() == 0, () -> outcome + "\n" + about);
  }

  /** What a dump file holds of a tree: no numbers, comments and QOS, no users without accounts. */
  private static List<String> inFile(AccountingRecords records) {
    TreeSet<String> placed = new TreeSet<>();
    TreeSet<String> lines = new TreeSet<>();
    for (Association one : records.associations()) {
      if (one.user() != null) {
        placed.add(one.user());
      }
      lines.add(
          String.join(
              "|",
              "place " + one.account(),
              one.user(),
              one.partition(),
              one.parent(),
              text(one.shares()),
              text(one.priority()),
              one.qos().toString(),
              one.defaultQos(),
              one.limits().bounds().stream().filter(b -> isInFile(b.limit())).toList().toString()));
    }
    for (Account one : records.accounts()) {
      List<String> lead = one.coordinators().stream().filter(placed::contains).toList();
      boolean root = one.name().equals(Account.ROOT);
      lines.add(
          root
              ? "root " + lead
              : new Account(one.name(), one.description(), one.organization(), lead).toString());
    }
    for (AccountUser one : records.users()) {
      // A level of none is not written, and root begins as an administrator.
      if (placed.contains(one.name())) {
        String keys =
            one.wckeys().stream()
                .map(key -> key.name() + (key.usual() ? "*" : ""))
                .sorted()
                .toList()
                .toString();
        AccountUser plain = one.withWckeys(List.of());
        lines.add(one.name().equals("root") ? "root " + one.defaultAccount() : plain.toString());
        lines.add(one.name() + " " + keys);
      }
    }
    return List.copyOf(lines);
  }

  private static boolean isInFile(LimitKind limit) {
    return limit.compareTo(LimitKind.MIN_PRIO_THRESHOLD) <= 0;
  }

  private static String text(@Nullable Long number) {
    return String.valueOf(number);
  }
}
