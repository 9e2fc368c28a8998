package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.config.SlurmdParameters;
import io.dure.model.job.Hold;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that come, go, break, and what becomes of the jobs on them. */
@Tag("pure")
class NodeLifeTest {
  private final TestCluster cluster = cluster("1");

  private static TestCluster cluster(String returnToService) {
    return ClusterBuilder.of(2)
        .set("SlurmdTimeout", "300")
        .set("ReturnToService", returnToService)
        .start();
  }

  private @Nullable String reason(String node) {
    return cluster.node(node).condition().reason();
  }

  @Test
  void aShortSilenceHarmsNobody() {
    int id = cluster.submit(ALICE, job().on("n1").runs(400));
    cluster.disconnect("n1");
    cluster.minutes(4);
    assertEquals("RUNNING", cluster.state(id));
    assertFalse(cluster.node("n1").available());
    cluster.connect("n1");
    cluster.minutes(4);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals(1, cluster.job(id).run());
  }

  @Test
  void aLaunchLostOnAConnectionThatStandsIsRepeated() {
    cluster.lose(e -> e instanceof Effect.Launch);
    int id = cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.lose(_ -> false);
    cluster.seconds(10);
    assertEquals(0, cluster.daemon("n1").knownRuns());
    cluster.compare("n1");
    assertEquals(1, cluster.daemon("n1").knownRuns());
    cluster.minutes(2);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals(1, cluster.job(id).run());
  }

  @Test
  void aNodeThatTakesNoLaunchLosesTheJobAfterBatchStartTimeout() {
    cluster.lose(e -> e instanceof Effect.Launch);
    int id = cluster.submit(ALICE, job().on("n1").runs(60).requeue(false));
    cluster.compare("n1");
    cluster.seconds(19);
    cluster.compare("n1");
    assertEquals("RUNNING", cluster.state(id));
    cluster.seconds(1);
    cluster.compare("n1");
    cluster.seconds(5);
    assertEquals("NODE_FAIL", cluster.state(id));
  }

  @Test
  void aTerminateLostOnAConnectionThatStandsIsRepeated() {
    int id = cluster.submit(ALICE, job().on("n1").runs(10_000));
    cluster.lose(e -> e instanceof Effect.Terminate);
    cluster.decide(Ask.cancel(id), ALICE);
    cluster.lose(_ -> false);
    assertEquals(1, cluster.daemon("n1").livingRuns());
    cluster.compare("n1");
    assertTrue(
        cluster
            .effects()
            .contains(new Effect.Terminate("n1", id, 1, Effect.TerminationReason.CANCELLED)));
    cluster.minutes(1);
    assertEquals("CANCELLED", cluster.state(id));
    assertEquals(0, cluster.daemon("n1").livingRuns());
    cluster.compare("n1");
  }

  @Test
  void aRunThatIsBeingEndedIsAsItShouldBe() {
    int id = cluster.submit(ALICE, job().on("n1").runs(10_000).stubborn());
    cluster.decide(Ask.cancel(id), ALICE);
    cluster.lose(e -> e instanceof Effect.Terminate);
    long told = cluster.effects().stream().filter(e -> e instanceof Effect.Terminate).count();
    cluster.compare("n1");
    assertEquals(
        told, cluster.effects().stream().filter(e -> e instanceof Effect.Terminate).count());
  }

  @Test
  void aRunThatIsGoneFromItsNodeIsLost() {
    int id = cluster.submit(ALICE, job().on("n1").runs(10_000).requeue(false));
    cluster.seconds(5);
    cluster.daemon("n1").loseSpool();
    cluster.compare("n1");
    cluster.seconds(5);
    assertEquals("NODE_FAIL", cluster.state(id));
  }

  @Test
  void anEndDuringTheSilenceArrives() {
    int id = cluster.submit(ALICE, job().on("n1").runs(60).ends("exit 3"));
    cluster.disconnect("n1");
    cluster.minutes(2);
    assertEquals("RUNNING", cluster.state(id));
    cluster.connect("n1");
    assertEquals("FAILED", cluster.state(id));
    JobState.Ended ended = (JobState.Ended) cluster.job(id).state();
    assertEquals(new ExitStatus(3, 0), ended.outcome().exit());
  }

  @Test
  void aLostNodePutsItsJobsBack() {
    int id = cluster.submit(ALICE, job().on("n1").runs(2000));
    int never = cluster.submit(ALICE, job().on("n1").runs(2000).requeue(false));
    cluster.disconnect("n1");
    cluster.seconds(310);
    assertEquals("Not responding", reason("n1"));
    assertEquals("PENDING", cluster.state(id));
    assertEquals("NODE_FAIL", cluster.state(never));
    cluster.connect("n1");
    assertTrue(cluster.node("n1").available());
    assertEquals(0, cluster.daemon("n1").livingRuns(), "ended before another begins");
    cluster.minutes(2);
    assertEquals("RUNNING", cluster.state(id));
    assertEquals(2, cluster.job(id).run());
  }

  @Test
  void whatWasBeingCleanedOnALostNodeCountsAsClean() {
    int id = cluster.submit(ALICE, job().on("n1").runs(2000).stubborn());
    int waits = cluster.submit(ALICE, job().dependency("afterok:" + id));
    cluster.ask(ALICE, Ask.cancel(id));
    cluster.disconnect("n1");
    cluster.seconds(300);
    assertEquals("CANCELLED", cluster.state(id), "though MinJobAge is over");
    cluster.seconds(10);
    assertEquals("DependencyNeverSatisfied", cluster.reason(waits));
  }

  @Test
  void aJobOfTwoNodesDiesWithOneOfThem() {
    int id = cluster.submit(ALICE, job().nodes(2).runs(2000).requeue(false));
    cluster.disconnect("n2");
    cluster.minutes(6);
    assertEquals("NODE_FAIL", cluster.state(id));
    assertTrue(cluster.node("n1").shares().isEmpty());
  }

  @Test
  void aRebootEndsWhatRan() {
    for (boolean spoolKept : List.of(true, false)) {
      int id = cluster.submit(ALICE, job().on("n1").runs(2000).requeue(false));
      cluster.reboot("n1", spoolKept);
      cluster.connect("n1");
      cluster.seconds(5);
      assertEquals("NODE_FAIL", cluster.state(id));
    }
    int other = cluster.submit(ALICE, job().nodes(2).runs(2000).requeue(false));
    cluster.reboot("n2", false);
    cluster.connect("n2");
    cluster.seconds(5);
    assertEquals("NODE_FAIL", cluster.state(other), "not only on the batch host");
  }

  @Test
  void returnToServiceAsConfigured() {
    for (String policy : List.of("0", "1", "2")) {
      TestCluster one = cluster(policy);
      one.ask(ROOT, Ask.node("n2", "state", "DOWN", "reason", "disk"));
      one.disconnect("n1");
      one.disconnect("n2");
      one.minutes(6);
      one.connectAll();
      assertEquals(!policy.equals("0"), one.node("n1").available(), policy);
      assertEquals(policy.equals("2"), one.node("n2").available(), policy);
    }
  }

  @Test
  void aDrainedNodeThatWasSilentIsDrainedAgain() {
    cluster.ask(ROOT, Ask.node("n1", "state", "DRAIN", "reason", "disk"));
    cluster.disconnect("n1");
    cluster.minutes(6);
    assertEquals("disk; Not responding", reason("n1"));
    cluster.connect("n1");
    assertEquals("disk", reason("n1"));
    assertFalse(cluster.node("n1").condition().down());
    assertTrue(cluster.node("n1").condition().drain());
    cluster.ask(ROOT, Ask.node("n1", "state", "UNDRAIN"));
    assertTrue(cluster.node("n1").available());
  }

  @Test
  void drainLetsJobsEndAndTakesNoNewOnes() {
    int old = cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.ask(ROOT, Ask.node("n1", "state", "DRAIN", "reason", "disk"));
    int next = cluster.submit(ALICE, job().on("n1"));
    cluster.minutes(2);
    assertEquals("COMPLETED", cluster.state(old));
    assertEquals("PENDING", cluster.state(next));
    cluster.ask(ROOT, Ask.node("n1", "state", "RESUME"));
    assertEquals("RUNNING", cluster.state(next));
  }

  @Test
  void downEndsJobsAtOnce() {
    int id = cluster.submit(ALICE, job().on("n1").runs(600));
    assertEquals(
        ErrorCode.NODE_REASON_MISSING, cluster.refusal(ROOT, Ask.node("n1", "state", "DOWN")));
    cluster.ask(ROOT, Ask.node("n1", "state", "DOWN", "reason", "smoke"));
    assertEquals("PENDING", cluster.state(id));
    cluster.seconds(5);
    assertEquals(0, cluster.daemon("n1").knownRuns());
  }

  @Test
  void aFailedPrologDrainsTheNodeAndHoldsTheJob() {
    int id = cluster.submit(ALICE, job().on("n1").ends("prolog-failed"));
    int never = cluster.submit(ALICE, job().on("n2").ends("prolog-failed").requeue(false));
    cluster.seconds(5);
    assertEquals("Prolog error", reason("n1"));
    assertEquals(Hold.LAUNCH_FAILURE.reason(), cluster.reason(id));
    assertEquals("FAILED", cluster.state(never));
  }

  @Test
  void aNodeThatCannotLaunchIsDrainedAndItsJobRunsElsewhere() {
    int id = cluster.submit(ALICE, job().on("n1").ends("node-fault"));
    int never = cluster.submit(ALICE, job().on("n2").ends("node-fault").requeue(false));
    cluster.seconds(5);
    assertEquals("batch job complete failure: No space left on device: /spool", reason("n1"));
    assertEquals("batch job complete failure: No space left on device: /spool", reason("n2"));
    assertEquals("PENDING", cluster.state(id));
    assertNotEquals(Hold.LAUNCH_FAILURE.reason(), cluster.reason(id));
    assertEquals("FAILED", cluster.state(never));
  }

  @Test
  void aFailedEpilogDrainsTheNode() {
    int id = cluster.submit(ALICE, job().on("n1").runs(10).epilogFails());
    cluster.seconds(20);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals("Epilog error", reason("n1"));
  }

  @Test
  void aLostKeeperIsANodeFailureOfTheJobAlone() {
    int id = cluster.submit(ALICE, job().on("n1").runs(10).ends("lost").requeue(false));
    cluster.seconds(20);
    assertEquals("NODE_FAIL", cluster.state(id));
    assertTrue(cluster.node("n1").available());
  }

  @Test
  void aRestartOfTheControllerHarmsNobody() {
    int runs = cluster.submit(ALICE, job().on("n1").runs(120));
    int ends = cluster.submit(ALICE, job().on("n1").runs(20));
    int dies = cluster.submit(ALICE, job().on("n2").runs(600).stubborn());
    cluster.ask(ALICE, Ask.cancel(dies));
    cluster.restartController();
    cluster.seconds(60);
    assertEquals("RUNNING", cluster.state(ends));
    cluster.connectAll();
    assertEquals("COMPLETED", cluster.state(ends));
    assertEquals("CANCELLED", cluster.state(dies));
    cluster.minutes(2);
    assertEquals("COMPLETED", cluster.state(runs));
    assertEquals(1, cluster.job(runs).run());
  }

  @Test
  void effectsThatWereLostFollowOnceTheDaemonCalls() {
    cluster.lose(_ -> true);
    int launched = cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.lose(_ -> false);
    int ended = cluster.submit(ALICE, job().on("n2").runs(600));
    cluster.lose(e -> e instanceof Effect.Terminate);
    cluster.decide(new Command.KillJob(Ask.all(ended), null, false, false), ALICE);
    cluster.lose(_ -> false);
    cluster.restartController();
    cluster.connectAll();
    cluster.minutes(2);
    assertEquals("COMPLETED", cluster.state(launched));
    assertEquals(1, cluster.job(launched).run());
    assertEquals("CANCELLED", cluster.state(ended));
  }

  @Test
  void aNodeThatWasSilentBeforeARestartGetsItsTimeAgain() {
    int id = cluster.submit(ALICE, job().on("n1").runs(900));
    cluster.disconnect("n1");
    cluster.minutes(4);
    cluster.restartController();
    cluster.minutes(4);
    assertEquals("RUNNING", cluster.state(id));
    cluster.connect("n1");
    cluster.minutes(10);
    assertEquals("COMPLETED", cluster.state(id));
  }

  @Test
  void staleAndRepeatedMessagesChangeNothing() {
    int id = cluster.submit(ALICE, job().on("n1").runs(600));
    cluster.ask(ALICE, Ask.requeue(id));
    cluster.minutes(2);
    assertEquals(2, cluster.job(id).run());
    StepEnd failed = new StepEnd.Ran(new ExitStatus(1, 0), false);
    cluster.message("n1", new Command.StepLaunched(id, 1));
    cluster.message("n1", new Command.StepEnded(id, 1, failed, true));
    cluster.message("n1", new Command.NodeCleaned(id, 1, null));
    cluster.message("n2", new Command.StepEnded(id, 2, failed, true));
    cluster.message("n2", new Command.NodeCleaned(id, 2, null));
    cluster.message("n1", new Command.NodeCleaned(id, 2, null));
    cluster.message("n1", new Command.StepLaunched(id, 2));
    assertEquals("RUNNING", cluster.state(id));
    cluster.minutes(11);
    assertEquals("COMPLETED", cluster.state(id));
  }

  @Test
  void aDaemonWithLessThanConfiguredIsDrained() {
    cluster.disconnect("n1");
    cluster.daemon("n1").shrinkTo(2);
    cluster.connect("n1");
    assertEquals("Low CPUs (reported:2 < configured:4)", reason("n1"));
    assertFalse(cluster.node("n1").available());
  }

  @Test
  void aNodeWhoseParametersSayThatTheFileIsBelievedIsNotDrained() {
    var words = SlurmdParameters.of("config_overrides", (_, _) -> {});
    var added = ClusterBuilder.of(3).config().config().nodes().getLast().withParameters(words);
    assertNull(cluster.refusal(ROOT, new Command.CreateNodes(List.of(added))));
    cluster.addMachine(added);
    cluster.daemon("n3").shrinkTo(2);
    cluster.connect("n3");
    assertTrue(cluster.node("n3").available());
  }

  @Test
  void nodesComeAndGo() {
    var added = ClusterBuilder.of(3).config().config().nodes().getLast();
    assertEquals(
        ErrorCode.USER_ID_MISSING, cluster.refusal(ALICE, new Command.CreateNodes(List.of(added))));
    assertNull(cluster.refusal(ROOT, new Command.CreateNodes(List.of(added))));
    cluster.addMachine(added);
    cluster.connect("n3");
    assertTrue(cluster.node("n3").available());
    assertEquals(
        ErrorCode.NODE_IN_USE, cluster.refusal(ROOT, new Command.DeleteNodes(List.of("n1"))));
    assertNull(cluster.refusal(ROOT, new Command.DeleteNodes(List.of("n3"))));
    assertNull(cluster.state().node("n3"));
    cluster.checkReplay();
  }

  @Test
  void reconfigureWithoutANodeEndsItsJobs() {
    int id = cluster.submit(ALICE, job().on("n2").runs(600).requeue(false));
    int stays = cluster.submit(ALICE, job().on("n1").runs(600));
    cluster.reconfigure(ClusterBuilder.of(1).config().config());
    assertEquals("NODE_FAIL", cluster.state(id));
    assertEquals("RUNNING", cluster.state(stays));
  }

  @Test
  void aDaemonWhoseNodeIsRemovedEndsWhatMayRunElsewhere() {
    int id = cluster.submit(ALICE, job().on("n2").runs(600).requeue(true));
    int run = cluster.job(id).run();
    cluster.reconfigure(ClusterBuilder.of(1).config().config());
    assertTrue(
        cluster
            .effects()
            .contains(new Effect.Terminate("n2", id, run, Effect.TerminationReason.NODE_FAILURE)));
  }

  @Test
  void whatIsHeldAgainstANodeSaysWhereItIsInItsLife() {
    Instant until = Instant.EPOCH.plusSeconds(60);
    NodeLife.Away booting = new NodeLife.Rebooting(until, false, NodeLife.AfterBoot.AS_BEFORE);
    NodeCondition good = NodeCondition.GOOD;
    NodeCondition away = new NodeCondition(false, false, false, null, 0, null, booting);
    assertEquals(NodeLife.Plain.UP, good.life(true));
    assertEquals(NodeLife.Plain.SILENT, good.life(false));
    assertEquals(booting, away.life(true), "its daemon answers until the machine goes down");
    assertEquals(NodeLife.Plain.UP, away.registered(true).life(true), "it is back");
    assertEquals(booting, away.registered(false).life(true), "it has not booted yet");
    assertEquals(until, away.life(false).expected());
    assertEquals(NodeLife.Plain.FAILING, away.asFailing("x", 0, until).life(false));
    NodeCondition drained = away.asFailing("x", 0, until).asDrained("y", 0, until);
    assertEquals(NodeLife.Plain.DRAINING, drained.life(true));
    assertEquals(NodeLife.Plain.DOWN, drained.asDown("z", 0, until).life(true));
    assertEquals(drained.because("z", 0, until), drained.asDown("z", 0, until).notDown("z"));
    assertEquals(good, good.asDown("z", 0, until).notDown("z"));
    assertEquals(good, good.asDrained("z", 0, until).notDrained("z"));
    assertEquals(good, away.present());
  }
}
