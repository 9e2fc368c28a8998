package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ConfText;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Job;
import io.dure.model.report.DurePriority;
import io.dure.model.report.RunTimePrediction;
import io.dure.rules.queueorder.DurePriorityTable;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dure's own order on a node of four cores, which one job holds for an hour at first. */
@Tag("pure")
class OwnOrderTest {
  private static final int ANN = 1001;
  private static final int BEN = 1002;

  private static PolicySettings policy(String parameters) {
    return Objects.requireNonNull(
        ConfText.with("SchedulerParameters=policy=dure,dure_interval=1" + parameters + "\n")
            .config()
            .settings()
            .scheduling()
            .policy());
  }

  private static TestCluster busy(String parameters) {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.policy = policy(parameters);
    cluster.submit(j -> j.tasks(4).minutes(60));
    assertEquals("1", cluster.starts());
    return cluster;
  }

  /** Jobs of that user and size under a limit of ten hours ran for so many minutes each time. */
  private static void ran(TestCluster cluster, int uid, int tasks, long minutes) {
    Job like = new JobBuilder().tasks(tasks).user(uid).minutes(600).job(999, TestCluster.START);
    SimilarRunKey kind = SimilarRunKey.of(like.spec(), 36_000);
    for (int i = 0; i < 16; i++) {
      cluster.runs = cluster.runs.ended(uid, kind, new RecordedRun(60 * minutes, 36_000));
    }
  }

  private static DurePriority standing(TestCluster cluster, int job) {
    TestView view = cluster.view();
    PartitionConfig partition = view.partitions().getLast();
    return DurePriorityTable.of(view, cluster.now).of(view.pending().require(job), partition);
  }

  @Test
  void theShorterJobComesFirst() {
    TestCluster cluster = busy("");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.submit(j -> j.tasks(4).minutes(10));
    assertEquals("3", cluster.advance(Duration.ofHours(1)).starts());
  }

  @Test
  void whatCountsIsWhatItIsExpectedToRunNotItsLimit() {
    TestCluster cluster = busy("");
    ran(cluster, ANN, 4, 1);
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(120));
    cluster.submit(j -> j.tasks(4).user(ANN).minutes(600));
    assertEquals("3", cluster.advance(Duration.ofHours(1)).starts());
    assertEquals(RunTimePrediction.Basis.LIMIT, standing(cluster, 2).prediction().basis());
  }

  @Test
  void ofEquallyLongOnesTheNarrowerComesFirst() {
    TestCluster cluster = busy("");
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.submit(j -> j.tasks(1).minutes(60));
    assertEquals("3", cluster.advance(Duration.ofHours(1)).starts());
  }

  @ParameterizedTest
  @CsvSource({"500, 0", "2500, 2", "4000, 3"})
  void aLongQueueIsPutInItsNewOrderInSomePasses(int waiting, int morePasses) {
    TestCluster cluster = busy("");
    for (int i = 1; i < waiting; i++) {
      cluster.submit(j -> j.tasks(4).user(BEN).minutes(120));
    }
    int last = waiting + 1;
    cluster.submit(j -> j.tasks(4).user(ANN).minutes(600));
    Planner planner = new Planner();
    cluster.plan(planner);
    ran(cluster, ANN, 4, 1);
    cluster.now = cluster.now.plusSeconds(2);
    SchedulingPlan plan = cluster.plan(planner);
    int passes = 0;
    for (; plan.unfinished(); passes++) {
      assertTrue(passes < 10, "passes have no end");
      plan = cluster.plan(planner);
    }
    assertEquals(morePasses, passes);
    cluster.end(1);
    plan = cluster.plan(planner);
    assertEquals(last, plan.starts().getFirst().jobId());
  }

  @Test
  void whoHasWaitedTooLongComesBeforeAllShortOnes() {
    TestCluster cluster =
        busy(",dure_overdue_at=150,dure_new_bound=0,dure_most_bound=1,dure_least_bound=1");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.advance(Duration.ofHours(2));
    cluster.submit(j -> j.tasks(4).minutes(1));
    assertTrue(standing(cluster, 2).overdue(), "after two hours");
    assertEquals("2", cluster.starts());
  }

  @ParameterizedTest
  @CsvSource({
    "30, 0, not before three tenths of a long wait",
    "65, 1.5, half way from there to all of it",
    "100, 3, at a long wait as much as is set",
    "135, 4.5, and on until it comes first",
  })
  void aWaitThatGrowsLongMakesUpForSize(long percent, double doublings, String rule) {
    TestCluster cluster =
        busy(
            ",dure_urgency=300,dure_urgent_from=30,dure_overdue_at=150"
                + ",dure_new_bound=0,dure_most_bound=100,dure_least_bound=100");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.now = cluster.now.plus(Duration.ofHours(percent));
    DurePriority standing = standing(cluster, 2);
    assertEquals(100_000 * doublings, (double) standing.byWait(), 10.0, rule);
    assertEquals(30 * 3600L, standing.urgentSeconds());
    assertEquals(150 * 3600L, standing.boundSeconds());
  }

  @Test
  void aJobThatIsALittleLongerComesFirstOnceItsWaitGrowsLong() {
    TestCluster cluster =
        busy(
            ",dure_patience=0,dure_urgency=300,dure_urgent_from=0,dure_overdue_at=900"
                + ",dure_new_bound=0,dure_most_bound=2,dure_least_bound=2");
    cluster.submit(j -> j.tasks(4).minutes(30));
    cluster.submit(j -> j.tasks(4).minutes(20));
    cluster.submit(j -> j.tasks(4).minutes(2));
    Job job = cluster.pending.require(2);
    cluster.pending =
        cluster.pending.with(2, job.withEligibleTime(TestCluster.START.minus(Duration.ofHours(1))));
    assertTrue(
        standing(cluster, 2).priority() > standing(cluster, 3).priority(), "of about its size");
    assertTrue(standing(cluster, 2).priority() < standing(cluster, 4).priority(), "much smaller");
  }

  @Test
  void aNewClusterWaitsLongerBeforeItCallsAWaitTooLong() {
    TestCluster cluster =
        busy(
            ",dure_overdue_at=100,dure_most_bound=1,dure_least_bound=1"
                + ",dure_new_bound=720,dure_new_for=14");
    cluster.submit(j -> j.tasks(4).minutes(600));
    assertEquals(Duration.ofDays(30).toSeconds(), standing(cluster, 2).boundSeconds());
    cluster.runs = RunHistory.EMPTY.started(TestCluster.START.minus(Duration.ofDays(14)));
    assertEquals(Duration.ofHours(1).toSeconds(), standing(cluster, 2).boundSeconds());
  }

  @Test
  void theBoundFollowsTheLongestBacklog() {
    TestCluster cluster = busy(",dure_overdue_at=100,dure_backlog_share=60,dure_new_for=14");
    cluster.submit(j -> j.tasks(4).minutes(600));
    // Ten hours of four CPUs, of which 60 percent count.
    cluster.runs =
        RunHistory.EMPTY
            .withWaiting(4 * 36_000)
            .started(TestCluster.START.minus(Duration.ofDays(14)))
            .withWaiting(0);
    assertEquals(6 * 3600.0, (double) standing(cluster, 2).boundSeconds(), 1800.0);
  }

  @Test
  void aShortJobFillsTheTimeBeforeAPromiseByWhatItIsExpectedToRun() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.policy = policy("");
    ran(cluster, ANN, 1, 1);
    cluster.submit(j -> j.tasks(3).minutes(60));
    assertEquals("1", cluster.starts());
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(10));
    cluster.submit(j -> j.tasks(1).user(ANN).minutes(600));
    assertEquals("3", cluster.starts());
  }

  @Test
  void thePromiseItselfIsByTheLimitsOfThoseWhoRun() {
    TestCluster cluster = busy("");
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.submit(j -> j.tasks(4).minutes(20));
    assertEquals("", cluster.starts());
    assertEquals("2:60", cluster.promised(), "the first alone is promised a start");
  }

  @Test
  void theOneThatHasWaitedLongestIsPromisedAStartToo() {
    TestCluster cluster = busy(",dure_new_bound=0,dure_most_bound=10,dure_least_bound=10");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.now = cluster.now.plus(Duration.ofMinutes(50));
    cluster.submit(j -> j.tasks(4).minutes(1));
    cluster.starts();
    assertEquals("3:10", cluster.promised(), "before three tenths of its bound");
    cluster.active = cluster.active.with(1, cluster.active.require(1));
    cluster.policy = policy(",dure_new_bound=0,dure_most_bound=2,dure_least_bound=2");
    cluster.starts();
    assertEquals("2:11 3:10", cluster.promised(), "after it");
  }

  @Test
  void aFixedPriorityIsWhatSomebodyFixed() {
    TestCluster cluster = busy("");
    cluster.submit(j -> j.tasks(4).minutes(600));
    Job job = cluster.pending.require(2);
    cluster.pending = cluster.pending.with(2, job.withSpec(job.spec(), 0));
    assertEquals(0, standing(cluster, 2).priority(), "held");
  }
}
