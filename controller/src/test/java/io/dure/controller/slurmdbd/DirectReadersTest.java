package io.dure.controller.slurmdbd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.store.DatabaseStore;
import io.dure.accounting.tree.AccountsTable;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.slurmdbd.BookReader;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

/** Who sees which jobs at slurmdbd, while no controller answers. */
@Tag("process")
class DirectReadersTest {
  private static final Instant AT = Instant.parse("2026-01-05T00:00:00Z");
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, true, null, null, null);

  @TempDir Path temp;
  private AccountingDatabase database;
  private SharedAccounts accounts;

  @BeforeEach
  void open() throws Exception {
    database = AccountingDatabase.inFile(temp.resolve("books.db"));
    database.migrate();
    accounts = new SharedAccounts(new AccountsTable(database));
    for (String cluster : List.of("left", "right")) {
      books().sink(cluster, cluster).store(position(cluster), List.of(job(1001), job(1002)), 5);
      accounts.open(cluster, "vm", 1, AccountingRecords.INITIAL);
    }
    // On left alone carol is an operator.
    AccountingRecords left = accounts.all().getFirst().accounts();
    assertNull(
        accounts.change(
            List.of(
                new ClusterChange(
                    "left",
                    left.version(),
                    List.of(
                        new AccountingChange.AccountSet(new Account("bio", "", "", List.of())),
                        new AccountingChange.AssociationSet(
                            Association.ofAccount(left.nextAssociation(), "bio", "root")),
                        new AccountingChange.UserSet(
                            new AccountUser("carol", AdminLevel.OPERATOR, "bio")),
                        new AccountingChange.AssociationSet(
                            Association.ofUser(
                                left.nextAssociation() + 1, "bio", "carol", null))))),
            "root",
            true));
  }

  private long position(String cluster) throws IOException {
    return books().sink(cluster, cluster).position();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private DatabaseStore books(String... hidden) {
    return new DatabaseStore(database, ZoneOffset.UTC, List.of(hidden), NOPLogger.NOP_LOGGER);
  }

  /** Job 1001 is alice's, job 1002 is bob's. */
  private static AccountingRecord job(int number) {
    String user = number == 1001 ? "alice" : "bob";
    Job job =
        new Job(
            number,
            null,
            new UserIdentity(number, number, user, user),
            JobSpec.of("j", List.of("debug"), ResourceRequest.of(1, 1, 1), TimeLimit.minutes(10))
                .withAccount("bio"),
            Workload.BatchSpec.nothing("/"),
            AT,
            AT,
            100,
            0,
            0,
            new JobState.Ended(null, AT, AT, new JobOutcome.Completed(ExitStatus.OK), null),
            null);
    return new AccountingRecord.JobAttempt(AttemptId.of(job), job, false);
  }

  private SlurmdbdReply reply(DatabaseStore books, String cluster, BookReader reader)
      throws IOException {
    return new DirectReaders(books, accounts)
        .jobs(new SlurmdbdRequest.ReadJobs(cluster, ALL, AT, reader));
  }

  private List<Integer> seen(DatabaseStore books, String cluster, BookReader reader)
      throws IOException {
    return assertInstanceOf(SlurmdbdReply.Jobs.class, reply(books, cluster, reader)).jobs().stream()
        .map(job -> job.job().id())
        .sorted()
        .toList();
  }

  private static BookReader reader(String name, int uid, String... hidden) {
    return new BookReader("left", name, uid, uid, uid == 0, List.of(hidden));
  }

  @Test
  void withoutPrivateDataAllAreSeen() throws IOException {
    assertEquals(List.of(1001, 1002), seen(books(), "left", reader("alice", 1001)));
    assertEquals(List.of(1001, 1002), seen(books(), "right", reader("alice", 1001)));
  }

  @Test
  void whatEitherConfigurationHidesIsSeenByOwnersAndOperators() throws IOException {
    for (String cluster : List.of("left", "right")) {
      List<Integer> own = List.of(1001);
      assertEquals(own, seen(books("jobs"), cluster, reader("alice", 1001)));
      assertEquals(own, seen(books(), cluster, reader("alice", 1001, "jobs")));
      assertEquals(List.of(), seen(books("jobs"), cluster, reader("dan", 1004)));
      assertEquals(List.of(1001, 1002), seen(books("jobs"), cluster, reader("carol", 1003)));
      assertEquals(List.of(1001, 1002), seen(books("jobs"), cluster, reader("root", 0)));
    }
  }

  private SlurmdbdReply usage(UsageQuery.Part part, BookReader reader) throws IOException {
    UsageQuery query = new UsageQuery(AT, AT.plusSeconds(3600), part, List.of(), ALL);
    return new DirectReaders(books(), accounts)
        .usage(new SlurmdbdRequest.ReadUsage("right", query, AT, List.of(), reader));
  }

  @Test
  void usageHistoryAndAccountsAreHiddenAsTheControllerHidesThem() throws IOException {
    UsageQuery.Part reserved = UsageQuery.Part.RESERVATIONS;
    BookReader alice = reader("alice", 1001, "reservations", "accounts", "users");
    BookReader carol = reader("carol", 1003, "reservations", "accounts", "users");
    assertInstanceOf(SlurmdbdReply.Denied.class, usage(reserved, alice));
    assertInstanceOf(SlurmdbdReply.Usage.class, usage(reserved, carol));
    DirectReaders readers = new DirectReaders(books(), accounts);
    ClusterHistoryQuery changes =
        new ClusterHistoryQuery(ClusterHistoryQuery.Part.TRANSACTIONS, AT, null);
    assertInstanceOf(
        SlurmdbdReply.Denied.class,
        readers.history(new SlurmdbdRequest.ReadHistory(alice.home(), changes, alice)));
    assertInstanceOf(
        SlurmdbdReply.History.class,
        readers.history(new SlurmdbdRequest.ReadHistory(carol.home(), changes, carol)));
    assertEquals(List.of(), users(readers, alice));
    assertEquals(List.of("carol", "root"), users(readers, carol));
  }

  private static List<String> changes(DirectReaders readers, BookReader reader) throws IOException {
    ClusterHistoryQuery all =
        new ClusterHistoryQuery(ClusterHistoryQuery.Part.TRANSACTIONS, AT, null);
    SlurmdbdReply reply = readers.history(new SlurmdbdRequest.ReadHistory("right", all, reader));
    return assertInstanceOf(SlurmdbdReply.History.class, reply).history().transactions().stream()
        .map(line -> line.action() + " " + line.where())
        .toList();
  }

  @Test
  void whereJobsAreHiddenWhatWasDoneToThemIsHidden() throws Exception {
    List<AccountingRecord> lines =
        List.of(
            new AccountingRecord.AccountsChange(AT, "root", "Add Users", "dan", ""),
            new AccountingRecord.AccountsChange(
                AT,
                "alice",
                AccountingRecord.AccountsChange.MODIFY_JOB,
                "id_job=1001",
                "comment='secret'"),
            new AccountingRecord.AccountsChange(
                AT, "root", AccountingRecord.AccountsChange.FIX_RUNAWAY_JOBS, "id_job=1001", ""));
    books().sink("right", "right").store(5, lines, 6);
    DirectReaders readers = new DirectReaders(books("jobs"), accounts);
    List<String> all =
        List.of("Add Users dan", "Modify Job id_job=1001", "Fix Runaway Jobs id_job=1001");
    assertEquals(List.of("Add Users dan"), changes(readers, reader("dan", 1004)));
    assertEquals(all.subList(0, 2), changes(readers, reader("alice", 1001)));
    assertEquals(all, changes(readers, reader("carol", 1003)));
    assertEquals(all, changes(new DirectReaders(books(), accounts), reader("dan", 1004)));
  }

  private static List<String> users(DirectReaders readers, BookReader reader) {
    SlurmdbdReply reply = readers.accounts(new SlurmdbdRequest.ReadAccounts(reader));
    return assertInstanceOf(SlurmdbdReply.AllAccounts.class, reply)
        .clusters()
        .getFirst()
        .accounts()
        .users()
        .stream()
        .map(AccountUser::name)
        .toList();
  }

  @Test
  void aClusterThatIsNotThereIsNamed() throws IOException {
    SlurmdbdReply.Denied denied =
        assertInstanceOf(SlurmdbdReply.Denied.class, reply(books(), "middle", reader("root", 0)));
    assertEquals("there is no cluster middle", denied.refused().detail());
  }
}
