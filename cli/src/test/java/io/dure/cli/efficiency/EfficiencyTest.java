package io.dure.cli.efficiency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.captured.JsonLeaves;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sacct.RunFixture;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.JobOutcome;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is said of jobs against what they used, from records made by hand. */
@Tag("pure")
class EfficiencyTest {
  private static final long[] WHOLE = {0, 1000};

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int efficiency(String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of("dure-efficiency"));
    all.addAll(List.of(words));
    return new EfficiencyCommand().run(world.call(all.toArray(String[]::new)));
  }

  private void history(RecordedJob... jobs) {
    controller.answer(new Response.JobHistory("lab", List.of(jobs), null, List.of(), null));
  }

  private void starts(long inSeconds) {
    controller.answer(
        new Response.WouldStart(
            FakeContext.NOW.plusSeconds(inSeconds), 8, List.of("n1"), "debug", 99));
  }

  private void accounts(AccountingTree tree) {
    controller.answer(
        new Response.Accounts("lab", "vm", 6817, tree.records(), "alice", false, List.of()));
  }

  /** Of 8 CPUs 1.6 were busy, of 4096 MiB 812 were used, of an hour 1000 seconds. */
  private static RunFixture wasteful(int id) {
    return RunFixture.of(id)
        .step(-5, WHOLE, 100, 512, null)
        .step(0, new long[] {0, 500}, 1500, 300, null)
        .step(1, new long[] {500, 1000}, 0, 200, null);
  }

  private static RunUse use(RunFixture run) {
    return RunUse.of(run.recorded(), FakeContext.NOW);
  }

  private static List<String> advice(RunFixture run) {
    return NextRequest.of(use(run)).advice().stream().map(Advice::text).toList();
  }

  private JobHistoryQuery asked(int request) {
    return assertInstanceOf(Request.ListJobHistory.class, controller.requests.get(request)).query();
  }

  @Test
  void aJobIsComparedAndItsNextRequestTried() {
    history(wasteful(12).recorded());
    starts(7200);
    starts(600);
    assertEquals(0, efficiency("12"), world.errors());
    assertEquals(
        """
        Job 12 job, user alice, account physics: COMPLETED
                                  asked       had      used  used of it
        time                   01:00:00  01:00:00  00:16:40        28 %
        CPUs busy in the mean         8         8       1.6        20 %
        MiB of memory at most      4096      4096       812        20 %

        The next time ask for:
          --cpus-per-task=2  (1.6 of 8 CPUs were busy in the mean)
          --mem=1024M  (812 of 4096 MiB were used at most)
          --time=00:25:00  (it ran for 17 minutes, with a limit of 60 minutes)

        It waited 00:10:00 then. What the queue was then is
        not kept for a replay, so this is asked of the queue as it is now:
          submitted as it was asked for, it would start in 02:00:00
          submitted as said above, it would start in       00:10:00
          so it would wait 01:50:00 less
        """,
        world.printed());
    Request.TestSubmit before =
        assertInstanceOf(Request.TestSubmit.class, controller.requests.get(1));
    assertEquals(8, before.spec().resources().cpusPerTask());
    assertEquals(TimeLimit.minutes(60), before.spec().timeLimit());
    Request.TestSubmit after =
        assertInstanceOf(Request.TestSubmit.class, controller.requests.get(2));
    assertEquals(2, after.spec().resources().cpusPerTask());
    assertEquals(new MemoryRequest.PerNode(1024), after.spec().resources().memory());
    assertEquals(TimeLimit.minutes(25), after.spec().timeLimit());
    assertEquals(null, after.runAs());
  }

  @Test
  void whatIsRefusedIsSaid() {
    history(wasteful(12).owner("bob", 1002).recorded());
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    assertEquals(0, efficiency("12"), world.errors());
    assertTrue(
        world.printed().endsWith("  the cluster says: " + ErrorCode.ACCESS_DENIED.text() + "\n"),
        world.printed());
    Request.TestSubmit asked =
        assertInstanceOf(Request.TestSubmit.class, controller.requests.get(1));
    assertEquals("bob", asked.runAs());
  }

  @Test
  void nothingIsTriedWhereOnlyFactsAreAsked() {
    history(wasteful(12).recorded());
    assertEquals(0, efficiency("-f", "12"), world.errors());
    assertTrue(world.printed().contains("(not asked)"), world.printed());
    assertEquals(1, controller.requests.size());
  }

  @Test
  void attemptsBeforeTheLastAreCounted() {
    RunFixture first = RunFixture.of(12).ended(new JobOutcome.NodeFailed(ExitStatus.OK, "n1"));
    history(
        first.seconds(900).requeued().recorded(),
        RunFixture.of(12).attempt(2).step(-5, WHOLE, 7800, 3500, null).limit(20).recorded());
    assertEquals(0, efficiency("12"), world.errors());
    assertTrue(
        world.printed().contains("1 attempt(s) before this one held 2.0 CPU-hours."),
        world.printed());
    assertTrue(
        world.printed().contains("Nothing to ask for differently the next time."), world.printed());
  }

  @Test
  void aRunningJobAWaitingOneAndOneOfNoLengthAreNotJudged() {
    history(RunFixture.of(12).ended(null).recorded());
    assertEquals(0, efficiency("12"), world.errors());
    assertTrue(world.printed().contains("01:06:40"), world.printed());
    assertTrue(world.printed().contains("It runs: only steps that have ended"), world.printed());
    assertFalse(world.printed().contains("next time"), world.printed());
    world.out.reset();
    history(RunFixture.of(13).seconds(0).recorded());
    assertEquals(0, efficiency("13"), world.errors());
    assertTrue(world.printed().contains("there is nothing to compare"), world.printed());
    world.out.reset();
    history(RunFixture.of(14).neverStarted().recorded());
    assertEquals(0, efficiency("14"), world.errors());
    assertTrue(world.printed().contains("there is nothing to compare"), world.printed());
  }

  @Test
  void aJobOfWhichNothingIsRecordedIsNotCalledIdle() {
    history(RunFixture.of(12).limit(20).recorded());
    assertEquals(0, efficiency("12"), world.errors());
    assertTrue(world.printed().contains("No use of CPUs and memory was recorded"));
    assertEquals(List.of(), advice(RunFixture.of(12).limit(20)));
  }

  @Test
  void anUnknownJobIsAnError() {
    history();
    assertEquals(1, efficiency("4711"));
    assertEquals(
        "dure-efficiency: error: no job 4711 is in the books, or it is another user's and private\n",
        world.errors());
    world.err.reset();
    assertEquals(1, efficiency("12.batch"));
    assertTrue(world.errors().contains("without a step"), world.errors());
  }

  @Test
  void limitsThatStoppedAJobAreRaised() {
    RunFixture late = RunFixture.of(12).seconds(3600).step(-5, WHOLE, 28_000, 4000, null);
    assertEquals(
        List.of("--time=01:30:00"), advice(late.ended(new JobOutcome.TimedOut(ExitStatus.OK))));
    RunFixture large = RunFixture.of(12).step(-5, WHOLE, 7900, 4000, null);
    assertEquals(
        List.of("--mem=6144M"), advice(large.ended(new JobOutcome.OutOfMemory(ExitStatus.OK))));
    assertEquals(
        List.of("--time=2-00:00:00"),
        advice(RunFixture.of(12).limit(32 * 60).ended(new JobOutcome.TimedOut(ExitStatus.OK))));
  }

  @Test
  void fewerTasksKeepTheirMemory() {
    ResourceRequest asked =
        ResourceRequest.of(4, 8, 1).with().memory(new MemoryRequest.PerCpu(100)).build();
    RunFixture run =
        RunFixture.of(12).asks(asked).held(8, 800).limit(20).step(-5, WHOLE, 1500, 700, null);
    NextRequest next = NextRequest.of(use(run));
    assertEquals(List.of("--ntasks=2", "--mem-per-cpu=448M"), advice(run));
    assertEquals(2, next.spec().resources().tasks());
    assertEquals(2, next.spec().resources().minNodes());
    assertEquals(new MemoryRequest.PerCpu(448), next.spec().resources().memory());
  }

  @Test
  void gpusThatWereNotUsedAreNamed() {
    RunFixture idle = RunFixture.of(12).gpus(4, null).limit(20).step(-5, WHOLE, 7900, 4000, 0L);
    assertEquals(List.of("no --gpus="), advice(idle));
    assertEquals(null, NextRequest.of(use(idle)).spec().resources().gres());
    RunFixture half = RunFixture.of(12).gpus(4, "a100").limit(20).step(-5, WHOLE, 7900, 4000, 150L);
    assertEquals(List.of("--gpus=a100:2"), advice(half));
    RunFixture unknown =
        RunFixture.of(12).gpus(4, null).limit(20).step(-5, WHOLE, 7900, 4000, null);
    assertEquals(List.of(), advice(unknown));
  }

  @Test
  void pausesAreNoTimeOfUse() {
    RunUse run = use(RunFixture.of(12).paused(500).step(-5, WHOLE, 2000, 100, null));
    assertEquals(500, run.seconds());
    assertEquals(4.0, run.busyCpus());
  }

  @Test
  void aUserSeesOwnJobsByName() {
    history(
        wasteful(12).name("sim").recorded(),
        wasteful(13).name("sim").recorded(),
        RunFixture.of(14).name("fit").step(-5, WHOLE, 8000, 4000, null).limit(20).recorded(),
        RunFixture.of(15).name("fit").neverStarted().recorded());
    starts(7200);
    starts(600);
    assertEquals(0, efficiency(), world.errors());
    assertEquals(List.of("1001"), asked(0).users());
    assertEquals(FakeContext.NOW.minus(Duration.ofDays(30)), asked(0).from());
    assertEquals(
        """
        Efficiency of your jobs from 2026-10-21 16:01 to 2026-11-20 16:01
        job name  attempts  CPU-hours  idle  CPUs used  memory used  GPU-hours  GPUs used  time used
        sim              2        4.4   3.6       20 %         20 %          -          -       28 %
        fit              2        2.2   0.0      100 %         98 %          -          -       83 %
        all              4        6.7   3.6       47 %         46 %          -          -       36 %

        The next time ask for sim: --cpus-per-task=2 --mem=1024M --time=00:25:00
          job 13, submitted now as it was asked for, would start in 02:00:00, with less 01:50:00 sooner
        """,
        world.printed());
  }

  @Test
  void oneOfSeveralTasksIsTried() {
    history(wasteful(12).recorded(), wasteful(13).recorded());
    starts(600);
    starts(600);
    assertEquals(0, efficiency("12"), world.errors());
    assertTrue(
        world
            .printed()
            .endsWith(
                "  job 13, submitted now as it was asked for, would start in 00:10:00, with less no"
                    + " sooner\n"),
        world.printed());
  }

  @Test
  void anAccountIsShownByUser() throws Exception {
    accounts(physics());
    history(wasteful(12).recorded(), wasteful(13).owner("bob", 1002).recorded());
    starts(7200);
    starts(600);
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, "bob"));
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, "bob"));
    assertEquals(0, efficiency("--json", "physics"), world.errors());
    assertEquals(List.of("physics"), asked(1).accounts());
    Map<String, String> json = JsonLeaves.of(world.printed());
    assertEquals("user", json.get("by"), json.toString());
    assertTrue(world.printed().contains("\"bob\""), world.printed());
    assertTrue(world.printed().contains("\"idle_cpu_seconds\": 12800"), world.printed());
    assertEquals("bob", json.get("next_time[1].user"), json.toString());
    assertEquals(
        ErrorCode.ACCESS_DENIED.text(),
        json.get("next_time[1].submitted_now.refusal"),
        json.toString());
  }

  private static AccountingTree physics() throws Exception {
    return AccountingTree.initial()
        .with(
            List.of(
                new AccountingChange.AccountSet(new Account("physics", "", "", List.of())),
                new AccountingChange.AssociationSet(Association.ofAccount(2, "physics", "root"))));
  }

  @Test
  void aUserWithoutJobsIsToldSo() {
    accounts(AccountingTree.initial());
    history();
    assertEquals(0, efficiency("bob"), world.errors());
    assertEquals(List.of("bob"), asked(1).users());
    assertTrue(
        world.printed().endsWith("No jobs in that time, or none that you may see.\n"),
        world.printed());
  }

  @Test
  void allPagesAreRead() {
    RecordedJob first = wasteful(12).recorded();
    AttemptId last = AttemptId.of(first.job());
    controller.answer(new Response.JobHistory("lab", List.of(first), last, List.of(), null));
    history(wasteful(13).recorded());
    starts(600);
    starts(60);
    assertEquals(0, efficiency("-u", "alice"), world.errors());
    assertEquals(last, asked(1).after());
    assertTrue(world.printed().contains("all              2"), world.printed());
  }

  @Test
  void aClusterWithoutRecordsSaysWhy() {
    controller.answer(new Response.Failed(ErrorCode.NOT_SUPPORTED, ""));
    assertEquals(1, efficiency("12"));
    assertTrue(
        world.errors().contains("AccountingStorageType=accounting_storage/none"), world.errors());
  }
}
