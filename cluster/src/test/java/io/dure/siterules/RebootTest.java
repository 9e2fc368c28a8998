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
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that are booted by RebootProgram: when an operator says so, or for a job. */
@Tag("pure")
class RebootTest {
  private TestCluster cluster;

  @BeforeEach
  void start() {
    cluster =
        ClusterBuilder.of(2)
            .set("RebootProgram", "/sbin/reboot")
            .set("ResumeTimeout", "120")
            .set("SlurmdTimeout", "60")
            .start();
  }

  @AfterEach
  void replay() {
    cluster.checkReplay();
  }

  private Reply order(String... words) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (int i = 0; i < words.length; i += 2) {
      keys.put(words[i], words[i + 1]);
    }
    return cluster.ask(ROOT, new Command.UpdateNodes(List.of("n1"), keys));
  }

  private List<String> told() {
    List<String> nodes = new ArrayList<>();
    for (Effect effect : cluster.effects()) {
      if (effect instanceof Effect.Reboot(String node)) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  private void boots() {
    cluster.reboot("n1", true);
    cluster.connect("n1");
  }

  private NodeCondition n1() {
    return cluster.node("n1").condition();
  }

  @Test
  void withoutAProgramThereIsNoReboot() {
    cluster = ClusterBuilder.of(2).start();
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, order("state", "REBOOT"));
    assertEquals(ErrorCode.NOT_SUPPORTED, refused.code());
    assertNull(n1().away());
  }

  @Test
  void anIdleNodeIsToldAtOnceAndTakesNoJobUntilItIsBack() {
    order("state", "REBOOT", "reason", "kernel");
    assertEquals(List.of("n1"), told());
    assertEquals("kernel : reboot issued", n1().reason());
    assertInstanceOf(NodeLife.Rebooting.class, cluster.node("n1").life());
    int id = cluster.submit(ALICE, job().on("n1").runs(10));
    cluster.seconds(70);
    assertInstanceOf(JobState.Pending.class, cluster.job(id).state());
    assertFalse(n1().down());
    boots();
    assertEquals(NodeCondition.GOOD, n1());
    cluster.seconds(2);
    assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertEquals(List.of("n1"), told());
  }

  @Test
  void aDaemonThatCallsAgainWithoutABootIsStillWaitedFor() {
    order("state", "REBOOT");
    cluster.disconnect("n1");
    cluster.connect("n1");
    assertInstanceOf(NodeLife.Rebooting.class, cluster.node("n1").life());
  }

  @Test
  void aNodeWithAJobIsToldWhenTheJobIsOver() {
    cluster.submit(ALICE, job().on("n1").runs(100));
    order("state", "REBOOT");
    cluster.seconds(90);
    assertEquals(List.of(), told());
    assertEquals(NodeLife.Plain.UP, cluster.node("n1").life());
    cluster.seconds(20);
    assertEquals(List.of("n1"), told());
  }

  @Test
  void asSoonAsPossibleDrainsTheNodeBefore() {
    cluster.submit(ALICE, job().on("n1").runs(100));
    order("state", "REBOOT_ASAP");
    assertTrue(n1().drain());
    assertEquals("Reboot ASAP", n1().reason());
    cluster.seconds(110);
    boots();
    assertEquals(NodeCondition.GOOD, n1());
  }

  @Test
  void aNodeThatWasDrainedBeforeStaysSo() {
    order("state", "DRAIN", "reason", "disk");
    order("state", "REBOOT_ASAP");
    boots();
    assertTrue(n1().drain());
    order("state", "REBOOT", "nextstate", "RESUME");
    boots();
    assertEquals(NodeCondition.GOOD, n1());
  }

  @Test
  void aNodeMayBeDownAfterwards() {
    order("state", "REBOOT", "nextstate", "DOWN");
    boots();
    assertTrue(n1().down());
    assertEquals("reboot complete", n1().reason());
  }

  @Test
  void aNodeThatDoesNotComeBackIsDown() {
    order("state", "REBOOT");
    cluster.disconnect("n1");
    cluster.seconds(119);
    assertFalse(n1().down());
    cluster.seconds(2);
    assertTrue(n1().down());
    assertEquals("reboot timed out", n1().reason());
  }

  @Test
  void aRebootIsTakenBackUntilItIsTold() {
    cluster.submit(ALICE, job().on("n1").runs(100));
    order("state", "REBOOT_ASAP");
    order("state", "CANCEL_REBOOT");
    assertEquals(NodeCondition.GOOD, n1());
    cluster.seconds(120);
    assertEquals(List.of(), told());
    order("state", "REBOOT");
    assertInstanceOf(Reply.Refused.class, order("state", "CANCEL_REBOOT"));
  }

  @Test
  void thereIsNothingToTakeBackOfANodeThatIsNotToBeBooted() {
    Reply answer = order("state", "CANCEL_REBOOT");
    assertEquals(
        ErrorCode.INVALID_NODE_STATE, assertInstanceOf(Reply.Refused.class, answer).code());
  }

  @Test
  void aJobOfAnOperatorMayHaveItsNodesBooted() {
    int id = cluster.submit(ROOT, job().on("n1").option("reboot").runs(10));
    cluster.seconds(2);
    assertEquals(List.of("n1"), told());
    JobState.Running running = assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertTrue(running.configuring());
    boots();
    cluster.seconds(2);
    running = assertInstanceOf(JobState.Running.class, cluster.job(id).state());
    assertFalse(running.configuring());
    assertEquals(1, cluster.job(id).run());
  }

  @Test
  void otherUsersGetNoReboot() {
    int id = cluster.submit(ALICE, job().on("n1").option("reboot").runs(10));
    cluster.seconds(2);
    assertEquals(List.of(), told());
    assertEquals(List.of(), cluster.job(id).spec().asked());
  }

  @Test
  void anOperatorDecidesLaterWhetherNodesAreBooted() {
    int id = cluster.submit(ALICE, job().on("n1").held().runs(10));
    JobSelector job = new JobSelector(id, null);
    Command.UpdateJob boot = new Command.UpdateJob(job, JobChange.NONE.withReboot(true));
    assertEquals(
        ErrorCode.ACCESS_DENIED,
        assertInstanceOf(Reply.Refused.class, cluster.ask(ALICE, boot)).code());
    cluster.ask(ROOT, boot);
    assertEquals(List.of("reboot"), cluster.job(id).spec().asked());
    cluster.ask(ROOT, new Command.UpdateJob(job, JobChange.NONE.withReboot(false)));
    assertEquals(List.of(), cluster.job(id).spec().asked());
    cluster.ask(ROOT, boot);
    cluster.ask(ROOT, new Command.ReleaseJob(job));
    cluster.seconds(2);
    assertEquals(List.of("n1"), told());
  }
}
