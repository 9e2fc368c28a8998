package io.dure.controller.slurmdbd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.RecordWriter;
import io.dure.accounting.tree.AccountsTable;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Reply;
import io.dure.model.federation.Federations;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts of several clusters in one database, and two daemons that change them. */
@Tag("process")
class SharedAccountsTest {
  private static final int NEWCOMERS = 30;

  @TempDir Path temp;

  private AccountingDatabase database;
  private SharedAccounts first;

  /** Another daemon on the same database. */
  private SharedAccounts second;

  @BeforeEach
  void open() {
    database = AccountingDatabase.inFile(temp.resolve("books.db"));
    database.migrate();
    first = new SharedAccounts(new AccountsTable(database));
    second = new SharedAccounts(new AccountsTable(database));
    first.open("left", "l", 1, AccountingRecords.INITIAL);
    second.open("right", "r", 2, AccountingRecords.INITIAL);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static AccountingRecords of(SharedAccounts accounts, String cluster) {
    return accounts.all().stream()
        .filter(one -> one.cluster().equals(cluster))
        .map(ClusterAccounts::accounts)
        .findFirst()
        .orElseThrow();
  }

  private static List<AccountingChange> account(AccountingRecords in, String name) {
    return List.of(
        new AccountingChange.AccountSet(new Account(name, name, name, List.of())),
        new AccountingChange.AssociationSet(
            Association.ofAccount(in.nextAssociation(), name, "root")));
  }

  private static Reply.Refused add(SharedAccounts accounts, String name, String... clusters)
      throws InterruptedException {
    return accounts.change(
        Arrays.stream(clusters)
            .map(cluster ->
                new ClusterChange(
                    cluster, of(accounts, cluster).version(), account(of(accounts, cluster), name)))
            .toList(),
        "root",
        true);
  }

  @Test
  void aChangeIsOfAllClustersOrOfNone() throws InterruptedException {
    assertNull(add(first, "lab", "left", "right"));
    assertEquals(of(second, "left"), of(first, "left"));
    assertNotNull(AccountingTree.of(of(second, "right")).account("lab"));
    AccountingRecords before = of(first, "left");
    ClusterChange good = new ClusterChange("left", before.version(), account(before, "physics"));
    ClusterChange bad =
        new ClusterChange("right", of(first, "right").version() - 1, account(before, "physics"));
    Reply.Refused refused = first.change(List.of(good, bad), "root", true);
    assertNotNull(refused);
    assertEquals(ErrorCode.ACCOUNTS_CHANGED, refused.code());
    assertEquals(before, of(first, "left"));
    Reply.Refused unknown =
        first.change(List.of(good, new ClusterChange("middle", 0, List.of())), "root", true);
    assertNotNull(unknown);
    assertEquals("there is no cluster middle", unknown.detail());
    assertEquals(before, of(second, "left"));
  }

  @Test
  void twoDaemonsDoNotOverwriteEachOther() throws InterruptedException {
    AccountingRecords seen = of(first, "left");
    assertNull(add(second, "lab", "left"));
    Reply.Refused late =
        first.change(
            List.of(new ClusterChange("left", seen.version(), account(seen, "physics"))),
            "root",
            true);
    assertNotNull(late);
    assertEquals(ErrorCode.ACCOUNTS_CHANGED, late.code());
    assertNull(add(first, "physics", "left"));
    AccountingTree tree = AccountingTree.of(of(second, "left"));
    assertNotNull(tree.account("lab"));
    assertNotNull(tree.account("physics"));
    // What a new daemon reads is what the two had.
    assertEquals(first.all(), new SharedAccounts(new AccountsTable(database)).all());
  }

  @Test
  void aStrangerChangesNothing() throws InterruptedException {
    AccountingRecords before = of(first, "left");
    Reply.Refused refused =
        first.change(
            List.of(new ClusterChange("left", before.version(), account(before, "mine"))),
            "mallory",
            false);
    assertNotNull(refused);
    assertEquals(ErrorCode.ACCESS_DENIED, refused.code());
    assertEquals(before, of(second, "left"));
  }

  @Test
  void aControllerFollowsStepByStepOrTakesTheWhole() throws InterruptedException {
    assertEquals(
        new SlurmdbdReply.WholeAccounts(of(first, "left")),
        first.await("left", -1, Duration.ofSeconds(1)));
    long known = of(first, "left").version();
    assertNull(add(first, "lab", "left"));
    assertNull(add(first, "physics", "left"));
    SlurmdbdReply steps = first.await("left", known, Duration.ofSeconds(1));
    assertEquals(
        List.of(known, known + 1),
        ((SlurmdbdReply.AccountsChanged) steps)
            .steps().stream().map(SlurmdbdReply.AccountsStep::basis).toList());
    // A daemon that did not make them knows no steps.
    assertEquals(
        new SlurmdbdReply.WholeAccounts(of(first, "left")),
        second.await("left", known, Duration.ofSeconds(1)));
    assertEquals(
        new SlurmdbdReply.AccountsChanged(List.of()),
        first.await("left", known + 2, Duration.ofMillis(1)));
  }

  @Test
  void aNewClusterGetsTheQosOfTheOthersAndKeepsItsOwnAccounts() throws Exception {
    AccountingRecords left = of(first, "left");
    Qos high = Qos.plain(left.nextQos(), "high", "high").withLimits(limits());
    assertNull(
        first.change(
            List.of(
                new ClusterChange(
                    "left", left.version(), List.of(new AccountingChange.QosSet(high)))),
            "root",
            true));
    AccountingTree own =
        AccountingTree.initial().with(account(AccountingRecords.INITIAL, "brought"));
    second.open("third", "t", 3, own.records());
    AccountingTree third = AccountingTree.of(of(first, "third"));
    assertNotNull(third.account("brought"));
    assertNotNull(third.qos("high"));
    // It comes again after a while with an older state: the books' accounts count.
    assertNull(add(first, "later", "third"));
    second.open("third", "elsewhere", 4, own.records());
    assertNotNull(AccountingTree.of(of(second, "third")).account("later"));
    assertEquals(
        "elsewhere",
        second.all().stream()
            .filter(one -> one.cluster().equals("third"))
            .findFirst()
            .orElseThrow()
            .host());
  }

  @Test
  void aClusterIsRemovedOnceItHasNoJobs() throws Exception {
    RecordWriter left = new RecordWriter(database, "left", "here", ZoneOffset.UTC, _ -> {});
    Job job = waiting();
    left.store(left.position(), List.of(attempt(job)), 1);
    Reply.Refused busy = first.remove("right", List.of("right", "left"), "root", true);
    assertNotNull(busy);
    assertEquals(ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION, busy.code());
    assertEquals("  JobID = 7          C = left       A = bio        U = alice    ", busy.detail());
    assertEquals(2, second.all().size());
    Reply.Refused stranger = first.remove("right", List.of("right"), "mallory", false);
    assertEquals(ErrorCode.ACCESS_DENIED, assertNotNullValue(stranger).code());
    Reply.Refused unknown = first.remove("right", List.of("middle"), "root", true);
    assertEquals("there is no cluster middle", assertNotNullValue(unknown).detail());
    left.end(List.of(AttemptId.of(job)), "root", Instant.now());
    assertNull(first.remove("right", List.of("left"), "root", true));
    assertEquals(List.of("right"), second.all().stream().map(ClusterAccounts::cluster).toList());
    assertEquals(
        List.of("root Remove Clusters name='left'"),
        new ClusterLines(database, "right")
                .find(
                    new ClusterHistoryQuery(
                        ClusterHistoryQuery.Part.TRANSACTIONS,
                        Instant.EPOCH,
                        Instant.now().plusSeconds(60)))
                .transactions()
                .stream()
                .map(one -> one.actor() + " " + one.action() + " " + one.where())
                .toList());
    // What it had recorded stays, and it may come again.
    assertEquals(1, left.position());
    second.open("left", "l", 1, AccountingRecords.INITIAL);
    assertEquals(2, first.all().size());
  }

  private static Reply.Refused federate(
      SharedAccounts accounts, Federations next, String actor, String... clusters)
      throws InterruptedException {
    return accounts.change(
        Arrays.stream(clusters)
            .map(cluster ->
                new ClusterChange(
                    cluster,
                    of(accounts, cluster).version(),
                    List.of(new AccountingChange.FederationsSet(next))))
            .toList(),
        actor,
        actor.equals("root"));
  }

  private static Federations pair() {
    Federations named = Federations.NONE.with(List.of("pair"));
    return assertNotNullValue(
        assertNotNullValue(named.joining("left", "pair")).joining("right", "pair"));
  }

  @Test
  void federationsAreTheSameInTheAccountsOfAllClusters() throws InterruptedException {
    assertNull(federate(first, pair(), "root", "left", "right"));
    assertEquals(pair(), of(second, "left").federations());
    assertEquals(
        pair(), of(new SharedAccounts(new AccountsTable(database)), "right").federations());
    Federations other = pair().leaving("left");
    Reply.Refused partly = federate(first, other, "root", "left");
    assertEquals(ErrorCode.ACCOUNTS_CHANGED, assertNotNullValue(partly).code());
    Reply.Refused stranger = federate(first, other, "mallory", "left", "right");
    assertEquals(ErrorCode.ACCESS_DENIED, assertNotNullValue(stranger).code());
    assertEquals(pair(), of(second, "right").federations());
    assertNull(federate(second, other, "root", "left", "right"));
    assertEquals(other, of(first, "left").federations());
    assertNull(federate(first, Federations.NONE, "root", "left", "right"));
    assertEquals(Federations.NONE, of(second, "right").federations());
  }

  @Test
  void aClusterThatComesHasTheFederationsOfTheOthers() throws Exception {
    assertNull(federate(first, pair(), "root", "left", "right"));
    Federations own = Federations.NONE.with(List.of("mine"));
    AccountingTree brought =
        AccountingTree.initial()
            .with(
                List.of(
                    new AccountingChange.FederationsSet(
                        assertNotNullValue(own.joining("third", "mine")))));
    second.open("third", "t", 3, brought.records());
    assertEquals(pair(), of(first, "third").federations());
    // The first to come has its own, without what it had heard of others.
    AccountingDatabase other = AccountingDatabase.inFile(temp.resolve("other.db"));
    other.migrate();
    SharedAccounts alone = new SharedAccounts(new AccountsTable(other));
    alone.open("left", "l", 1, AccountingRecords.INITIAL.withFederations(pair()));
    assertEquals(pair().forgetting("right"), of(alone, "left").federations());
    other.close();
  }

  /** Two daemons at once: one lets clusters come, the other changes federations. */
  @Test
  void clustersThatComeWhileFederationsChangeHaveTheNewOnes() throws Exception {
    Thread coming =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < NEWCOMERS; i++) {
                second.open("new" + i, "n", i, AccountingRecords.INITIAL);
              }
            });
    // It has heard of no controller, and waits for none to follow.
    SharedAccounts changing = new SharedAccounts(new AccountsTable(database));
    int changes = 0;
    for (int i = 0; i < 100 && (coming.isAlive() || changes == 0); i++) {
      Federations next = Federations.NONE.with(List.of("f" + i));
      String[] all = changing.all().stream().map(ClusterAccounts::cluster).toArray(String[]::new);
      changes += federate(changing, next, "root", all) == null ? 1 : 0;
    }
    coming.join();
    assertTrue(changes > 0);
    List<ClusterAccounts> all = first.all();
    assertEquals(2 + NEWCOMERS, all.size());
    assertEquals(
        1,
        all.stream().map(one -> one.accounts().federations()).distinct().count(),
        all.toString());
  }

  @Test
  void aClusterThatIsRemovedLeavesItsFederation() throws Exception {
    assertNull(federate(first, pair(), "root", "left", "right"));
    long known = of(first, "right").version();
    assertNull(first.remove("right", List.of("left"), "root", true));
    assertEquals(pair().leaving("left"), of(second, "right").federations());
    // Its sibling's controller hears of it.
    SlurmdbdReply.AccountsChanged heard =
        (SlurmdbdReply.AccountsChanged) first.await("right", known, Duration.ofSeconds(1));
    assertEquals(
        List.of(new AccountingChange.FederationsSet(pair().leaving("left"))),
        heard.steps().getFirst().changes());
    second.open("left", "l", 1, AccountingRecords.INITIAL.withFederations(pair()));
    assertEquals(pair().leaving("left"), of(first, "left").federations());
  }

  private static <T> T assertNotNullValue(T value) {
    assertNotNull(value);
    return value;
  }

  private static AccountingRecord.JobAttempt attempt(Job job) {
    return new AccountingRecord.JobAttempt(AttemptId.of(job), job, false);
  }

  private static Job waiting() {
    Instant at = Instant.parse("2026-01-05T00:00:00Z");
    JobSpec spec =
        JobSpec.of("j", List.of("debug"), ResourceRequest.of(1, 1, 1), TimeLimit.minutes(10))
            .withAccount("bio");
    return new Job(
        7,
        null,
        new UserIdentity(1001, 1001, "alice", "alice"),
        spec,
        Workload.BatchSpec.nothing("/"),
        at,
        at,
        100,
        0,
        0,
        new JobState.Pending(Hold.NONE, null, List.of(), false, false),
        null);
  }

  private static AccountingLimits limits() {
    return AccountingLimits.NONE.with(LimitKind.MAX_JOBS, null, 5L);
  }
}
