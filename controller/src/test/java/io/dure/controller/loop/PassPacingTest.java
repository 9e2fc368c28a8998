package io.dure.controller.loop;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.collection.IntMap;
import io.dure.scheduler.SchedulingPlan;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the scheduler plans again. */
@Tag("pure")
class PassPacingTest {
  private static final Instant NOW = TestCluster.START;

  private final TestCluster cluster = ClusterBuilder.of(1).start();
  private final PassPacing pacing = new PassPacing();

  private static SchedulingPlan plan(boolean unfinished, Instant wakes) {
    return new SchedulingPlan(List.of(), IntMap.empty(), unfinished, List.of(), wakes, Map.of());
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private boolean isDue(ClusterState state, long millis) {
    return pacing.isDue(state, NOW, millis(millis));
  }

  /** What part of a CPU plans take that take so long, while nothing changes for ten minutes. */
  private double share(long tookMillis, boolean unfinished) {
    ClusterState state = cluster.state();
    PassPacing idle = new PassPacing();
    long worked = 0;
    for (long at = 0; at < Duration.ofMinutes(10).toMillis(); at++) {
      if (idle.isDue(state, NOW, millis(at))) {
        worked += tookMillis;
        at += tookMillis;
        idle.planned(state, plan(unfinished, null), millis(tookMillis), millis(at));
      }
    }
    return (double) worked / Duration.ofMinutes(10).toMillis();
  }

  @Test
  void theFirstPlanIsDue() {
    assertTrue(isDue(cluster.state(), 0));
  }

  @Test
  void aChangeIsPlannedForAtOnce() {
    pacing.planned(cluster.state(), plan(false, null), millis(1000), 0);
    assertFalse(isDue(cluster.state(), 1));
    cluster.submit(ALICE, job().held());
    assertTrue(isDue(cluster.state(), 1));
  }

  @Test
  void whatPlansDoNotLookAtIsNoChange() {
    ClusterState state = cluster.state();
    pacing.planned(state, plan(false, null), millis(1000), 0);
    ClusterState noted = EventApplier.apply(state, new Event.ForecastsMade(List.of()));
    assertFalse(state == noted);
    assertFalse(isDue(noted, 1));
  }

  @Test
  void whatComesByTimeAloneIsWaitedFor() {
    Instant wakes = NOW.plusSeconds(3);
    pacing.planned(cluster.state(), plan(false, wakes), millis(1000), 0);
    assertFalse(pacing.isDue(cluster.state(), wakes.minusMillis(1), millis(2999)));
    assertTrue(pacing.isDue(cluster.state(), wakes, millis(3000)));
  }

  @Test
  void aPlanThatFailedIsMadeAgain() {
    pacing.planned(cluster.state(), plan(false, null), millis(1000), 0);
    pacing.failed();
    assertTrue(isDue(cluster.state(), 1));
  }

  @Test
  void shortPlansComeEachSecond() {
    pacing.planned(cluster.state(), plan(false, null), millis(1), 0);
    assertFalse(isDue(cluster.state(), 999));
    assertTrue(isDue(cluster.state(), 1000));
  }

  /** The bound of what an idle cluster may take, however long its plans are. */
  @Test
  void plansThatChangeNothingTakeLittle() {
    for (int took : new int[] {1, 10, 25, 100, 500, 1000, 5000}) {
      for (boolean unfinished : new boolean[] {false, true}) {
        double share = share(took, unfinished);
        assertTrue(share <= 0.045, took + " ms: " + share);
      }
    }
    assertEquals(0.02, share(100, false), 0.002);
  }
}
