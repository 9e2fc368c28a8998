package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.StepCommands.exit;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.Workload;
import io.dure.model.step.HetStep;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.Step;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepName;
import io.dure.model.step.StepSpec;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.StepCommands;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbered steps, and the allocations in which nothing else runs. */
@Tag("pure")
class StepLifeTest {
  private final TestCluster cluster =
      ClusterBuilder.of(2).partition("debug", "Nodes=ALL Default=YES").start();

  private final StepCommands jobs = new StepCommands(cluster);

  @Test
  void anAllocationRunsNothingUntilItsUserEndsIt() {
    int id = jobs.allocate(job(), null);
    Job job = cluster.job(id);
    assertEquals(List.of(), job.steps());
    assertTrue(cluster.effects().stream().noneMatch(Effect.Launch.class::isInstance));
    cluster.minutes(30);
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(
        ErrorCode.ACCESS_DENIED,
        cluster.refusal(BOB, new Command.CompleteAllocation(id, ExitStatus.OK)));
    assertNull(cluster.refusal(ALICE, new Command.CompleteAllocation(id, new ExitStatus(3, 0))));
    assertEquals(new JobOutcome.Failed(new ExitStatus(3, 0)), jobs.outcome(id));
    assertEquals(
        ErrorCode.ALREADY_DONE,
        cluster.refusal(ALICE, new Command.CompleteAllocation(id, ExitStatus.OK)));
    cluster.checkReplay();
  }

  private static StepConsumption used(long micros, int tasks) {
    StepConsumption.Spread of = StepConsumption.Spread.of(micros, "n1", 0);
    return new StepConsumption(
        micros, 0, new StepConsumption.TaskSums(tasks, of, of, of, of, of, of, null, null), 0);
  }

  private List<StepConsumption> recorded() {
    List<StepConsumption> used = new ArrayList<>();
    for (TestCluster.Step step : cluster.steps()) {
      if (step.event() instanceof Event.StepPartEnded e) {
        used.add(e.used());
      } else if (step.event() instanceof Event.StepExitKnown e) {
        used.add(e.used());
      } else if (step.event() instanceof Event.BatchStepEnded e) {
        used.add(e.used());
      }
    }
    return used;
  }

  private static StepEnd exitHavingUsed(int code, StepConsumption used) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false, used);
  }

  @Test
  void whatAStepUsedIsRecordedWithItsEnd() {
    int id = jobs.allocate(job().nodes(2), null);
    int number = jobs.step(id, StepSpec.of("true", 2));
    jobs.ends("n1", id, number, exitHavingUsed(0, used(100, 1)));
    jobs.ends("n1", id, number, exitHavingUsed(0, used(100, 1)));
    // It speaks of both nodes, one of which has told already.
    List<StepPartEnds> parts = List.of(new StepPartEnds("n[1-2]", exit(0)));
    cluster.message("n2", new Command.StepPartsEnded(id, 1, number, 1, parts, used(300, 2)));
    assertEquals(List.of(100L, 150L), recorded().stream().map(one -> one.userMicros()).toList());
    assertEquals(List.of(), cluster.job(id).runSteps().live());
    cluster.checkReplay();
  }

  @Test
  void whatEndsAfterItsRunIsRecordedToo() {
    int id = cluster.submit(ALICE, job());
    String node = cluster.job(id).state().allocated().batchHost();
    int number = jobs.step(id, StepSpec.of("true", 1));
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    jobs.ends(node, id, number, exitHavingUsed(9, used(100, 1)));
    cluster.message(node, new Command.StepEnded(id, 1, exitHavingUsed(0, used(7, 1)), false));
    cluster.message(node, new Command.StepEnded(id, 1, exitHavingUsed(0, used(7, 1)), false));
    cluster.minutes(1);
    assertInstanceOf(JobState.Ended.class, cluster.job(id).state());
    assertEquals(List.of(100L, 7L), recorded().stream().map(one -> one.userMicros()).toList());
    cluster.checkReplay();
  }

  @Test
  void whatIsToldAgainAfterTheRunIsCountedOnce() {
    int id = cluster.submit(ALICE, job().nodes(2));
    int number = jobs.step(id, StepSpec.of("true", 2));
    jobs.ends("n1", id, number, exitHavingUsed(0, used(100, 1)));
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    cluster.minutes(1);
    // The words that it was on record did not arrive.
    jobs.ends("n1", id, number, exitHavingUsed(0, used(100, 1)));
    List<StepPartEnds> parts = List.of(new StepPartEnds("n[1-2]", exit(0)));
    for (int batch = 1; batch <= 2; batch++) {
      cluster.message("n2", new Command.StepPartsEnded(id, 1, number, batch, parts, used(300, 2)));
    }
    jobs.ends("n2", id, number, exitHavingUsed(9, used(200, 1)));
    assertEquals(
        List.of(100L, 150L),
        recorded().stream().filter(Objects::nonNull).map(one -> one.userMicros()).toList());
    cluster.checkReplay();
  }

  private static List<StepPartEnds> faults(String nodes) {
    return List.of(new StepPartEnds(nodes, new StepEnd.NodeFault("no room")));
  }

  @Test
  void aNodeTellsOfOthersOnlyWhereItHasAPartInTheStep() {
    TestCluster four = ClusterBuilder.of(4).partition("debug", "Nodes=ALL Default=YES").start();
    StepCommands steps = new StepCommands(four);
    int id = steps.allocate(job().on("n1", "n2"), null);
    int number = steps.step(id, StepSpec.of("true", 2));
    List<String> both = List.of("n1", "n2");
    // A node of another job, or of none, has nothing to say of this one.
    four.message("n3", new Command.StepPartsEnded(id, 1, number, 1, faults("n[1-2,4]"), null));
    four.message("n3", new Command.StepPartsEnded(id + 1, 1, 0, 1, faults("n[1-2,4]"), null));
    assertEquals(both, four.job(id).runSteps().step(number).nodesLeft());
    assertEquals(List.of(), drained(four));
    // Nor has one of this step of nodes that the step does not have.
    four.message("n1", new Command.StepPartsEnded(id, 1, number, 1, faults("n[2-4]"), null));
    assertEquals(List.of("n1"), four.job(id).runSteps().step(number).nodesLeft());
    assertEquals(List.of("n2"), drained(four));
    // Of itself each is believed.
    four.message("n3", new Command.StepPartsEnded(id, 1, number, 2, faults("n[3-4]"), null));
    assertEquals(List.of("n2", "n3"), drained(four));
    four.checkReplay();
  }

  @Test
  void endsAfterTheRunAreHeardFromItsNodesAlone() {
    TestCluster four = ClusterBuilder.of(4).partition("debug", "Nodes=ALL Default=YES").start();
    StepCommands steps = new StepCommands(four);
    int id = four.submit(ALICE, job().on("n1", "n2"));
    int number = steps.step(id, StepSpec.of("true", 2));
    four.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    four.minutes(1);
    List<String> both = List.of("n1", "n2");
    four.message("n3", new Command.StepPartsEnded(id, 1, number, 1, faults("n[1-2]"), null));
    assertEquals(both, four.job(id).runSteps().unheardOf(number));
    assertEquals(List.of(), drained(four));
    four.message("n1", new Command.StepPartsEnded(id, 1, number, 1, faults("n[1-2,4]"), null));
    assertEquals(List.of(), four.job(id).runSteps().unheardOf(number));
    assertEquals(both, drained(four));
    four.checkReplay();
  }

  private static List<String> drained(TestCluster of) {
    return of.state().nodes().values().stream()
        .filter(node -> !node.available())
        .map(node -> node.name())
        .toList();
  }

  private @Nullable ErrorCode refusalOfInterval(String interval, MemoryRequest memory) {
    JobSpec plain = job().spec();
    ResourceRequest asked = plain.resources().withMemory(memory);
    KeptOptions kept = asked.more().shown().withAccountingFrequency(interval);
    JobSpec spec = plain.withResources(asked.withFurther(asked.more().withKept(kept)));
    Workload allocation = new Workload.InteractiveAllocation("/", "salloc", "login", 1, null);
    return cluster.refusal(ALICE, new Command.SubmitJob(spec, allocation, JobTexts.NONE));
  }

  @Test
  void memoryWithALimitIsLookedAtAsOftenAsTheSiteWants() {
    MemoryRequest limited = new MemoryRequest.PerNode(100);
    assertNull(refusalOfInterval("task=30,energy=60", limited));
    assertEquals(ErrorCode.INVALID_ACCOUNTING_FREQUENCY, refusalOfInterval("31", limited));
    assertEquals(ErrorCode.INVALID_ACCOUNTING_FREQUENCY, refusalOfInterval("0", limited));
    assertNull(refusalOfInterval("0", new MemoryRequest.PerNode(0)));
  }

  @Test
  void aJobOfSrunEndsWithItsStep() {
    int id = jobs.allocate(job().nodes(2), StepSpec.of("true", 2));
    LaunchedStep first = cluster.job(id).runSteps().live().getFirst();
    assertEquals(List.of("n1", "n2"), first.nodes());
    assertEquals(0, first.number());
    jobs.ends("n2", id, 0, exit(3));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(List.of("n1"), cluster.job(id).runSteps().live().getFirst().nodesLeft());
    jobs.ends("n1", id, 0, exit(0));
    assertEquals(new JobOutcome.Failed(new ExitStatus(3, 0)), jobs.outcome(id));
    assertEquals(new ExitStatus(3, 0), cluster.job(id).runSteps().highest());
    cluster.checkReplay();
  }

  @Test
  void aJobOfSeveralComponentsEndsWithTheLastOfTheirSteps() {
    List<Command.Component> components = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      StepSpec spec = StepSpec.of("true", 1).withHet(new HetStep(i, 2, 2));
      Workload part = new Workload.InteractiveAllocation("/", "srun", "login", 1, spec);
      components.add(new Command.Component(job().spec(), part));
    }
    Reply reply = cluster.ask(ALICE, new Command.SubmitHetJob(components, JobTexts.NONE, null));
    int id = assertInstanceOf(Reply.Submitted.class, reply).jobId();
    LaunchedStep second = cluster.job(id + 1).runSteps().live().getFirst();
    assertEquals(List.of(1), second.shares().getFirst().ranks());
    // How other steps in them end says nothing of the job.
    jobs.step(id + 1, StepSpec.of("false", 1).withSharing(StepSpec.Sharing.OVERLAP));
    jobs.ends(second.nodes().getFirst(), id + 1, 1, exit(9));
    jobs.ends(cluster.job(id).runSteps().live().getFirst().nodes().getFirst(), id, 0, exit(3));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    jobs.ends(second.nodes().getFirst(), id + 1, 0, exit(0));
    assertEquals(new JobOutcome.Failed(new ExitStatus(3, 0)), jobs.outcome(id));
    assertInstanceOf(JobState.Ended.class, cluster.job(id + 1).state());
    cluster.checkReplay();
  }

  @Test
  void theLimitsOfStepsMayBeChanged() {
    int id = jobs.allocate(job().cpus(2), null);
    StepSpec exact = StepSpec.of("true", 1).withSharing(StepSpec.Sharing.EXACT);
    jobs.step(id, exact.withTimeLimitMinutes(1));
    jobs.step(id, exact);
    assertNull(cluster.refusal(ALICE, new Command.UpdateStep(id, 0, 5, true)));
    assertNull(cluster.refusal(ALICE, new Command.UpdateStep(id, 1, 4, false)));
    assertEquals(List.of(6L, 4L), limits(id));
    assertNull(cluster.refusal(ALICE, new Command.UpdateStep(id, null, -2, true)));
    assertEquals(List.of(4L, 2L), limits(id));
    assertNull(cluster.refusal(ALICE, new Command.UpdateStep(id, 0, null, false)));
    assertNull(cluster.job(id).runSteps().live().getFirst().end());
    assertEquals(
        ErrorCode.INVALID_JOB_ID, cluster.refusal(ALICE, new Command.UpdateStep(id, 7, 4, false)));
    assertEquals(
        ErrorCode.ACCESS_DENIED, cluster.refusal(BOB, new Command.UpdateStep(id, 0, 4, false)));
    cluster.minutes(3);
    assertTrue(
        cluster.effects().stream()
            .anyMatch(effect -> effect instanceof Effect.TerminateStep end && end.step() == 1));
    cluster.checkReplay();
  }

  private List<Long> limits(int job) {
    return cluster.job(job).runSteps().live().stream()
        .map(step -> Duration.between(step.start(), step.end()).toMinutes())
        .toList();
  }

  @Test
  void anotherStepOfAJobOfSrunDoesNotEndIt() {
    int id = jobs.allocate(job().cpus(2), StepSpec.of("bash", 1));
    StepSpec inner = StepSpec.of("true", 1).withSharing(StepSpec.Sharing.OVERLAP);
    assertEquals(1, jobs.step(id, inner));
    jobs.ends("n1", id, 1, exit(1));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    jobs.ends("n1", id, 0, exit(0));
    assertEquals(new JobOutcome.Completed(ExitStatus.OK), jobs.outcome(id));
  }

  @Test
  void memoryThatAStepLackedIsTheOutcomeOfItsJob() {
    int id = jobs.allocate(job(), StepSpec.of("hungry", 1));
    jobs.ends("n1", id, 0, new StepEnd.Ran(new ExitStatus(0, 9), true));
    assertInstanceOf(JobOutcome.OutOfMemory.class, jobs.outcome(id));
  }

  @Test
  void aStepThatLackedMemoryOnOneNodeIsKilledOnAllWhereTheSiteSaysSo() {
    StepEnd hungry = new StepEnd.Ran(new ExitStatus(0, 9), true);
    for (boolean kills : List.of(false, true)) {
      TestCluster two =
          ClusterBuilder.of(2)
              .set("JobAcctGatherType", "jobacct_gather/linux")
              .set("JobAcctGatherParams", kills ? "OverMemoryKill" : "UsePss")
              .start();
      Workload srun =
          new Workload.InteractiveAllocation("/", "srun", "login", 1, StepSpec.of("hungry", 2));
      Reply reply =
          two.ask(ALICE, new Command.SubmitJob(job().nodes(2).spec(), srun, JobTexts.NONE));
      int id = assertInstanceOf(Reply.Submitted.class, reply).jobId();
      two.message("n1", new Command.StepPartEnded(id, 1, 0, hungry));
      Effect end = new Effect.TerminateStep("n2", id, 1, 0, Effect.TerminationReason.CANCELLED);
      assertEquals(kills, two.effects().contains(end));
      two.message("n2", new Command.StepPartEnded(id, 1, 0, exit(0)));
      var ended = assertInstanceOf(JobState.Ended.class, two.job(id).state());
      assertInstanceOf(JobOutcome.OutOfMemory.class, ended.outcome());
      two.checkReplay();
    }
  }

  @Test
  void stepsOfABatchJobAreCountedAndShown() {
    int id = cluster.submit(ALICE, job().cpus(2));
    assertEquals(0, jobs.step(id, StepSpec.of("a", 1).withSharing(StepSpec.Sharing.EXACT)));
    assertEquals(1, jobs.step(id, StepSpec.of("b", 1).withSharing(StepSpec.Sharing.EXACT)));
    assertEquals(
        List.of(Step.BATCH, new StepName.NumberedStep(0), new StepName.NumberedStep(1)),
        cluster.job(id).steps().stream().map(Step::name).toList());
    Command third =
        new Command.CreateStep(id, StepSpec.of("c", 1).withSharing(StepSpec.Sharing.EXACT));
    assertEquals(ErrorCode.NODES_BUSY, cluster.refusal(ALICE, (Command.UserCommand) third));
    jobs.ends("n1", id, 0, exit(0));
    assertEquals(2, jobs.step(id, StepSpec.of("c", 1).withSharing(StepSpec.Sharing.EXACT)));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    cluster.checkReplay();
  }

  @Test
  void aClusterThatPacksNodesFillsThemWithTasks() {
    TestCluster packing =
        ClusterBuilder.of(2).set("SelectTypeParameters", "CR_Core,CR_Pack_Nodes").start();
    int id = packing.submit(ALICE, job().nodes(2).exclusive());
    StepSpec asked = StepSpec.of("a", 5).withMinNodes(2);
    packing.ask(ALICE, new Command.CreateStep(id, asked));
    LaunchedStep step = Objects.requireNonNull(packing.job(id).runSteps().step(0));
    assertEquals(List.of(4, 1), step.shares().stream().map(share -> share.ranks().size()).toList());
    assertEquals(asked, step.spec(), "its record says what was asked for");
  }

  @Test
  void aRunHasSoManyNumberedStepsAndNoMore() {
    TestCluster few = ClusterBuilder.of(1).set("MaxStepCount", "2").start();
    int id = few.submit(ALICE, job().runs(10_000).requeue(true));
    Command.CreateStep next = new Command.CreateStep(id, StepSpec.of("a", 1));
    StepSpec shell = StepSpec.of("interactive", 1).withSharing(StepSpec.Sharing.INTERACTIVE);
    for (int number = 0; number < 2; number++) {
      assertInstanceOf(Reply.StepCreated.class, few.ask(ALICE, next));
      few.message("n1", new Command.StepPartEnded(id, few.job(id).run(), number, exit(0)));
    }
    assertEquals(ErrorCode.STEP_LIMIT, few.refusal(ALICE, next));
    assertNull(few.refusal(ALICE, new Command.CreateStep(id, shell)));
    few.ask(ALICE, Ask.requeue(id));
    few.minutes(5);
    assertNull(few.refusal(ALICE, next), "the next run begins anew");
    few.checkReplay();
  }

  @Test
  void theShellOfAJobTakesNothingFromItsSteps() {
    int id = jobs.allocate(job().nodes(2).cpus(2), null);
    StepSpec shell =
        StepSpec.of("interactive", 1)
            .with()
            .minNodes(1)
            .maxNodes(1)
            .sharing(StepSpec.Sharing.INTERACTIVE)
            .build();
    assertEquals(StepName.InteractiveStep.NUMBER, jobs.step(id, shell));
    assertEquals(ErrorCode.BAD_INPUT, cluster.refusal(ALICE, new Command.CreateStep(id, shell)));
    assertEquals(0, jobs.step(id, StepSpec.of("whole", 2)));
    jobs.ends("n1", id, 0, exit(0));
    jobs.ends("n2", id, 0, exit(0));
    assertEquals(1, jobs.step(id, StepSpec.of("next", 2)));
    jobs.ends("n1", id, StepName.InteractiveStep.NUMBER, exit(7));
    assertEquals(
        List.of(new StepName.NumberedStep(1)),
        cluster.job(id).steps().stream().map(Step::name).toList());
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(ErrorCode.BAD_INPUT, cluster.refusal(ALICE, new Command.CreateStep(id, shell)));
    cluster.checkReplay();
  }

  @Test
  void aSignalReachesTheStepsOnAllNodes() {
    int id = cluster.submit(ALICE, job().nodes(2));
    jobs.step(id, StepSpec.of("a", 2));
    int usr1 = 10;
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), usr1, false, false));
    assertTrue(
        cluster
            .effects()
            .containsAll(
                List.of(
                    new Effect.Signal("n1", id, 1, usr1, Effect.Scope.STEPS),
                    new Effect.SignalStep("n2", id, 1, 0, usr1))));
  }

  @Test
  void aSuspendedJobStandsStillOnAllNodes() {
    int id = cluster.submit(ALICE, job().nodes(2));
    jobs.step(id, StepSpec.of("a", 2));
    cluster.ask(ROOT, new Command.SuspendJob(new JobSelector(id, null)));
    cluster.ask(ROOT, new Command.ResumeJob(new JobSelector(id, null)));
    assertTrue(
        cluster
            .effects()
            .containsAll(
                List.of(
                    new Effect.Suspend("n1", id, 1),
                    new Effect.Suspend("n2", id, 1),
                    new Effect.Resume("n1", id, 1),
                    new Effect.Resume("n2", id, 1))));
  }

  @Test
  void theEndOfAStepIsTakenOnceAndAlwaysForgotten() {
    int id = cluster.submit(ALICE, job());
    jobs.step(id, StepSpec.of("a", 1));
    jobs.ends("n1", id, 0, exit(2));
    int before = cluster.steps().size();
    jobs.ends("n1", id, 0, exit(0));
    assertEquals(before, cluster.steps().size());
    assertEquals(new ExitStatus(2, 0), cluster.job(id).runSteps().highest());
    assertEquals(2, cluster.effects().stream().filter(Effect.ForgetStep.class::isInstance).count());
  }

  @Test
  void aCancelReachesANodeThatWasAway() {
    cancelReaches(false);
  }

  @Test
  void aCancelInASuspendedJobReachesANodeThatWasAway() {
    cancelReaches(true);
  }

  private void cancelReaches(boolean suspended) {
    int id = cluster.submit(ALICE, job().runs(10_000));
    jobs.step(id, StepSpec.of("a", 1));
    if (suspended) {
      assertNull(cluster.refusal(ROOT, new Command.SuspendJob(new JobSelector(id, null))));
    }
    cluster.disconnect("n1");
    assertNull(cluster.refusal(ALICE, new Command.KillStep(id, 0, null)));
    cluster.connect("n1");
    int before = cluster.effects().size();
    cluster.minutes(1);
    assertTrue(
        cluster.effects().stream()
            .skip(before)
            .anyMatch(
                new Effect.TerminateStep(
                        "n1", id, cluster.job(id).run(), 0, Effect.TerminationReason.CANCELLED)
                    ::equals));
    cluster.checkReplay();
  }

  @Test
  void noStepOutlivesItsRun() {
    int id = cluster.submit(ALICE, job().requeue(true).runs(1000));
    jobs.step(id, StepSpec.of("a", 1));
    cluster.ask(ALICE, Ask.requeue(id));
    cluster.minutes(5);
    Job again = cluster.job(id);
    assertInstanceOf(JobState.Running.class, again.state());
    assertEquals(0, jobs.step(id, StepSpec.of("a", 1)), "numbers begin again");
  }

  @Test
  void aStepThatWasNeverLaunchedIsLostInTheEnd() {
    int id = jobs.allocate(job(), StepSpec.of("true", 1));
    cluster.compare("n1");
    cluster.minutes(3);
    cluster.compare("n1");
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    cluster.minutes(2);
    cluster.compare("n1");
    assertEquals(new JobOutcome.Failed(new ExitStatus(1, 0)), jobs.outcome(id));
    cluster.checkReplay();
  }

  @Test
  void aStepThatTheStateDoesNotHaveIsEndedOnItsNode() {
    int id = cluster.submit(ALICE, job().runs(10_000));
    int run = cluster.job(id).run();
    RunReport report = new RunReport(id, run, null, false, false).with(List.of(7));
    cluster.tell(new Command.CompareRuns("n1", List.of(report), List.of()));
    assertEquals(
        List.of(new Effect.TerminateStep("n1", id, run, 7, Effect.TerminationReason.ENDED)),
        cluster.effects().stream().filter(Effect.TerminateStep.class::isInstance).toList());
  }

  @Test
  void anInteractiveJobIsNotRequeuedForALostNode() {
    int id = jobs.allocate(job().requeue(true), null);
    cluster.reboot("n1", false);
    cluster.connect("n1");
    assertInstanceOf(JobOutcome.NodeFailed.class, jobs.outcome(id));
  }
}
