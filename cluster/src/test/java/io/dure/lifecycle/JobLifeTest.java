package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Hold;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.model.step.Step;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One job from submission to its end, whatever people and the clock do to it. */
@Tag("pure")
class JobLifeTest {
  private final TestCluster cluster =
      ClusterBuilder.of(1)
          .set("KillWait", "30")
          .set("MinJobAge", "300")
          .set("RequeueExit", "7")
          .set("RequeueExitHold", "8")
          .set("MaxBatchRequeue", "2")
          .start();

  private JobState.Ended ended(int id) {
    return (JobState.Ended) cluster.job(id).state();
  }

  private JobState.Running running(int id) {
    return (JobState.Running) cluster.job(id).state();
  }

  private Hold hold(int id) {
    return ((JobState.Pending) cluster.job(id).state()).hold();
  }

  @Test
  void aJobRunsAndEnds() {
    int id = cluster.submit(ALICE, job().cpus(2).time(10).runs(300));
    assertEquals("RUNNING", cluster.state(id));
    cluster.seconds(300);
    assertEquals("COMPLETING", cluster.state(id));
    cluster.seconds(1);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals(TestCluster.START.plusSeconds(300), ended(id).end());
    assertEquals(0, cluster.daemon("n1").knownRuns(), "the node may forget");
  }

  @Test
  void exitStatusesArriveUnchanged() {
    int failed = cluster.submit(ALICE, job().runs(10).ends("exit 3"));
    int crashed = cluster.submit(ALICE, job().runs(10).ends("signal 11"));
    int greedy = cluster.submit(ALICE, job().runs(10).ends("oom"));
    int bad = cluster.submit(ALICE, job().ends("not-started"));
    cluster.seconds(20);
    assertEquals("FAILED", cluster.state(failed));
    assertEquals(new ExitStatus(3, 0), ended(failed).outcome().exit());
    assertEquals(new ExitStatus(0, 11), ended(crashed).outcome().exit());
    assertEquals("OUT_OF_MEMORY", cluster.state(greedy));
    assertEquals(new ExitStatus(0, 125), ended(greedy).outcome().exit());
    assertEquals(new ExitStatus(0, 53), ended(bad).outcome().exit());
  }

  @Test
  void theLimitEndsAJobAndItsStatusArrivesAfterwards() {
    int id = cluster.submit(ALICE, job().time(1).runs(1000).stubborn());
    cluster.seconds(59);
    assertEquals("RUNNING", cluster.state(id));
    cluster.seconds(1);
    assertEquals("COMPLETING", cluster.state(id));
    cluster.seconds(29);
    assertEquals("COMPLETING", cluster.state(id), "KillWait");
    cluster.seconds(2);
    assertEquals("TIMEOUT", cluster.state(id));
    assertEquals(new ExitStatus(0, 9), ended(id).outcome().exit());
    assertEquals(TestCluster.START.plusSeconds(60), ended(id).end());
  }

  @Test
  void theSignalBeforeTheLimitComesOnceAfterCont() {
    int id = cluster.submit(ALICE, job().time(2).runs(1000).signal(10, 60));
    cluster.seconds(55);
    assertEquals(List.of(), cluster.daemon("n1").received());
    cluster.seconds(30);
    List<Integer> signals =
        cluster.daemon("n1").received().stream().map(e -> ((Effect.Signal) e).signal()).toList();
    assertEquals(List.of(18, 10), signals);
    cluster.seconds(40);
    assertEquals("TIMEOUT", cluster.state(id));
  }

  @Test
  void heldJobsWaitUntilReleased() {
    int id = cluster.submit(ALICE, job().held());
    assertEquals("JobHeldUser", cluster.reason(id));
    assertNull(cluster.refusal(ALICE, Ask.release(id)));
    assertEquals("RUNNING", cluster.state(id));
  }

  @Test
  void anOwnerCannotUndoTheHoldOfAnOperator() {
    int id = cluster.submit(ALICE, job().begin(cluster.now().plusSeconds(60)));
    cluster.ask(ROOT, Ask.hold(id));
    assertEquals("JobHeldAdmin", cluster.reason(id));
    cluster.ask(ALICE, Ask.hold(id));
    cluster.ask(ALICE, Ask.update(id, new Ask.Change().priority(0)));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, Ask.release(id)));
    assertEquals(
        ErrorCode.ACCESS_DENIED,
        cluster.refusal(ALICE, Ask.update(id, new Ask.Change().priority(5))));
    assertEquals(Hold.ADMIN, hold(id));
    cluster.ask(ROOT, Ask.uhold(id));
    assertNull(cluster.refusal(ALICE, Ask.release(id)));
    assertEquals(Hold.NONE, hold(id));
  }

  @Test
  void aHeldRunIsHeldOnceItComesBack() {
    int id = cluster.submit(ALICE, job().runs(1000));
    assertNull(cluster.refusal(ALICE, Ask.hold(id)));
    assertEquals("RUNNING", cluster.state(id));
    cluster.ask(ALICE, Ask.requeue(id));
    cluster.seconds(100);
    assertEquals(Hold.USER, hold(id));
  }

  @Test
  void requeueGoesBackAfterADelayWithAnotherRun() {
    int id = cluster.submit(ALICE, job().runs(1000));
    assertNull(cluster.refusal(ALICE, Ask.requeue(id)));
    cluster.seconds(10);
    assertEquals("PENDING", cluster.state(id));
    assertEquals("BeginTime", cluster.reason(id));
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(id));
    assertEquals(2, cluster.job(id).run());
    assertEquals(1, cluster.job(id).restarts());
  }

  @Test
  void requeuedJobsAreHeldAsAsked() {
    int held = cluster.submit(ALICE, job().runs(10));
    int special = cluster.submit(ALICE, job().runs(10));
    cluster.seconds(20);
    cluster.ask(ALICE, Ask.requeueHold(held));
    cluster.ask(ALICE, Ask.specialExit(special));
    assertEquals(Hold.USER, hold(held));
    assertEquals(Hold.SPECIAL_EXIT, hold(special));
    cluster.ask(ALICE, Ask.release(held));
    cluster.seconds(100);
    assertEquals("COMPLETED", cluster.state(held));
  }

  @Test
  void requeueMustBeAllowed() {
    int id = cluster.submit(ALICE, job().runs(100).requeue(false));
    assertEquals(ErrorCode.DISABLED, cluster.refusal(ALICE, Ask.requeue(id)));
  }

  @Test
  void exitCodesBringJobsBackUntilItIsEnough() {
    int again = cluster.submit(ALICE, job().runs(10).ends("exit 7"));
    int special = cluster.submit(ALICE, job().runs(10).ends("exit 8"));
    int never = cluster.submit(ALICE, job().runs(10).ends("exit 7").requeue(false));
    cluster.seconds(20);
    assertEquals(Hold.SPECIAL_EXIT, hold(special));
    assertEquals("FAILED", cluster.state(never));
    cluster.minutes(10);
    assertEquals(3, cluster.job(again).run(), "MaxBatchRequeue=2");
    assertEquals("JobHoldMaxRequeue", cluster.reason(again));
  }

  @Test
  void cancelEndsWhatRunsAndWhatWaits() {
    int runs = cluster.submit(ALICE, job().cpus(4).runs(1000));
    int waits = cluster.submit(ALICE, job().cpus(4));
    cluster.ask(ALICE, Ask.cancel(waits));
    assertEquals("CANCELLED", cluster.state(waits));
    cluster.ask(ALICE, Ask.cancel(runs));
    cluster.seconds(5);
    assertEquals("CANCELLED", cluster.state(runs));
    assertEquals(new ExitStatus(0, 15), ended(runs).outcome().exit());
    assertEquals(ErrorCode.ALREADY_DONE, cluster.refusal(ALICE, Ask.cancel(runs)));
  }

  @Test
  void cancelEndsAJobThatIsOnItsWayBack() {
    int id = cluster.submit(ALICE, job().runs(1000).stubborn());
    cluster.ask(ALICE, Ask.requeue(id));
    assertNull(cluster.refusal(ALICE, Ask.cancel(id)));
    cluster.minutes(1);
    assertEquals("CANCELLED", cluster.state(id));
  }

  @Test
  void beginTimeAndEligibility() {
    Instant begin = cluster.now().plusSeconds(120);
    int id = cluster.submit(ALICE, job().begin(begin));
    assertNull(cluster.job(id).eligibleTime());
    assertEquals("BeginTime", cluster.reason(id));
    cluster.seconds(60);
    cluster.ask(ALICE, Ask.update(id, new Ask.Change().begin(begin.plusSeconds(60))));
    cluster.seconds(70);
    assertEquals("PENDING", cluster.state(id));
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(id));
    assertEquals(begin.plusSeconds(60), cluster.job(id).eligibleTime());
  }

  @Test
  void deadlinesEndJobsThatWaitAndThatRun() {
    int runs = cluster.submit(ALICE, job().cpus(4).deadline(cluster.now().plusSeconds(100)));
    assertEquals(cluster.now().plusSeconds(100), running(runs).end());
    int slow = cluster.submit(ALICE, job().runs(500).deadline(cluster.now().plusSeconds(100)));
    int waits =
        cluster.submit(ALICE, job().cpus(4).time(1).deadline(cluster.now().plusSeconds(90)));
    int array =
        cluster.submit(
            ALICE, job().cpus(4).time(1).array("1-5").deadline(cluster.now().plusSeconds(90)));
    assertEquals(
        ErrorCode.INVALID_TIME_LIMIT,
        cluster.refusal(ALICE, job().time(10).deadline(cluster.now().plusSeconds(60))));
    assertEquals(
        ErrorCode.INVALID_TIME_LIMIT,
        cluster.refusal(ALICE, job().deadline(cluster.now().plusSeconds(30))));
    cluster.seconds(35);
    assertEquals("DEADLINE", cluster.state(waits));
    assertEquals("DEADLINE", cluster.state(array));
    cluster.minutes(3);
    assertEquals("COMPLETED", cluster.state(runs));
    assertEquals("DEADLINE", cluster.state(slow));
  }

  @Test
  void anUpdateMovesTheEndOfARun() {
    int id = cluster.submit(ALICE, job().time(10).runs(10_000));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, Ask.timeLimit(id, 20)));
    assertNull(cluster.refusal(ALICE, Ask.timeLimit(id, 5)));
    assertEquals(running(id).start().plus(Duration.ofMinutes(5)), running(id).end());
    assertNull(cluster.refusal(ROOT, Ask.timeLimit(id, 20)));
    cluster.minutes(19);
    assertEquals("RUNNING", cluster.state(id));
    cluster.minutes(2);
    assertEquals("TIMEOUT", cluster.state(id));
  }

  @Test
  void anUpdateOfSomethingElseLeavesTheEndAlone() {
    TestCluster bounded =
        ClusterBuilder.of(1).partition("debug", "Nodes=ALL Default=YES MaxTime=60").start();
    int id = bounded.submit(ALICE, job().runs(10_000));
    bounded.ask(ROOT, Ask.update(id, new Ask.Change().time(new TimeLimit.Unlimited())));
    bounded.ask(ALICE, Ask.update(id, new Ask.Change().comment("so")));
    JobState.Running running = (JobState.Running) bounded.job(id).state();
    assertEquals(TestCluster.START.plusSeconds(3600), running.end());
  }

  @Test
  void theEndOfARunCanBeMoved() {
    int id = cluster.submit(ALICE, job().time(10).runs(9000));
    Instant sooner = TestCluster.START.plusSeconds(90);
    assertNull(cluster.refusal(ALICE, Ask.update(id, new Ask.Change().end(sooner))));
    assertEquals(sooner, running(id).end());
    assertEquals(TimeLimit.minutes(2), cluster.job(id).spec().timeLimit());
    assertNull(cluster.refusal(ALICE, Ask.update(id, new Ask.Change().mail("END", "bob"))));
    assertEquals(
        sooner, running(id).end(), "what has nothing to do with time leaves the end alone");
    assertEquals("bob", cluster.job(id).spec().mailUser());
    Instant later = TestCluster.START.plusSeconds(3600);
    assertEquals(
        ErrorCode.ACCESS_DENIED,
        cluster.refusal(ALICE, Ask.update(id, new Ask.Change().end(later))));
    assertNull(cluster.refusal(ROOT, Ask.update(id, new Ask.Change().end(later))));
    assertEquals(TimeLimit.minutes(60), cluster.job(id).spec().timeLimit());
    assertNull(
        cluster.refusal(
            ALICE,
            Ask.update(
                id, new Ask.Change().deadline(sooner).end(TestCluster.START.plusSeconds(120)))));
    assertEquals(sooner, running(id).end());
    cluster.minutes(3);
    assertEquals("DEADLINE", cluster.state(id));
  }

  @Test
  void whatRunsAndWhereCanChangeWhileItWaits() {
    int id = cluster.submit(ALICE, job().cpus(2).held());
    assertNull(cluster.refusal(ALICE, Ask.update(id, new Ask.Change().workDirectory("/srv"))));
    assertEquals("/srv", cluster.job(id).workload().workDirectory());
    assertNull(cluster.refusal(ALICE, Ask.update(id, new Ask.Change().cpus(4))));
    assertEquals(4, cluster.job(id).spec().resources().totalCpus());
    cluster.checkReplay();
  }

  @Test
  void whatHasNoScriptIsNotRunYet() {
    for (Workload other :
        List.of(
            new Workload.External("kubernetes", "default/pod"), new Workload.LentNodes("other"))) {
      Command.Component one = new Command.Component(job().spec(), other);
      for (Command.UserCommand command :
          List.of(
              new Command.SubmitJob(one.spec(), other, JobTexts.NONE),
              new Command.SubmitHetJob(List.of(one, one), JobTexts.NONE, null))) {
        assertEquals(ErrorCode.NOT_SUPPORTED, cluster.refusal(ALICE, command));
      }
    }
    cluster.checkReplay();
  }

  @Test
  void aJobThatRunsHasItsBatchStep() {
    int id = cluster.submit(ALICE, job());
    Step step = cluster.job(id).steps().getFirst();
    assertEquals(Step.BATCH, step.name());
    assertEquals(Step.State.RUNNING, step.state());
    assertTrue(cluster.job(id).hasScriptOn(running(id).allocation().batchHost()));
    assertFalse(cluster.job(id).hasScriptOn("another"));
    assertEquals(List.of(), cluster.job(cluster.submit(ALICE, job().held())).steps());
  }

  @Test
  void aJobThatIsCancelledWhileItWaitsKeepsItsReason() {
    int held = cluster.submit(ALICE, job().held());
    int never =
        cluster.submit(ALICE, job().dependency("afternotok:" + cluster.submit(ALICE, job())));
    cluster.submit(ALICE, job().cpus(4));
    int full = cluster.submit(ALICE, job().cpus(4));
    cluster.ask(ALICE, Ask.cancel(held));
    cluster.ask(ALICE, Ask.cancel(never));
    cluster.ask(
        ALICE, new Command.KillJob(Ask.all(full), null, false, false).waitingFor("Resources"));
    assertEquals("JobHeldUser", ended(held).reason());
    assertEquals("Dependency", ended(never).reason());
    assertEquals("Resources", ended(full).reason());
  }

  @Test
  void notifyReachesTheBatchHost() {
    int id = cluster.submit(ALICE, job());
    assertNull(cluster.refusal(ALICE, Ask.notice(id)));
    assertEquals(1, cluster.daemon("n1").received().size());
  }

  @Test
  void topPutsJobsFirst() {
    cluster.submit(ROOT, job().cpus(4).runs(100));
    int first = cluster.submit(ALICE, job().cpus(4));
    int second = cluster.submit(ALICE, job().cpus(4));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, Ask.top(second)));
    assertNull(cluster.refusal(ROOT, Ask.top(second)));
    cluster.seconds(105);
    assertEquals("RUNNING", cluster.state(second));
    assertEquals("PENDING", cluster.state(first));
  }

  @Test
  void endedJobsAreForgottenAfterMinJobAge() {
    int id = cluster.submit(ALICE, job().runs(10));
    cluster.seconds(300);
    assertNotNull(cluster.state().job(id));
    cluster.seconds(20);
    assertNull(cluster.state().job(id));
    assertEquals(ErrorCode.INVALID_JOB_ID, cluster.refusal(ALICE, Ask.cancel(id)));
  }

  @Test
  void usersDoNotJumpTheQueue() {
    cluster.submit(ROOT, job().cpus(4).runs(1000));
    int plain = cluster.submit(ALICE, job());
    int pushy = cluster.submit(ALICE, job().priority(4_000_000_000L));
    int urgent = cluster.submit(ROOT, job().priority(4_294_967_294L));
    assertTrue(cluster.job(pushy).priority() < cluster.job(plain).priority());
    assertTrue(cluster.job(urgent).priority() > cluster.job(plain).priority());
  }

  @Test
  void workloadKeyIsChangedAndTakenAway() {
    int id = cluster.submit(ALICE, job());
    JobSelector selector = new JobSelector(id, null);
    cluster.ask(ALICE, new Command.UpdateJob(selector, JobChange.NONE.withWckey("survey")));
    assertEquals("survey", cluster.job(id).spec().wckey());
    cluster.ask(ALICE, new Command.UpdateJob(selector, JobChange.NONE.withWckey("")));
    assertNull(cluster.job(id).spec().wckey());
  }

  @Test
  void operatorsNoteSomethingOnAnyJob() {
    int id = cluster.submit(ALICE, job().runs(5));
    JobChange note = JobChange.NONE.withAdminComment("seen");
    JobSelector selector = new JobSelector(id, null);
    assertEquals(
        ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, new Command.UpdateJob(selector, note)));
    cluster.seconds(30);
    cluster.ask(ROOT, new Command.UpdateJob(selector, note));
    assertEquals("seen", cluster.job(id).spec().adminComment());
    assertEquals(
        ErrorCode.JOB_FINISHED,
        cluster.refusal(ALICE, new Command.UpdateJob(selector, note.withComment("mine"))));
  }

  @Test
  void wishesOfAJobThatWaitsAreChanged() {
    cluster.submit(ROOT, job().cpus(4).runs(1000));
    int id = cluster.submit(ALICE, job().cpus(4));
    JobChange.ResourceChange shape =
        JobChange.ResourceChange.NONE
            .with()
            .reach(new JobChange.Reach(null, 2, Duration.ofMinutes(5)))
            .shape(new JobChange.NodeShape(null, 1, null))
            .kept(KeptOptions.NONE.withExtra("x").withDelayBoot(Duration.ofSeconds(9)))
            .build();
    JobChange change = JobChange.NONE.withShape(shape).withTimeMin(Duration.ofMinutes(3));
    cluster.ask(ALICE, new Command.UpdateJob(new JobSelector(id, null), change));
    JobSpec spec = cluster.job(id).spec();
    assertEquals(2, spec.resources().reach().switches());
    assertEquals(Duration.ofMinutes(5), spec.resources().reach().switchWait());
    assertEquals(1, spec.resources().coresPerSocket());
    assertEquals("x", spec.resources().more().shown().extra());
    assertEquals(Duration.ofMinutes(3), spec.timeMin());
    JobChange unknown =
        JobChange.NONE.withShape(
            JobChange.ResourceChange.NONE.withReach(new JobChange.Reach("nosuch", null, null)));
    assertEquals(
        ErrorCode.INVALID_PREFER,
        cluster.refusal(ALICE, new Command.UpdateJob(new JobSelector(id, null), unknown)));
    JobChange back =
        JobChange.NONE
            .withTimeMin(Duration.ZERO)
            .withShape(
                JobChange.ResourceChange.NONE
                    .with()
                    .reach(new JobChange.Reach("", 0, null))
                    .kept(KeptOptions.NONE.withExtra("").withDelayBoot(Duration.ZERO))
                    .build());
    cluster.ask(ALICE, new Command.UpdateJob(new JobSelector(id, null), back));
    spec = cluster.job(id).spec();
    assertNull(spec.timeMin());
    assertNull(spec.resources().further());
  }

  @Test
  void ageBeginsAnewForOperators() {
    cluster.submit(ROOT, job().cpus(4).runs(1000));
    int id = cluster.submit(ALICE, job().cpus(4));
    cluster.seconds(600);
    Instant before = cluster.job(id).accrueTime();
    Command.UserCommand reset =
        new Command.UpdateJob(new JobSelector(id, null), JobChange.NONE.withResetAge(true));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, reset));
    cluster.ask(ROOT, reset);
    assertEquals(before.plusSeconds(600), cluster.job(id).accrueTime());
  }

  @Test
  void onlyOperatorsAskForNegativeNice() {
    assertEquals(ErrorCode.INVALID_NICE, cluster.refusal(ALICE, job().nice(-100).submission()));
    assertEquals(-100, cluster.job(cluster.submit(ROOT, job().nice(-100))).spec().nice());
    assertEquals(100, cluster.job(cluster.submit(ALICE, job().nice(100))).spec().nice());
  }

  private static TestCluster withPrograms() {
    return ClusterBuilder.of(2)
        .set("PrologSlurmctld", "/sbin/prolog")
        .set("EpilogSlurmctld", "/sbin/epilog")
        .start();
  }

  @Test
  void theControllersProgramsGoAroundTheRun() {
    TestCluster around = withPrograms();
    int id = around.submit(ALICE, job().time(10).runs(60));
    assertEquals("CONFIGURING", around.state(id));
    assertEquals(List.of(new Effect.RunProlog(id, 1)), around.effects());
    around.minutes(20);
    assertEquals("CONFIGURING", around.state(id));
    around.tell(new Command.PrologEnded(id, 1, null));
    assertEquals("RUNNING", around.state(id));
    around.minutes(5);
    assertTrue(around.state().active().contains(id));
    assertTrue(around.effects().contains(new Effect.RunEpilog(id, 1)));
    around.tell(new Command.EpilogEnded(id, 1));
    assertEquals("COMPLETED", around.state(id));
    assertTrue(around.state().ended().contains(id));
  }

  @Test
  void aFailedPrologOfTheControllerPutsTheJobBack() {
    TestCluster around = withPrograms();
    int id = around.submit(ALICE, job().runs(60));
    around.tell(new Command.PrologEnded(id, 1, "exit 1"));
    around.tell(new Command.EpilogEnded(id, 1));
    assertEquals("PENDING", around.state(id));
    assertEquals(1, around.job(id).restarts());
    int once = around.submit(ALICE, job().runs(60).requeue(false));
    around.tell(new Command.PrologEnded(once, 1, "exit 1"));
    around.tell(new Command.EpilogEnded(once, 1));
    assertEquals("FAILED", around.state(once));
  }

  @Test
  void aControllerThatStartsRunsItsProgramsAgain() {
    TestCluster around = withPrograms();
    int prepared = around.submit(ALICE, job().runs(60));
    int over = around.submit(ALICE, job().runs(60));
    around.tell(new Command.PrologEnded(over, 1, null));
    around.ask(ALICE, Ask.cancel(over));
    around.seconds(10);
    around.forgetSteps();
    around.restartController();
    assertTrue(around.effects().contains(new Effect.RunProlog(prepared, 1)));
    assertTrue(around.effects().contains(new Effect.RunEpilog(over, 1)));
  }

  @Test
  void nothingStartsForCompleteWaitWhileAJobIsEnding() {
    TestCluster waiting = ClusterBuilder.of(2).set("CompleteWait", "20").start();
    int first = waiting.submit(ALICE, job().on("n1").runs(10_000).stubborn());
    waiting.ask(ALICE, Ask.cancel(first));
    int second = waiting.submit(ALICE, job().on("n2").runs(60));
    assertEquals("PENDING", waiting.state(second));
    assertEquals("Resources", waiting.reason(second));
    waiting.seconds(19);
    assertEquals("PENDING", waiting.state(second));
    waiting.seconds(2);
    assertEquals("RUNNING", waiting.state(second));
  }

  @Test
  void moreTasksOnANodeThanMaxTasksPerNodeAreRefused() {
    TestCluster bounded = ClusterBuilder.of(2).set("MaxTasksPerNode", "3").start();
    assertNull(bounded.refusal(ALICE, job().tasks(3).nodes(1)));
    assertEquals(ErrorCode.BAD_TASK_COUNT, bounded.refusal(ALICE, job().tasks(4).nodes(1)));
    TestCluster spread = ClusterBuilder.of(2).set("MaxTasksPerNode", "3").start();
    JobState.Running running =
        (JobState.Running) spread.job(spread.submit(ALICE, job().tasks(4))).state();
    assertEquals(2, running.allocation().nodes().size());
  }

  @Test
  void theScriptRunsWhereItsFeaturesAre() {
    TestCluster kinds =
        ClusterBuilder.of(0)
            .node("n1")
            .cpus(4)
            .describe(" Feature=slow")
            .node("n2")
            .cpus(4)
            .describe(" Feature=fast")
            .start();
    int its = kinds.submit(ALICE, job().nodes(2).runs(60).features("slow|fast", "fast"));
    JobState.Running running = kinds.job(its).state().runningOrSuspended();
    assertNotNull(running);
    assertEquals(List.of("n1", "n2"), running.allocation().nodes());
    assertEquals("n2", running.allocation().batchHost());
    assertEquals(ErrorCode.INVALID_FEATURE, kinds.refusal(ALICE, job().features("slow", "fast")));
    kinds.restartController();
    kinds.connectAll();
    kinds.minutes(5);
    assertEquals("COMPLETED", kinds.state(its));
  }
}
