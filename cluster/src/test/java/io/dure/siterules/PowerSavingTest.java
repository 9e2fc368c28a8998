package io.dure.siterules;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Effect.PowerAction;
import io.dure.model.command.JobSelector;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that are switched off while nobody wants them, and on again for jobs. */
@Tag("pure")
class PowerSavingTest {
  private TestCluster cluster;

  private static ClusterBuilder saving(int nodes) {
    return ClusterBuilder.of(nodes)
        .set("SuspendProgram", "/sbin/off")
        .set("ResumeProgram", "/sbin/on")
        .set("ResumeFailProgram", "/sbin/late")
        .set("SuspendTime", "600")
        .set("SuspendTimeout", "30")
        .set("ResumeTimeout", "120")
        .set("SuspendRate", "0")
        .set("ResumeRate", "0");
  }

  @BeforeEach
  void start() {
    cluster = saving(3).start();
  }

  @AfterEach
  void replay() {
    cluster.checkReplay();
  }

  private List<String> programs(PowerAction action) {
    List<String> ran = new ArrayList<>();
    for (Effect effect : cluster.effects()) {
      if (effect instanceof Effect.SwitchPower(PowerAction which, List<String> nodes)
          && which == action) {
        ran.add(String.join(",", nodes));
      }
    }
    return ran;
  }

  /** Off, and its daemon gone with it. */
  private void off(String... nodes) {
    cluster.seconds(600);
    for (String node : nodes) {
      cluster.disconnect(node);
    }
    cluster.seconds(31);
    for (String node : nodes) {
      assertInstanceOf(NodeLife.PoweredDown.class, cluster.node(node).life(), node);
    }
  }

  private void boots(String node) {
    cluster.reboot(node, false);
    cluster.connect(node);
    cluster.seconds(1);
  }

  @Test
  void aNodeThatIsIdleLongEnoughIsSwitchedOffAndNotSetDown() {
    cluster.seconds(599);
    assertEquals(List.of(), programs(PowerAction.SUSPEND));
    cluster.seconds(2);
    assertEquals(List.of("n1,n2,n3"), programs(PowerAction.SUSPEND));
    assertInstanceOf(NodeLife.PoweringDown.class, cluster.node("n1").life());
    cluster.disconnect("n1");
    cluster.minutes(60);
    assertInstanceOf(NodeLife.PoweredDown.class, cluster.node("n1").life());
    assertFalse(cluster.node("n1").condition().down());
    assertEquals(1, programs(PowerAction.SUSPEND).size());
  }

  @Test
  void aNodeWithAJobIsNotSwitchedOff() {
    cluster.submit(ALICE, job().on("n2").runs(1_200).time(60));
    cluster.seconds(1_000);
    assertEquals(List.of("n1,n3"), programs(PowerAction.SUSPEND));
    assertEquals(NodeLife.Plain.UP, cluster.node("n2").life());
    cluster.seconds(1_000);
    assertEquals(List.of("n1,n3", "n2"), programs(PowerAction.SUSPEND));
  }

  @Test
  void aJobGetsANodeThatIsOffAndStartsOnceItsDaemonCalls() {
    off("n1", "n2", "n3");
    int id = cluster.submit(ALICE, job().on("n1").runs(60));
    JobState.Running running = assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertTrue(running.configuring());
    assertEquals(List.of("n1"), programs(PowerAction.RESUME));
    assertInstanceOf(NodeLife.PoweringUp.class, cluster.node("n1").life());
    cluster.seconds(90);
    assertTrue(((JobState.Running) cluster.job(id).state()).configuring());
    boots("n1");
    assertEquals(NodeLife.Plain.UP, cluster.node("n1").life());
    running = assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertTrue(running.launched());
    cluster.seconds(70);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals(List.of("n1"), programs(PowerAction.RESUME));
  }

  @Test
  void aJobOfSeveralNodesWaitsForTheLast() {
    off("n1", "n2");
    int id = cluster.submit(ALICE, job().on("n1", "n2").nodes(2).runs(60));
    assertEquals(List.of("n1,n2"), programs(PowerAction.RESUME));
    boots("n1");
    assertTrue(((JobState.Running) cluster.job(id).state()).configuring());
    boots("n2");
    assertTrue(((JobState.Running) cluster.job(id).state()).launched());
  }

  @Test
  void theControllersPrologRunsOnceTheNodesAreThere() {
    cluster = saving(1).set("PrologSlurmctld", "/sbin/prolog").start();
    off("n1");
    int id = cluster.submit(ALICE, job().runs(60));
    Effect prolog = new Effect.RunProlog(id, cluster.job(id).run());
    assertFalse(cluster.effects().contains(prolog));
    boots("n1");
    assertTrue(cluster.effects().contains(prolog));
    assertTrue(((JobState.Running) cluster.job(id).state()).configuring());
  }

  @Test
  void aNodeThatDoesNotComeIsSetDownAndItsJobGoesBack() {
    off("n1", "n2", "n3");
    int id = cluster.submit(ALICE, job().on("n1").runs(60).requeue(true));
    cluster.seconds(121);
    NodeCondition condition = cluster.node("n1").condition();
    assertTrue(condition.down());
    assertEquals("ResumeTimeout reached", condition.reason());
    assertInstanceOf(NodeLife.PoweredDown.class, condition.away());
    assertEquals(List.of("n1"), programs(PowerAction.RESUME_FAILED));
    assertEquals("PENDING", cluster.state(id));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "RESUME"));
    assertInstanceOf(NodeLife.PoweredDown.class, cluster.node("n1").life());
  }

  @Test
  void aJobThatIsCancelledWhileItsNodeComesUpEndsAtOnce() {
    off("n1", "n2", "n3");
    int id = cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    assertEquals("CANCELLED", cluster.state(id));
    assertTrue(cluster.node("n1").shares().isEmpty());
  }

  @Test
  void noMoreNodesAreSwitchedInAMinuteThanTheRatesAllow() {
    cluster = saving(5).set("SuspendRate", "2").start();
    cluster.seconds(601);
    assertEquals(List.of("n1,n2"), programs(PowerAction.SUSPEND));
    cluster.seconds(61);
    assertEquals(List.of("n1,n2", "n3,n4"), programs(PowerAction.SUSPEND));
    cluster = saving(3).set("ResumeRate", "2").start();
    off("n1", "n2", "n3");
    cluster.submit(ALICE, job().nodes(3).runs(60));
    assertEquals(List.of("n1,n2"), programs(PowerAction.RESUME));
    cluster.seconds(61);
    assertEquals(List.of("n1,n2", "n3"), programs(PowerAction.RESUME));
  }

  @Test
  void whatIsExceptedStaysOn() {
    cluster =
        saving(6)
            .set("SuspendExcNodes", "n1,n[2-4]:2")
            .set("SuspendExcParts", "kept")
            .set("SuspendExcStates", "DRAIN")
            .partition("debug", "Nodes=ALL Default=YES")
            .partition("kept", "Nodes=n5")
            .start();
    cluster.seconds(700);
    assertEquals(List.of("n4,n6"), programs(PowerAction.SUSPEND));
  }

  @Test
  void nodeAndPartitionSayTheirOwnTimes() {
    cluster =
        ClusterBuilder.of(1)
            .node("m1")
            .cpus(4)
            .describe(" SuspendTime=INFINITE")
            .node("k1")
            .cpus(4)
            .set("SuspendProgram", "/sbin/off")
            .set("ResumeProgram", "/sbin/on")
            .set("SuspendTime", "600")
            .partition("debug", "Nodes=ALL Default=YES")
            .partition("slow", "Nodes=k1 SuspendTime=1200")
            .start();
    cluster.seconds(1_000);
    assertEquals(List.of("n1"), programs(PowerAction.SUSPEND));
    cluster.seconds(1_000);
    assertEquals(List.of("n1", "k1"), programs(PowerAction.SUSPEND));
  }

  @Test
  void anOperatorSwitchesNodesOffAndOn() {
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN"));
    assertEquals(List.of("n1"), programs(PowerAction.SUSPEND));
    cluster.disconnect("n1");
    cluster.seconds(31);
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_UP"));
    assertEquals(List.of("n1"), programs(PowerAction.RESUME));
    cluster.connect("n1");
    assertEquals(NodeLife.Plain.UP, cluster.node("n1").life());
  }

  @Test
  void aNodeWithJobsIsSwitchedOffOnceTheyAreOver() {
    int id = cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN_ASAP"));
    assertEquals(List.of(), programs(PowerAction.SUSPEND));
    int next = cluster.submit(ALICE, job().on("n1").runs(60));
    assertEquals("PENDING", cluster.state(next));
    cluster.seconds(70);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals(List.of("n1"), programs(PowerAction.SUSPEND));
  }

  @Test
  void byForceItsJobsEnd() {
    int id = cluster.submit(ALICE, job().on("n1").runs(600).requeue(true));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN_FORCE"));
    assertEquals(List.of("n1"), programs(PowerAction.SUSPEND));
    assertEquals("PENDING", cluster.state(id));
    assertNull(cluster.node("n1").condition().reason());
  }

  @Test
  void withoutProgramsNothingIsSwitched() {
    cluster = ClusterBuilder.of(1).start();
    assertEquals(
        ErrorCode.NOT_SUPPORTED, cluster.refusal(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN")));
  }

  @Test
  void aControllerThatStartsRunsTheProgramsAgainThatMayNotHaveBegun() {
    off("n1", "n2", "n3");
    cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.forgetSteps();
    cluster.restartController();
    assertEquals(List.of("n1"), programs(PowerAction.RESUME));
  }

  @Test
  void aNodeHasTheWholeResumeTimeoutFromAControllersStart() {
    off("n1", "n2", "n3");
    int id = cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.seconds(100);
    cluster.restartController();
    cluster.seconds(110);
    assertFalse(cluster.node("n1").condition().down());
    assertEquals(List.of(), programs(PowerAction.RESUME_FAILED));
    boots("n1");
    assertTrue(((JobState.Running) cluster.job(id).state()).launched());
  }

  @Test
  void aNodeThatDoesNotComeAfterAControllersStartIsSetDown() {
    off("n1", "n2", "n3");
    cluster.submit(ALICE, job().on("n1").runs(60).requeue(true));
    cluster.seconds(100);
    cluster.restartController();
    cluster.seconds(121);
    assertEquals("ResumeTimeout reached", cluster.node("n1").condition().reason());
    assertEquals(List.of("n1"), programs(PowerAction.RESUME_FAILED));
  }

  @Test
  void aNodeThatComesUpForAJobIsSwitchedOffByForceOnly() {
    off("n1", "n2", "n3");
    int id = cluster.submit(ALICE, job().on("n1").runs(60));
    for (String word : List.of("POWER_DOWN", "POWER_DOWN_ASAP")) {
      assertEquals(
          ErrorCode.INVALID_NODE_STATE, cluster.refusal(ROOT, NodeOrder.of("n1", "state", word)));
    }
    boots("n1");
    assertTrue(((JobState.Running) cluster.job(id).state()).launched());
  }

  @Test
  void byForceANodeThatComesUpIsSwitchedOffAndItsJobGoesBack() {
    off("n1", "n2", "n3");
    int next = cluster.submit(ALICE, job().on("n1").runs(60).requeue(true));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN_FORCE"));
    assertEquals("PENDING", cluster.state(next));
    assertInstanceOf(NodeLife.PoweringDown.class, cluster.node("n1").life());
  }

  @Test
  void aNodeThatComesUpForNobodyIsSwitchedOff() {
    off("n1", "n2", "n3");
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_UP"));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN"));
    assertInstanceOf(NodeLife.PoweringDown.class, cluster.node("n1").life());
  }

  @Test
  void aNodeThatIsBeingSwitchedOffIsNotDownForItsSilence() {
    cluster = saving(1).set("SuspendTimeout", "900").set("SlurmdTimeout", "300").start();
    cluster.seconds(601);
    cluster.disconnect("n1");
    cluster.seconds(800);
    assertInstanceOf(NodeLife.PoweringDown.class, cluster.node("n1").life());
    cluster.seconds(101);
    assertInstanceOf(NodeLife.PoweredDown.class, cluster.node("n1").life());
    assertFalse(cluster.node("n1").condition().down());
  }

  @Test
  void aNodeThatOnlyWaitsForItsJobsToEndIsDownForItsSilence() {
    cluster = saving(1).set("SlurmdTimeout", "300").start();
    cluster.submit(ALICE, job().on("n1").runs(6_000));
    cluster.ask(ROOT, NodeOrder.of("n1", "state", "POWER_DOWN"));
    cluster.disconnect("n1");
    cluster.seconds(301);
    assertEquals("Not responding", cluster.node("n1").condition().reason());
  }
}
