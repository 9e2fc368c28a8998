package io.dure.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.tree.AccountsTable;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.federation.Federations;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All clusters have the same federations, whichever comes while they change. */
@Tag("process")
@ParameterizedClass
@EnumSource(SqlDialect.class)
class AccountsTableTest {
  private static final int NEWCOMERS = 20;
  private static final int CHANGES = 100;

  @Parameter SqlDialect dialect;
  @TempDir Path temp;
  private AccountingDatabase database;
  private AccountsTable table;

  @BeforeEach
  void open() throws IOException {
    database = TestDatabases.fresh(dialect, temp);
    var _ = database.migrate();
    table = new AccountsTable(database);
    assertTrue(table.adopt("left", AccountingRecords.INITIAL, new TreeMap<>()));
    assertTrue(table.adopt("right", AccountingRecords.INITIAL, table.versions()));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  /** The step of each of the clusters to such federations. */
  private static List<AccountsTable.Step> federating(List<ClusterAccounts> all, String name)
      throws InvalidAccountingException {
    Federations next = Federations.NONE.with(List.of(name));
    List<AccountsTable.Step> steps = new ArrayList<>();
    for (ClusterAccounts one : all) {
      AccountingTree tree = AccountingTree.of(one.accounts());
      steps.add(
          new AccountsTable.Step(
              one.cluster(),
              one.accounts(),
              tree.with(List.of(new AccountingChange.FederationsSet(next))).records()));
    }
    return steps;
  }

  private static SortedSet<String> names(List<ClusterAccounts> all) {
    return new TreeSet<>(all.stream().map(ClusterAccounts::cluster).toList());
  }

  private List<Federations> federations() {
    return table.all().stream().map(one -> one.accounts().federations()).distinct().toList();
  }

  @Test
  void whatWasSeenOfOthersHasToBeSoStill() throws Exception {
    SortedMap<String, Long> seen = table.versions();
    List<ClusterAccounts> two = table.all();
    assertTrue(table.store(federating(two, "one").reversed(), names(two)));
    assertFalse(table.adopt("third", AccountingRecords.INITIAL, seen));
    SortedMap<String, Long> few = table.versions();
    few.remove("left");
    assertFalse(table.adopt("third", AccountingRecords.INITIAL, few));
    assertEquals(List.of("left", "right"), table.recorded());
    two = table.all();
    Federations now = two.getFirst().accounts().federations();
    assertTrue(
        table.adopt("third", AccountingRecords.INITIAL.withFederations(now), table.versions()));
    assertFalse(table.store(federating(two, "two"), names(two)));
    AccountsTable.Asked by = new AccountsTable.Asked("left", "root");
    assertFalse(
        table.remove(by, List.of("right"), Instant.now(), federating(two, "two"), names(two)));
    assertEquals(List.of(now), federations());
    assertFalse(table.adopt("third", AccountingRecords.INITIAL, table.versions()));
  }

  private boolean come(String name) {
    List<ClusterAccounts> all = table.all();
    SortedMap<String, Long> seen = new TreeMap<>();
    all.forEach(one -> seen.put(one.cluster(), one.accounts().version()));
    Federations known = all.getFirst().accounts().federations();
    return table.adopt(name, AccountingRecords.INITIAL.withFederations(known), seen);
  }

  @Test
  void clustersComeWhileFederationsChange() throws Exception {
    Callable<Void> coming =
        () -> {
          for (int i = 0; i < NEWCOMERS; i++) {
            while (!come("new" + i)) {
              // Another one changed the federations meanwhile, which it does a few times only.
            }
          }
          return null;
        };
    int changes = 0;
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<Void> came = other.submit(coming);
      for (int i = 0; i < CHANGES && (changes == 0 || !came.isDone()); i++) {
        List<ClusterAccounts> all = table.all();
        changes += table.store(federating(all, "f" + i), names(all)) ? 1 : 0;
      }
      var _ = came.get();
    }
    assertTrue(changes > 0);
    assertEquals(2 + NEWCOMERS, table.versions().size());
    assertEquals(1, federations().size(), federations().toString());
  }
}
