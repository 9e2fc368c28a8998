package io.dure.preemption;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.config.ClusterConfig;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that stand still for others do not do so for ever, and those that take turns neither. */
@Tag("pure")
class VainSuspensionTest {
  private static ClusterBuilder builder() {
    return ClusterBuilder.of(2)
        .set("PreemptType", "preempt/partition_prio")
        .set("PreemptMode", "SUSPEND,GANG")
        .set("SlurmdTimeout", "100000")
        .partition("low", "Nodes=ALL Default=YES PriorityTier=1")
        .partition("lost", "Nodes=ALL PriorityTier=1 PreemptMode=CANCEL")
        .partition("high", "Nodes=ALL PriorityTier=5");
  }

  private static JobBuilder whole() {
    return job().cpus(4).memory(100).runs(100_000).time(60_000);
  }

  /** A job of low on n1 makes room for one of two nodes, whose other node is not heard of. */
  private static int victim(TestCluster cluster) {
    int victim = cluster.submit(ALICE, whole().on("n1"));
    cluster.submit(ALICE, whole().partition("lost").on("n2").stubborn());
    cluster.seconds(10);
    cluster.submit(ALICE, whole().partition("high").nodes(2));
    assertEquals("SUSPENDED", cluster.state(victim));
    cluster.disconnect("n2");
    return victim;
  }

  @Test
  void oneThatMadeRoomInVainGoesOnAfterFiveMinutes() {
    TestCluster cluster = builder().start();
    int victim = victim(cluster);
    cluster.seconds(280);
    assertEquals("SUSPENDED", cluster.state(victim));
    cluster.seconds(30);
    assertEquals("RUNNING", cluster.state(victim));
    cluster.minutes(9);
    assertEquals("RUNNING", cluster.state(victim), "it is not asked again so soon");
  }

  @Test
  void oneThatMadeRoomForAJobThatCameInTheEndDoesSoUntilThen() {
    TestCluster cluster = builder().start();
    int victim = victim(cluster);
    cluster.seconds(200);
    cluster.connect("n2");
    cluster.seconds(60);
    assertEquals("SUSPENDED", cluster.state(victim));
    assertEquals("RUNNING", cluster.state(victim + 2));
    cluster.minutes(60);
    assertEquals("SUSPENDED", cluster.state(victim));
    cluster.ask(ROOT, new Command.KillJob(new JobSelector(victim + 2, null), null, false, false));
    cluster.seconds(10);
    assertEquals("RUNNING", cluster.state(victim));
  }

  private static ClusterConfig turns(String mode) {
    return ClusterBuilder.of(1)
        .set("PreemptMode", mode)
        .partition("f2", "Nodes=ALL Default=YES OverSubscribe=FORCE:2")
        .config()
        .config();
  }

  @Test
  void turnsBeginAndEndWithTheConfiguration() {
    TestCluster cluster =
        ClusterBuilder.of(1).partition("f2", "Nodes=ALL Default=YES OverSubscribe=FORCE:2").start();
    int first = cluster.submit(ALICE, whole());
    int second = cluster.submit(ALICE, whole());
    assertEquals("RUNNING", cluster.state(second));
    cluster.reconfigure(turns("GANG"));
    assertEquals("RUNNING", cluster.state(first));
    assertEquals("SUSPENDED", cluster.state(second));
    cluster.seconds(40);
    assertEquals("SUSPENDED", cluster.state(first));
    cluster.reconfigure(turns("OFF"));
    assertEquals("RUNNING", cluster.state(first));
    assertEquals("RUNNING", cluster.state(second));
  }

  private static ClusterState after(ClusterState state, Command.UserCommand command, Instant now) {
    ClusterState after = state;
    for (Event event : CommandDecider.decide(state, command, ROOT, now).events()) {
      after = EventApplier.apply(after, event);
    }
    return after;
  }

  @Test
  void aClockSetBackMakesNoPauseOfWhatRan() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int id = cluster.submit(ALICE, whole().time(30));
    cluster.seconds(60);
    JobSelector one = new JobSelector(id, null);
    Instant behind = cluster.now().minus(Duration.ofHours(4));
    ClusterState still = after(cluster.state(), new Command.SuspendJob(one), behind);
    Instant now = cluster.now();
    ClusterState goesOn = after(still, new Command.ResumeJob(one), now);
    JobState.Running run = goesOn.active().require(id).state().runningOrSuspended();
    assertNotNull(run);
    assertEquals(now.plus(Duration.ofMinutes(30)), run.end(), "its limit, and no more");
  }
}
