package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.job.Allocation;
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
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
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

  private int allocate(JobBuilder job, @Nullable StepSpec first) {
    Workload allocation = new Workload.InteractiveAllocation("/", "srun true", "login", 1, first);
    Reply reply = cluster.ask(ALICE, new Command.SubmitJob(job.spec(), allocation, JobTexts.NONE));
    return assertInstanceOf(Reply.Submitted.class, reply).jobId();
  }

  private int step(int job, StepSpec spec) {
    Reply reply = cluster.ask(ALICE, new Command.CreateStep(job, spec));
    return assertInstanceOf(Reply.StepCreated.class, reply).step();
  }

  private void ends(String node, int job, int step, StepEnd end) {
    cluster.message(node, new Command.StepPartEnded(job, cluster.job(job).run(), step, end));
  }

  private static StepEnd exit(int code) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false);
  }

  private JobOutcome outcome(int job) {
    return assertInstanceOf(JobState.Ended.class, cluster.job(job).state()).outcome();
  }

  @Test
  void anAllocationRunsNothingUntilItsUserEndsIt() {
    int id = allocate(job(), null);
    Job job = cluster.job(id);
    assertEquals(List.of(), job.steps());
    assertTrue(cluster.effects().stream().noneMatch(Effect.Launch.class::isInstance));
    cluster.minutes(30);
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(
        ErrorCode.ACCESS_DENIED,
        cluster.refusal(BOB, new Command.CompleteAllocation(id, ExitStatus.OK)));
    assertNull(cluster.refusal(ALICE, new Command.CompleteAllocation(id, new ExitStatus(3, 0))));
    assertEquals(new JobOutcome.Failed(new ExitStatus(3, 0)), outcome(id));
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

  private static StepEnd exit(int code, StepConsumption used) {
    return new StepEnd.Ran(new ExitStatus(code, 0), false, used);
  }

  @Test
  void whatAStepUsedIsRecordedWithItsEnd() {
    int id = allocate(job().nodes(2), null);
    int number = step(id, StepSpec.of("true", 2));
    ends("n1", id, number, exit(0, used(100, 1)));
    ends("n1", id, number, exit(0, used(100, 1)));
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
    int number = step(id, StepSpec.of("true", 1));
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    ends(node, id, number, exit(9, used(100, 1)));
    cluster.message(node, new Command.StepEnded(id, 1, exit(0, used(7, 1)), false));
    cluster.message(node, new Command.StepEnded(id, 1, exit(0, used(7, 1)), false));
    cluster.minutes(1);
    assertInstanceOf(JobState.Ended.class, cluster.job(id).state());
    assertEquals(List.of(100L, 7L), recorded().stream().map(one -> one.userMicros()).toList());
    cluster.checkReplay();
  }

  @Test
  void whatIsToldAgainAfterTheRunIsCountedOnce() {
    int id = cluster.submit(ALICE, job().nodes(2));
    int number = step(id, StepSpec.of("true", 2));
    ends("n1", id, number, exit(0, used(100, 1)));
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    cluster.minutes(1);
    // The words that it was on record did not arrive.
    ends("n1", id, number, exit(0, used(100, 1)));
    List<StepPartEnds> parts = List.of(new StepPartEnds("n[1-2]", exit(0)));
    for (int batch = 1; batch <= 2; batch++) {
      cluster.message("n2", new Command.StepPartsEnded(id, 1, number, batch, parts, used(300, 2)));
    }
    ends("n2", id, number, exit(9, used(200, 1)));
    assertEquals(
        List.of(100L, 150L),
        recorded().stream().filter(Objects::nonNull).map(one -> one.userMicros()).toList());
    cluster.checkReplay();
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
    int id = allocate(job().nodes(2), StepSpec.of("true", 2));
    LaunchedStep first = cluster.job(id).runSteps().live().getFirst();
    assertEquals(List.of("n1", "n2"), first.nodes());
    assertEquals(0, first.number());
    ends("n2", id, 0, exit(3));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(List.of("n1"), cluster.job(id).runSteps().live().getFirst().nodesLeft());
    ends("n1", id, 0, exit(0));
    assertEquals(new JobOutcome.Failed(new ExitStatus(3, 0)), outcome(id));
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
    step(id + 1, StepSpec.of("false", 1).withSharing(StepSpec.Sharing.OVERLAP));
    ends(second.nodes().getFirst(), id + 1, 1, exit(9));
    ends(cluster.job(id).runSteps().live().getFirst().nodes().getFirst(), id, 0, exit(3));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    ends(second.nodes().getFirst(), id + 1, 0, exit(0));
    assertEquals(new JobOutcome.Failed(new ExitStatus(3, 0)), outcome(id));
    assertInstanceOf(JobState.Ended.class, cluster.job(id + 1).state());
    cluster.checkReplay();
  }

  @Test
  void theLimitsOfStepsMayBeChanged() {
    int id = allocate(job().cpus(2), null);
    StepSpec exact = StepSpec.of("true", 1).withSharing(StepSpec.Sharing.EXACT);
    step(id, exact.withTimeLimitMinutes(1));
    step(id, exact);
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
    int id = allocate(job().cpus(2), StepSpec.of("bash", 1));
    StepSpec inner = StepSpec.of("true", 1).withSharing(StepSpec.Sharing.OVERLAP);
    assertEquals(1, step(id, inner));
    ends("n1", id, 1, exit(1));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    ends("n1", id, 0, exit(0));
    assertEquals(new JobOutcome.Completed(ExitStatus.OK), outcome(id));
  }

  @Test
  void memoryThatAStepLackedIsTheOutcomeOfItsJob() {
    int id = allocate(job(), StepSpec.of("hungry", 1));
    ends("n1", id, 0, new StepEnd.Ran(new ExitStatus(0, 9), true));
    assertInstanceOf(JobOutcome.OutOfMemory.class, outcome(id));
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
    assertEquals(0, step(id, StepSpec.of("a", 1).withSharing(StepSpec.Sharing.EXACT)));
    assertEquals(1, step(id, StepSpec.of("b", 1).withSharing(StepSpec.Sharing.EXACT)));
    assertEquals(
        List.of(Step.BATCH, new StepName.NumberedStep(0), new StepName.NumberedStep(1)),
        cluster.job(id).steps().stream().map(Step::name).toList());
    Command third =
        new Command.CreateStep(id, StepSpec.of("c", 1).withSharing(StepSpec.Sharing.EXACT));
    assertEquals(ErrorCode.NODES_BUSY, cluster.refusal(ALICE, (Command.UserCommand) third));
    ends("n1", id, 0, exit(0));
    assertEquals(2, step(id, StepSpec.of("c", 1).withSharing(StepSpec.Sharing.EXACT)));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    cluster.checkReplay();
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
    int id = allocate(job().nodes(2).cpus(2), null);
    StepSpec shell =
        StepSpec.of("interactive", 1)
            .with()
            .minNodes(1)
            .maxNodes(1)
            .sharing(StepSpec.Sharing.INTERACTIVE)
            .build();
    assertEquals(StepName.InteractiveStep.NUMBER, step(id, shell));
    assertEquals(ErrorCode.BAD_INPUT, cluster.refusal(ALICE, new Command.CreateStep(id, shell)));
    assertEquals(0, step(id, StepSpec.of("whole", 2)));
    ends("n1", id, 0, exit(0));
    ends("n2", id, 0, exit(0));
    assertEquals(1, step(id, StepSpec.of("next", 2)));
    ends("n1", id, StepName.InteractiveStep.NUMBER, exit(7));
    assertEquals(
        List.of(new StepName.NumberedStep(1)),
        cluster.job(id).steps().stream().map(Step::name).toList());
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(ErrorCode.BAD_INPUT, cluster.refusal(ALICE, new Command.CreateStep(id, shell)));
    cluster.checkReplay();
  }

  private static StepSpec onAll(boolean survives) {
    return StepSpec.of("a", 2)
        .with()
        .sharing(StepSpec.Sharing.OVERLAP)
        .survivesNodes(survives)
        .build();
  }

  private void setDown(String node) {
    assertNull(cluster.refusal(ROOT, Ask.node(node, "state", "DOWN", "reason", "disk")));
  }

  @Test
  void aJobThatMayLoseNodesGoesOnWithTheRest() {
    int id = cluster.submit(ALICE, job().nodes(2).survivesNodes().runs(10_000));
    step(id, onAll(false));
    step(id, onAll(true));
    setDown("n2");
    Job job = cluster.job(id);
    assertEquals(List.of("n1"), job.state().allocated().nodes());
    assertTrue(cluster.node("n2").shares().isEmpty());
    // A step that asked for nothing else is over on the other nodes, too.
    assertTrue(cluster.job(id).runSteps().step(0).cancelled());
    Effect.TerminationReason killed = Effect.TerminationReason.CANCELLED;
    assertTrue(cluster.effects().contains(new Effect.TerminateStep("n1", id, 1, 0, killed)));
    assertEquals(List.of("n1"), job.runSteps().step(1).nodesLeft());
    ends("n1", id, 1, exit(0));
    assertEquals(RunEndRules.NODE_FAILED, cluster.job(id).runSteps().highest());
    assertEquals(
        ErrorCode.NODE_CONFIG_UNAVAILABLE,
        cluster.refusal(
            ALICE, new Command.CreateStep(id, onAll(false).with().minNodes(2).build())));
    step(id, StepSpec.of("b", 1).withSharing(StepSpec.Sharing.OVERLAP));
    // The node may come back: it is not the job's any more, and forgets it.
    assertNull(cluster.refusal(ROOT, Ask.node("n2", "state", "RESUME")));
    int before = cluster.effects().size();
    cluster.message("n2", new Command.NodeCleaned(id, 1, null));
    assertTrue(
        cluster
            .effects()
            .subList(before, cluster.effects().size())
            .contains(new Effect.Forget("n2", id, 1)));
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    cluster.checkReplay();
  }

  @Test
  void noJobOutlivesTheNodeOfItsScript() {
    int id = cluster.submit(ALICE, job().nodes(2).survivesNodes().runs(10_000).requeue(false));
    setDown("n1");
    cluster.minutes(1);
    assertInstanceOf(JobOutcome.NodeFailed.class, outcome(id));
  }

  @Test
  void anAllocationMayLoseItsFirstNode() {
    int id = allocate(job().nodes(2).survivesNodes(), null);
    setDown("n1");
    assertEquals(List.of("n2"), cluster.job(id).state().allocated().nodes());
    setDown("n2");
    assertInstanceOf(JobOutcome.NodeFailed.class, outcome(id));
    cluster.checkReplay();
  }

  @Test
  void aJobOfSrunEndsWithTheRestOfItsStep() {
    int id = allocate(job().nodes(2).survivesNodes(), onAll(true));
    ends("n1", id, 0, exit(0));
    setDown("n2");
    assertEquals(new JobOutcome.Failed(RunEndRules.NODE_FAILED), outcome(id));
    int next = allocate(job().on("n1").survivesNodes(), onAll(true).with().tasks(1).build());
    ends("n1", next, 0, exit(0));
    assertEquals(new JobOutcome.Completed(ExitStatus.OK), outcome(next));
    cluster.checkReplay();
  }

  @Test
  void whatAJobHeldOnALostNodeCountsNoMore() {
    TestCluster counts = ClusterBuilder.of(3).start();
    int id = counts.submit(ALICE, job().nodes(3).cpus(2).survivesNodes().runs(10_000));
    counts.minutes(10);
    assertNull(counts.refusal(ROOT, Ask.node("n2", "state", "DOWN", "reason", "disk")));
    assertEquals(List.of("n1", "n3"), counts.job(id).state().allocated().nodes());
    counts.ask(ROOT, new Command.SuspendJob(Ask.all(id)));
    assertNull(counts.refusal(ROOT, Ask.node("n3", "state", "DOWN", "reason", "disk")));
    counts.ask(ROOT, new Command.ResumeJob(Ask.all(id)));
    counts.ask(ALICE, Ask.cancel(id));
    counts.minutes(1);
    assertInstanceOf(JobState.Ended.class, counts.job(id).state());
    counts.checkReplay();
  }

  @Test
  void aJobGivesNodesBack() {
    TestCluster four = ClusterBuilder.of(4).partition("debug", "Nodes=ALL Default=YES").start();
    int id = four.submit(ALICE, job().nodes(4).runs(10_000));
    four.ask(ALICE, new Command.CreateStep(id, onAll(false).with().tasks(4).minNodes(4).build()));
    assertNull(four.refusal(ALICE, Ask.nodes(id, 3)));
    assertNull(four.refusal(ALICE, Ask.nodes(id, 3)));
    Allocation held = four.job(id).state().allocated();
    assertEquals(List.of("n1", "n2", "n3"), held.nodes());
    assertEquals(four.now(), held.resized());
    assertTrue(four.node("n4").shares().isEmpty());
    LaunchedStep step = four.job(id).runSteps().step(0);
    assertEquals(List.of("n1", "n2", "n3"), step.nodesLeft());
    assertFalse(step.cancelled());
    assertEquals(new ExitStatus(0, 9), step.exit());
    Effect ended = new Effect.Terminate("n4", id, 1, Effect.TerminationReason.RESIZED);
    assertTrue(four.effects().contains(ended));
    // Another job may have the node, and the old run may end late.
    int next = four.submit(BOB, job().on("n4").runs(10_000));
    assertEquals(List.of("n4"), four.job(next).state().allocated().nodes());
    four.message(
        "n4", new Command.StepPartEnded(id, 1, 0, new StepEnd.Ran(new ExitStatus(0, 9), false)));
    four.message("n4", new Command.NodeCleaned(id, 1, null));
    assertTrue(four.effects().contains(new Effect.Forget("n4", id, 1)));
    assertNull(four.refusal(ALICE, Ask.onNodes(id, "n1", "n3")));
    assertEquals(List.of("n1", "n3"), four.job(id).state().allocated().nodes());
    four.ask(ALICE, Ask.cancel(id));
    four.minutes(1);
    assertInstanceOf(JobState.Ended.class, four.job(id).state());
    four.checkReplay();
  }

  @Test
  void whatAJobCannotGiveBackIsRefused() {
    int id = cluster.submit(ALICE, job().nodes(2).runs(10_000));
    assertEquals(ErrorCode.NOT_SUPPORTED, cluster.refusal(ALICE, Ask.nodes(id, 3)));
    assertEquals(ErrorCode.INVALID_NODE_COUNT, cluster.refusal(ALICE, Ask.nodes(id, 0)));
    assertEquals(ErrorCode.INVALID_NODE_NAME, cluster.refusal(ALICE, Ask.onNodes(id)));
    assertEquals(ErrorCode.INVALID_NODE_NAME, cluster.refusal(ALICE, Ask.onNodes(id, "n1", "n9")));
    // The script has to stay where it is.
    assertEquals(ErrorCode.INVALID_NODE_NAME, cluster.refusal(ALICE, Ask.onNodes(id, "n2")));
    assertEquals(ErrorCode.USER_ID_MISSING, cluster.refusal(BOB, Ask.nodes(id, 1)));
    cluster.ask(ALICE, Ask.cancel(id));
    cluster.minutes(1);
    assertEquals(ErrorCode.JOB_FINISHED, cluster.refusal(ALICE, Ask.nodes(id, 1)));
    int array = cluster.submit(ALICE, job().nodes(1).array("1-2").runs(10_000));
    assertEquals(ErrorCode.INVALID_ARRAY, cluster.refusal(ALICE, Ask.nodes(array, 1)));
    assertEquals(2, cluster.node("n1").shares().size() + cluster.node("n2").shares().size());
    cluster.checkReplay();
  }

  @Test
  void anAllocationGivesItsFirstNodeBackAlsoWhileItIsSuspended() {
    int id = allocate(job().nodes(2), null);
    cluster.ask(ROOT, new Command.SuspendJob(Ask.all(id)));
    assertNull(cluster.refusal(ALICE, Ask.onNodes(id, "n2")));
    assertEquals(List.of("n2"), cluster.job(id).state().allocated().nodes());
    assertTrue(cluster.node("n1").shares().isEmpty());
    cluster.ask(ROOT, new Command.ResumeJob(Ask.all(id)));
    step(id, StepSpec.of("a", 1));
    cluster.checkReplay();
  }

  @Test
  void aJobOfSrunEndsWhenItGivesBackTheNodesOfItsStep() {
    int id = allocate(job().nodes(2), onAll(false));
    ends("n1", id, 0, exit(0));
    assertNull(cluster.refusal(ALICE, Ask.nodes(id, 1)));
    cluster.minutes(1);
    assertInstanceOf(JobState.Ended.class, cluster.job(id).state());
    cluster.checkReplay();
  }

  @Test
  void aSignalReachesTheStepsOnAllNodes() {
    int id = cluster.submit(ALICE, job().nodes(2));
    step(id, StepSpec.of("a", 2));
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
    step(id, StepSpec.of("a", 2));
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
    step(id, StepSpec.of("a", 1));
    ends("n1", id, 0, exit(2));
    int before = cluster.steps().size();
    ends("n1", id, 0, exit(0));
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
    step(id, StepSpec.of("a", 1));
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
    step(id, StepSpec.of("a", 1));
    cluster.ask(ALICE, Ask.requeue(id));
    cluster.minutes(5);
    Job again = cluster.job(id);
    assertInstanceOf(JobState.Running.class, again.state());
    assertEquals(0, step(id, StepSpec.of("a", 1)), "numbers begin again");
  }

  @Test
  void aStepThatWasNeverLaunchedIsLostInTheEnd() {
    int id = allocate(job(), StepSpec.of("true", 1));
    cluster.compare("n1");
    cluster.minutes(3);
    cluster.compare("n1");
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    cluster.minutes(2);
    cluster.compare("n1");
    assertEquals(new JobOutcome.Failed(new ExitStatus(1, 0)), outcome(id));
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
    int id = allocate(job().requeue(true), null);
    cluster.reboot("n1", false);
    cluster.connect("n1");
    assertInstanceOf(JobOutcome.NodeFailed.class, outcome(id));
  }
}
