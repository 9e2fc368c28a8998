package io.dure.controller.slurmdbd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.store.DatabaseStore;
import io.dure.accounting.store.RecordSink;
import io.dure.accounting.tree.AccountsTable;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Wckey;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

/** Workload keys of jobs that nobody added. */
@Tag("process")
class UsedWckeysTest {
  private static final Instant AT = Instant.parse("2026-01-05T00:00:00Z");

  @TempDir Path temp;

  private AccountingDatabase database;
  private SharedAccounts accounts;
  private DatabaseStore books;
  private UsedWckeys keys;

  @BeforeEach
  void open() throws Exception {
    database = AccountingDatabase.inFile(temp.resolve("books.db"));
    database.migrate();
    accounts = new SharedAccounts(new AccountsTable(database));
    accounts.open("left", "l", 1, AccountingRecords.INITIAL);
    accounts.open("right", "r", 2, AccountingRecords.INITIAL);
    for (String cluster : List.of("left", "right")) {
      AccountingRecords now = of(cluster);
      List<AccountingChange> users = new ArrayList<>();
      users.add(new AccountingChange.AccountSet(new Account("bio", "", "", List.of())));
      users.add(
          new AccountingChange.AssociationSet(
              Association.ofAccount(now.nextAssociation(), "bio", "root")));
      users.add(user("alice", new Wckey(4, "main", true)));
      users.add(association(now, 1, "alice"));
      users.add(user("bob"));
      users.add(association(now, 2, "bob"));
      assertNull(
          accounts.change(List.of(new ClusterChange(cluster, now.version(), users)), "root", true));
    }
    books = new DatabaseStore(database, ZoneOffset.UTC, List.of(), NOPLogger.NOP_LOGGER);
    keys = new UsedWckeys(true, accounts, books, NOPLogger.NOP_LOGGER);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static AccountingChange user(String name, Wckey... keys) {
    return new AccountingChange.UserSet(
        new AccountUser(name, AdminLevel.NONE, "bio", List.of(keys)));
  }

  private static AccountingChange association(AccountingRecords now, int more, String name) {
    return new AccountingChange.AssociationSet(
        Association.ofUser(now.nextAssociation() + more, "bio", name, null));
  }

  private AccountingRecords of(String cluster) {
    return accounts.all().stream()
        .filter(one -> one.cluster().equals(cluster))
        .findFirst()
        .orElseThrow()
        .accounts();
  }

  private List<Wckey> ofUser(String cluster, String name) {
    return of(cluster).users().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow()
        .wckeys();
  }

  private static AccountingRecord job(String user, String key, boolean began) {
    JobState state =
        began
            ? new JobState.Ended(null, AT, AT, new JobOutcome.Completed(ExitStatus.OK), null)
            : new JobState.Pending(Hold.NONE, null, List.of(), false, false);
    JobSpec spec =
        JobSpec.of("j", List.of("debug"), ResourceRequest.of(1, 1, 1), TimeLimit.minutes(10))
            .withAccount("bio")
            .withWckey(key);
    Job job =
        new Job(
            7,
            null,
            new UserIdentity(1001, 1001, user, user),
            spec,
            Workload.BatchSpec.nothing("/"),
            AT,
            AT,
            100,
            0,
            0,
            state,
            null);
    return new AccountingRecord.JobAttempt(AttemptId.of(job), job, false);
  }

  private static String key(AccountingRecord record) {
    return ((AccountingRecord.JobAttempt) record).job().spec().wckey();
  }

  @Test
  void whatJobsBeganWithIsAddedToTheirUserOnTheirCluster() throws Exception {
    List<AccountingRecord> ran =
        List.of(
            job("alice", "blue", true),
            job("alice", "main", true),
            job("alice", "blue", true),
            job("bob", "Blue", true),
            job("bob", "later", false),
            job("carol", "blue", true),
            job("bob", "a,b", true),
            job("bob", "", true));
    keys.add("left", ran);
    assertEquals(
        List.of(new Wckey(4, "main", true), new Wckey(5, "blue", false)), ofUser("left", "alice"));
    assertEquals(List.of(new Wckey(6, "blue", false)), ofUser("left", "bob"));
    assertEquals(List.of(new Wckey(4, "main", true)), ofUser("right", "alice"));
    long version = of("left").version();
    keys.add("left", ran);
    assertEquals(version, of("left").version(), "they are there");
  }

  @Test
  void aJobWithoutOneHasTheDefaultOfItsUserBehindAStar() throws Exception {
    List<AccountingRecord> ran =
        List.of(
            job("alice", null, true),
            job("bob", null, true),
            job("carol", null, true),
            job("alice", "blue", true));
    List<AccountingRecord> named = keys.named("right", ran);
    assertEquals(
        List.of("*main", "*", "*", "blue"), named.stream().map(UsedWckeysTest::key).toList());
    keys.add("right", named);
    assertEquals(
        List.of("main", "*main", "blue"),
        ofUser("right", "alice").stream().map(Wckey::name).toList());
    assertEquals(List.of("*"), ofUser("right", "bob").stream().map(Wckey::name).toList());
  }

  private static AccountingRecord corrected(int job, String key) {
    return new AccountingRecord.JobCorrected(
        new AttemptId(job, 1), new JobCorrection("x", null, null, key));
  }

  @Test
  void whatAJobIsPutRightByIsAddedToItsUser() throws Exception {
    RecordSink left = books.sink("left", "first");
    left.store(left.position(), List.of(job("alice", "main", true)), 1);
    keys.add("left", List.of(corrected(7, "blue"), corrected(8, "gone"), corrected(7, null)));
    keys.add("left", List.of(corrected(7, "red"), corrected(7, "")));
    assertEquals(
        List.of(new Wckey(4, "main", true), new Wckey(5, "blue", false)), ofUser("left", "alice"));
    keys.add("left", List.of(job("bob", "main", false), corrected(7, "red")));
    assertEquals(List.of("red"), ofUser("left", "bob").stream().map(Wckey::name).toList());
    assertEquals(List.of(new Wckey(4, "main", true)), ofUser("right", "alice"));
  }

  @Test
  void withoutTrackingNothingIsChanged() throws Exception {
    UsedWckeys none = new UsedWckeys(false, accounts, books, NOPLogger.NOP_LOGGER);
    List<AccountingRecord> ran = List.of(job("alice", null, true), job("alice", "blue", true));
    assertSame(ran, none.named("left", ran));
    none.add("left", ran);
    assertEquals(List.of(new Wckey(4, "main", true)), ofUser("left", "alice"));
  }

  @Test
  void aClusterThatIsNotThereHasNone() throws Exception {
    List<AccountingRecord> ran = List.of(job("alice", null, true));
    assertSame(ran, keys.named("middle", ran));
    keys.add("middle", ran);
  }
}
