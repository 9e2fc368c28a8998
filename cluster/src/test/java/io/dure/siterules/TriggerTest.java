package io.dure.siterules;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.dure.cluster.StateSnapshot;
import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.hook.Trigger;
import io.dure.model.hook.TriggerChange;
import io.dure.model.hook.TriggerKind;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that run when something happens. */
@Tag("pure")
class TriggerTest {
  private final TestCluster cluster = ClusterBuilder.of(3).cpus(1).start();
  private int heard;

  private static Trigger.Wish wish(String nodes, TriggerKind kind, int offset, boolean permanent) {
    return new Trigger.Wish(null, nodes, List.of(kind), offset, "/run it", permanent);
  }

  private static Trigger.Wish wish(int job, TriggerKind kind, int offset) {
    return new Trigger.Wish(job, "*", List.of(kind), offset, "/run it", false);
  }

  private void set(Trigger.Wish wish) {
    assertNull(refusal(ROOT, new TriggerChange.SetTrigger(wish)));
  }

  private ErrorCode refusal(Caller.User caller, TriggerChange change) {
    return cluster.refusal(caller, new Command.ChangeTriggers(change));
  }

  /** What ran since this was asked last. */
  private List<String> ran() {
    List<String> ran = new ArrayList<>();
    for (Effect effect : cluster.effects().subList(heard, cluster.effects().size())) {
      if (effect instanceof Effect.RunTrigger(int id, String program, String told)) {
        assertEquals("/run it", program);
        ran.add(id + " " + told);
      }
    }
    heard = cluster.effects().size();
    return ran;
  }

  private int left() {
    return cluster.state().hooks().triggers().size();
  }

  private void node(String name, String state) {
    assertNull(cluster.refusal(ROOT, Ask.node(name, "state", state, "reason", "test")));
  }

  @Test
  void nodesThatGoDownAreToldOfTogetherAndOnce() {
    set(wish("*", TriggerKind.NODE_DOWN, 10, false));
    set(wish("n3", TriggerKind.NODE_DOWN, 0, false));
    set(wish("n[1-2]", TriggerKind.NODE_UP, 5, true));
    node("n1", "DOWN");
    node("n2", "DOWN");
    cluster.seconds(30);
    assertEquals(List.of("1 n[1-2]"), ran());
    node("n1", "RESUME");
    cluster.seconds(30);
    assertEquals(List.of("3 n1"), ran());
    node("n2", "RESUME");
    assertEquals(List.of(), ran(), "it is for later");
    assertEquals(cluster.state().hooks(), StateSnapshot.of(cluster.state()).restore().hooks());
    cluster.seconds(30);
    assertEquals(List.of("3 n2"), ran(), "it stays");
    assertEquals(2, left());
  }

  @Test
  void aNodeIsDrainedOnceItsJobsAreOver() {
    set(wish("*", TriggerKind.NODE_DRAINED, 0, false));
    cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.seconds(5);
    node("n1", "DRAIN");
    cluster.seconds(20);
    assertEquals(List.of(), ran());
    cluster.minutes(2);
    assertEquals(List.of("1 n1"), ran());
  }

  @Test
  void idleNodesAreToldOfOnceWhileTheyAreIdle() {
    set(wish("n1", TriggerKind.NODE_IDLE, 600, true));
    cluster.minutes(5);
    assertEquals(List.of(), ran());
    cluster.minutes(30);
    assertEquals(List.of("1 n1"), ran());
    cluster.submit(ALICE, job().on("n1").runs(60));
    cluster.minutes(5);
    assertEquals(List.of(), ran());
    cluster.minutes(10);
    assertEquals(List.of("1 n1"), ran());
  }

  /** A list of as many nodes as there are is not read for each of them. */
  @Test
  void triggersOfAllNodesOfALargeClusterHoldNothingUp() {
    int count = 6_000;
    TestCluster large = ClusterBuilder.of(count).cpus(1).start();
    String all = "n[1-" + count + "]";
    for (TriggerKind kind : List.of(TriggerKind.NODE_IDLE, TriggerKind.NODE_DRAINED)) {
      assertNull(
          large.refusal(
              ROOT,
              new Command.ChangeTriggers(new TriggerChange.SetTrigger(wish(all, kind, 1, true)))));
    }
    Command.UpdateNodes drain =
        new Command.UpdateNodes(
            HostList.expand(all), Map.of("state", "DRAIN", "reason", "all of them"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          large.tick();
          large.tick();
          assertNull(large.refusal(ROOT, drain));
        });
  }

  @Test
  void jobsAreToldOfBeforeTheirLimitAndAtTheirEnd() {
    int id = cluster.submit(ALICE, job().runs(10_000).time(10));
    int other = cluster.submit(ALICE, job().runs(60));
    set(wish(id, TriggerKind.JOB_TIME_LIMIT, -120));
    set(wish(id, TriggerKind.JOB_TIME_LIMIT, 30));
    set(wish(other, TriggerKind.JOB_ENDED, 0));
    set(wish(other, TriggerKind.JOB_TIME_LIMIT, 0));
    cluster.minutes(7);
    assertEquals(List.of("3 " + other), ran());
    assertEquals(2, left(), "one that waits for nothing more is gone");
    cluster.seconds(90);
    assertEquals(List.of("1 " + id), ran());
    cluster.minutes(5);
    assertEquals(List.of("2 " + id), ran());
    assertEquals(0, left());
    assertEquals(
        ErrorCode.ALREADY_DONE,
        refusal(ROOT, new TriggerChange.SetTrigger(wish(id, TriggerKind.JOB_ENDED, 0))));
  }

  @Test
  void whatIsNotThereIsRefusedAndOthersThanOperatorsAre() {
    Trigger.Wish down = wish("*", TriggerKind.NODE_DOWN, 0, false);
    assertEquals(ErrorCode.ACCESS_DENIED, refusal(ALICE, new TriggerChange.SetTrigger(down)));
    for (String nodes : List.of("n[7-", "x1")) {
      Trigger.Wish wrong = wish(nodes, TriggerKind.NODE_DOWN, 0, false);
      assertEquals(ErrorCode.INVALID_NODE_NAME, refusal(ROOT, new TriggerChange.SetTrigger(wrong)));
    }
    assertEquals(
        ErrorCode.INVALID_JOB_ID,
        refusal(ROOT, new TriggerChange.SetTrigger(wish(77, TriggerKind.JOB_ENDED, 0))));
    set(down);
    assertEquals(
        ErrorCode.ACCESS_DENIED, refusal(ALICE, new TriggerChange.ClearTriggers(1, null, null)));
    assertEquals(
        ErrorCode.BAD_INPUT, refusal(ROOT, new TriggerChange.ClearTriggers(9, null, null)));
    assertNull(refusal(ROOT, new TriggerChange.ClearTriggers(null, null, "0")));
    assertEquals(0, left());
  }
}
