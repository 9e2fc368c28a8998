package io.dure.lifecycle.resize;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.StepCommands.exit;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.decide.job.RunEndRules;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepSpec;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.StepCommands;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that lose nodes and go on, and jobs that give nodes back. */
@Tag("pure")
class JobNodesTest {
  private final TestCluster cluster =
      ClusterBuilder.of(2).partition("debug", "Nodes=ALL Default=YES").start();
  private final StepCommands jobs = new StepCommands(cluster);

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
    jobs.step(id, onAll(false));
    jobs.step(id, onAll(true));
    setDown("n2");
    Job job = cluster.job(id);
    assertEquals(List.of("n1"), job.state().allocated().nodes());
    assertTrue(cluster.node("n2").shares().isEmpty());
    // A step that asked for nothing else is over on the other nodes, too.
    assertTrue(cluster.job(id).runSteps().step(0).cancelled());
    Effect.TerminationReason killed = Effect.TerminationReason.CANCELLED;
    assertTrue(cluster.effects().contains(new Effect.TerminateStep("n1", id, 1, 0, killed)));
    assertEquals(List.of("n1"), job.runSteps().step(1).nodesLeft());
    jobs.ends("n1", id, 1, exit(0));
    assertEquals(RunEndRules.NODE_FAILED, cluster.job(id).runSteps().highest());
    assertEquals(
        ErrorCode.NODE_CONFIG_UNAVAILABLE,
        cluster.refusal(
            ALICE, new Command.CreateStep(id, onAll(false).with().minNodes(2).build())));
    jobs.step(id, StepSpec.of("b", 1).withSharing(StepSpec.Sharing.OVERLAP));
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
    assertInstanceOf(JobOutcome.NodeFailed.class, jobs.outcome(id));
  }

  @Test
  void anAllocationMayLoseItsFirstNode() {
    int id = jobs.allocate(job().nodes(2).survivesNodes(), null);
    setDown("n1");
    assertEquals(List.of("n2"), cluster.job(id).state().allocated().nodes());
    setDown("n2");
    assertInstanceOf(JobOutcome.NodeFailed.class, jobs.outcome(id));
    cluster.checkReplay();
  }

  @Test
  void aJobOfSrunEndsWithTheRestOfItsStep() {
    int id = jobs.allocate(job().nodes(2).survivesNodes(), onAll(true));
    jobs.ends("n1", id, 0, exit(0));
    setDown("n2");
    assertEquals(new JobOutcome.Failed(RunEndRules.NODE_FAILED), jobs.outcome(id));
    int next = jobs.allocate(job().on("n1").survivesNodes(), onAll(true).with().tasks(1).build());
    jobs.ends("n1", next, 0, exit(0));
    assertEquals(new JobOutcome.Completed(ExitStatus.OK), jobs.outcome(next));
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
    int id = jobs.allocate(job().nodes(2), null);
    cluster.ask(ROOT, new Command.SuspendJob(Ask.all(id)));
    assertNull(cluster.refusal(ALICE, Ask.onNodes(id, "n2")));
    assertEquals(List.of("n2"), cluster.job(id).state().allocated().nodes());
    assertTrue(cluster.node("n1").shares().isEmpty());
    cluster.ask(ROOT, new Command.ResumeJob(Ask.all(id)));
    jobs.step(id, StepSpec.of("a", 1));
    cluster.checkReplay();
  }

  @Test
  void aJobOfSrunEndsWhenItGivesBackTheNodesOfItsStep() {
    int id = jobs.allocate(job().nodes(2), onAll(false));
    jobs.ends("n1", id, 0, exit(0));
    assertNull(cluster.refusal(ALICE, Ask.nodes(id, 1)));
    cluster.minutes(1);
    assertInstanceOf(JobState.Ended.class, cluster.job(id).state());
    cluster.checkReplay();
  }
}
