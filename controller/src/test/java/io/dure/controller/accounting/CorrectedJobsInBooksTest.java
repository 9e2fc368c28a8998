package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.JobHistory;
import io.dure.cluster.Event;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.service.RequestBounds;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is put right in the records of jobs, while the controller has them and afterwards. */
@Tag("process")
class CorrectedJobsInBooksTest {
  private static final JobCorrection NOTHING = new JobCorrection(null, null, null, null);
  private static final Response DONE = new Response.Decided(new Reply.Done());

  private static final Caller.User EVE =
      new Caller.User(new UserIdentity(1009, 1009, "eve", "eve"), List.of("eve"), false);

  @TempDir Path temp;
  private final TestCluster cluster =
      ClusterBuilder.of(2).cpus(1).set("PrivateData", "jobs").start();
  private ClusterAccounting accounting;
  private EventFollower feed;
  private CorrectionService service;
  private int fed;

  @BeforeEach
  void open() throws IOException {
    String text =
        "SlurmctldHost=vm\nClusterName=main\nStateSaveLocation="
            + temp
            + "\nNodeName=n1 CPUs=4 RealMemory=1000\nPartitionName=debug Nodes=n1\n";
    ClusterConfig config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    KeptLog log = new KeptLog();
    accounting =
        Objects.requireNonNull(
            ClusterAccounting.of(
                config,
                new ClusterAccounting.Surroundings(InstantSource.system(), new SoundDisk(), log),
                new ClusterAccounting.Group(() -> true, (_, _) -> {}, List.of()),
                bug -> {
                  throw new AssertionError(bug);
                }));
    feed = ClusterAccounting.follower(accounting);
    feed.begin(cluster.steps().getFirst().before());
    service =
        new CorrectionService(
            cluster::state,
            this::decide,
            InstantSource.system(),
            accounting,
            asked -> RequestBounds.refusal(asked, cluster.state().settings()),
            log);
  }

  @AfterEach
  void close() throws IOException {
    accounting.close();
  }

  private Reply decide(Command.InternalCommand command) {
    cluster.tell(command);
    feed();
    return new Reply.Done();
  }

  private void feed() {
    for (TestCluster.Step step : cluster.steps().subList(fed, cluster.steps().size())) {
      feed.happened(List.of(step.event()), step.after());
    }
    fed = cluster.steps().size();
  }

  private AttemptId ran() {
    int id = cluster.submit(TestCluster.ALICE, JobBuilder.job().runs(5));
    cluster.seconds(30);
    feed();
    return AttemptId.of(cluster.job(id));
  }

  private AttemptId left() {
    AttemptId attempt = ran();
    cluster.minutes(30);
    feed();
    assertNull(cluster.state().job(attempt.jobId()), "it has left the controller");
    return attempt;
  }

  private Job recorded(AttemptId attempt) throws IOException {
    JobHistoryQuery query =
        JobHistoryQuery.OPEN
            .with()
            .open(null)
            .jobs(List.of(new JobSelector(attempt.jobId(), null)))
            .build();
    JobHistory.Page page = accounting.find(query, null, cluster.state(), Instant.now());
    assertEquals(1, page.jobs().size());
    return page.jobs().getFirst().job();
  }

  private Response correct(AttemptId attempt, JobCorrection correction, Caller.User caller)
      throws InterruptedException {
    return service.correct(new Request.CorrectJobs(List.of(attempt), correction), caller);
  }

  @Test
  void aJobThatHasLeftIsPutRightInTheBooks() throws Exception {
    AttemptId attempt = left();
    Job before = recorded(attempt);
    assertEquals(DONE, correct(attempt, NOTHING.withComment("failed"), TestCluster.ALICE));
    assertEquals(
        DONE,
        correct(
            attempt,
            NOTHING.withAdminComment("JS1:x").withDerivedExit(new ExitStatus(7, 0)),
            TestCluster.ROOT));
    Job after = recorded(attempt);
    assertEquals("failed", after.spec().comment());
    assertEquals("JS1:x", after.spec().adminComment());
    assertEquals(new ExitStatus(7, 0), after.runSteps().highest());
    assertEquals(before.state(), after.state());
    assertEquals(DONE, correct(attempt, NOTHING.withComment(""), TestCluster.ALICE));
    assertNull(recorded(attempt).spec().comment());
    ClusterHistory told =
        accounting.history(
            new ClusterHistoryQuery(ClusterHistoryQuery.Part.TRANSACTIONS, Instant.EPOCH, null),
            null,
            cluster.state());
    assertEquals(
        List.of("alice Modify Job", "root Modify Job", "alice Modify Job"),
        told.transactions().stream().map(one -> one.actor() + " " + one.action()).toList());
    assertEquals("comment='failed'", told.transactions().getFirst().info());
    cluster.checkReplay();
  }

  @Test
  void aJobThatIsThereKeepsItThroughLaterRecords() throws Exception {
    int id = cluster.submit(TestCluster.ALICE, JobBuilder.job().runs(5));
    cluster.seconds(2);
    feed();
    AttemptId attempt = AttemptId.of(cluster.job(id));
    assertEquals(DONE, correct(attempt, NOTHING.withComment("mine"), TestCluster.ALICE));
    assertEquals("mine", cluster.job(id).spec().comment());
    Response early = correct(attempt, NOTHING.withDerivedExit(ExitStatus.OK), TestCluster.ALICE);
    assertEquals(
        new Response.Decided(new Reply.Refused(ErrorCode.BAD_INPUT, "job " + id + " is not over")),
        early);
    cluster.seconds(30);
    feed();
    assertEquals("mine", recorded(attempt).spec().comment());
    ExitStatus judged = new ExitStatus(3, 0);
    assertEquals(DONE, correct(attempt, NOTHING.withDerivedExit(judged), TestCluster.ALICE));
    var _ =
        cluster.ask(
            TestCluster.ALICE,
            new Command.UpdateJob(new JobSelector(id, null), JobChange.NONE.withComment("later")));
    feed();
    assertEquals("later", recorded(attempt).spec().comment());
    assertEquals(judged, recorded(attempt).runSteps().highest());
    cluster.checkReplay();
  }

  private static Response missing(AttemptId attempt) {
    return new Response.Decided(
        new Reply.Refused(
            ErrorCode.INVALID_JOB_ID, "job " + attempt.jobId() + " is not in the books"));
  }

  /** Bob coordinates the account of alice's jobs, and eve no account. */
  private void account() {
    int id = cluster.state().accounts().nextAssociation();
    List<AccountingChange> changes =
        List.of(
            new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of("bob"))),
            new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
            new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(Association.ofUser(id + 1, "bio", "alice", null)));
    long version = cluster.state().accounts().version();
    assertEquals(
        new Reply.Done(),
        cluster.ask(TestCluster.ROOT, new Command.ChangeAccounting(version, changes)));
  }

  @Test
  void whoMayChangeTheJobMayPutItRight() throws Exception {
    account();
    Response no = new Response.Decided(new Reply.Refused(ErrorCode.ACCESS_DENIED, ""));
    for (AttemptId attempt : List.of(left(), ran())) {
      assertEquals("bio", recorded(attempt).spec().account());
      assertEquals(no, correct(attempt, NOTHING.withAdminComment("x"), TestCluster.BOB));
      assertEquals(DONE, correct(attempt, NOTHING.withComment("of bob"), TestCluster.BOB));
      assertEquals("of bob", recorded(attempt).spec().comment());
      Response missing = missing(attempt);
      assertEquals(missing, correct(attempt, NOTHING.withComment("x"), EVE));
      assertEquals(missing, correct(attempt, NOTHING.withAdminComment("x"), EVE));
      assertEquals(no, correct(attempt, NOTHING.withAdminComment("x"), TestCluster.ALICE));
      assertEquals(no, correct(attempt, NOTHING.withWckey("x"), TestCluster.ALICE));
      assertEquals(DONE, correct(attempt, NOTHING.withWckey("x"), TestCluster.ROOT));
      assertEquals("x", recorded(attempt).spec().wckey());
      assertNull(recorded(attempt).spec().adminComment());
    }
  }

  @Test
  void aCallIsBoundedAndNamesAJobOnce() throws Exception {
    JobCorrection text = NOTHING.withAdminComment("x".repeat(60_000));
    AttemptId there = left();
    assertEquals(
        DONE, service.correct(asked(Collections.nCopies(10_000, there), text), TestCluster.ROOT));
    assertEquals(60_000, recorded(there).spec().adminComment().length());
    List<AttemptId> many =
        IntStream.range(1, 80).mapToObj(number -> new AttemptId(number, 1)).toList();
    assertEquals(ErrorCode.BAD_INPUT, code(service.correct(asked(many, text), TestCluster.ROOT)));
    for (JobCorrection one :
        List.of(
            NOTHING.withComment("\u00e9".repeat(513)),
            NOTHING.withWckey("x".repeat(1025)),
            NOTHING.withAdminComment("x".repeat(65_537)))) {
      assertEquals(
          ErrorCode.PATHNAME_TOO_LONG,
          code(service.correct(asked(List.of(there), one), TestCluster.ROOT)));
    }
    String most = "\u00e9".repeat(512);
    assertEquals(DONE, correct(there, NOTHING.withComment(most), TestCluster.ALICE));
    assertEquals(most, recorded(there).spec().comment());
  }

  @Test
  void aKeyIsAName() throws Exception {
    AttemptId there = left();
    for (String key : List.of("a b", "a,b", "a'b")) {
      assertEquals(
          ErrorCode.BAD_INPUT, code(correct(there, NOTHING.withWckey(key), TestCluster.ROOT)));
    }
    assertNull(recorded(there).spec().wckey());
    assertEquals(DONE, correct(there, NOTHING.withWckey(""), TestCluster.ROOT));
  }

  @Test
  void anEventIsOfFew() {
    List<AttemptId> many =
        IntStream.rangeClosed(1, 9).mapToObj(number -> new AttemptId(number, 1)).toList();
    cluster.tell(new Command.CorrectJobs(many, NOTHING.withComment("x"), "root"));
    List<List<AttemptId>> told =
        cluster.steps().stream()
            .map(TestCluster.Step::event)
            .filter(Event.JobsCorrected.class::isInstance)
            .map(event -> ((Event.JobsCorrected) event).attempts())
            .toList();
    assertEquals(List.of(4, 4, 1), told.stream().map(List::size).toList());
    assertEquals(many, told.stream().flatMap(List::stream).toList());
  }

  private static Request.CorrectJobs asked(List<AttemptId> attempts, JobCorrection correction) {
    return new Request.CorrectJobs(attempts, correction);
  }

  private static ErrorCode code(Response response) {
    return ((Reply.Refused) ((Response.Decided) response).reply()).code();
  }

  @Test
  void whatIsNotInTheBooksChangesNothing() throws Exception {
    AttemptId there = left();
    AttemptId missing = new AttemptId(4711, 1);
    Response answer =
        service.correct(
            new Request.CorrectJobs(List.of(there, missing), NOTHING.withComment("x")),
            TestCluster.ROOT);
    assertEquals(missing(missing), answer);
    assertNull(recorded(there).spec().comment());
  }

  @Test
  void theBooksAgreeWithTheLog() throws Exception {
    AttemptId attempt = left();
    assertEquals(DONE, correct(attempt, NOTHING.withComment("x"), TestCluster.ROOT));
    assertEquals("x", recorded(attempt).spec().comment());
    Path books = temp.resolve("accounting");
    try (AccountingDatabase database = AccountingDatabase.inFile(books.resolve("accounting.db"))) {
      BooksCheck.Result result =
          BooksCheck.compare(
              database, "main", books, Files.createDirectories(temp.resolve("scratch")));
      assertEquals(List.of(), result.differences());
      assertEquals(result.compared(), result.agreed());
    }
  }
}
