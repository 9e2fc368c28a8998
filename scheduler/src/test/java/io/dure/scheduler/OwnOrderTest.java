package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunResources;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Job;
import io.dure.model.report.RunTimePrediction;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dure's own order on a node of four cores, which one job holds for an hour at first. */
@Tag("pure")
class OwnOrderTest {
  private static final int ANN = 1001;
  private static final int BEN = 1002;
  private static final int OTHER = 1009;

  /** Jobs of that user and size under a limit of ten hours ran for so many minutes each time. */
  private static void ran(TestCluster cluster, int uid, int tasks, long minutes) {
    knowsLongJobs(cluster);
    Job like = new JobBuilder().tasks(tasks).user(uid).minutes(600).job(999, TestCluster.START);
    SimilarRunKey kind = SimilarRunKey.of(like.spec(), 36_000);
    RunResources used = new RunResources(kind.cpus(), kind.cpus(), kind.gpus(), kind.gpus());
    for (int i = 0; i < 16; i++) {
      cluster.runs = cluster.runs.ended(uid, kind, used, new RecordedRun(60 * minutes, 36_000));
    }
  }

  /** Nearly all work is that of jobs of a day, so that jobs of some minutes are short. */
  private static void knowsLongJobs(TestCluster cluster) {
    cluster.runs = cluster.runs.started(TestCluster.START);
    for (int i = 0; i < 10; i++) {
      ranFor(cluster, 64, 86_400);
    }
  }

  @Test
  void theShorterJobComesFirst() {
    TestCluster cluster = TestCluster.busy();
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.submit(j -> j.tasks(4).minutes(10));
    assertEquals("3", cluster.advance(Duration.ofHours(1)).starts());
  }

  @Test
  void whatCountsIsWhatItIsExpectedToRunNotItsLimit() {
    TestCluster cluster = TestCluster.busy();
    ran(cluster, ANN, 4, 1);
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(120));
    cluster.submit(j -> j.tasks(4).user(ANN).minutes(600));
    assertEquals("3", cluster.advance(Duration.ofHours(1)).starts());
    assertEquals(RunTimePrediction.Basis.LIMIT, cluster.standing(2).prediction().basis());
  }

  @ParameterizedTest
  @CsvSource({"500, 0", "2500, 2", "4000, 3"})
  void aLongQueueIsPutInItsNewOrderInSomePasses(int waiting, int morePasses) {
    TestCluster cluster = TestCluster.busy();
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
  void jobsThatAreNotShortComeInTheOrderOfSubmission() {
    TestCluster cluster = TestCluster.busy();
    knowsLongJobs(cluster);
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(2880));
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(2800));
    cluster.submit(j -> j.tasks(4).user(ANN).minutes(10));
    assertTrue(cluster.standing(4).bySize() > 0, "short");
    assertEquals(0, cluster.standing(3).bySize(), "in turn");
    assertEquals("4", cluster.advance(Duration.ofHours(1)).starts());
    assertEquals("2", cluster.end(4).starts());
  }

  @Test
  void aJobThatHasWaitedBeyondItsBoundComesBeforeAllShortOnes() {
    TestCluster cluster = TestCluster.busy("dure_most_bound=1,dure_least_bound=1");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.advance(Duration.ofHours(2));
    cluster.submit(j -> j.tasks(4).minutes(1));
    assertTrue(cluster.standing(2).overdue(), "after two hours");
    assertEquals("2", cluster.starts());
  }

  @Test
  void overdueJobsComeInTheOrderInWhichTheyCrossedTheirBounds() {
    TestCluster cluster =
        TestCluster.busy("dure_least_bound=0,dure_backlog_share=80,dure_wide_earlier=0");
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.submit(j -> j.tasks(4).minutes(600));
    cluster.runs =
        cluster.runs.withBacklogs(
            IntMap.<Long>empty().with(2, 5 * 4 * 3600L).with(3, 2 * 4 * 3600L));
    cluster.now = cluster.now.plus(Duration.ofHours(9));
    assertEquals(4 * 3600L, cluster.standing(2).boundSeconds());
    assertEquals(5760, cluster.standing(3).boundSeconds());
    assertTrue(cluster.standing(2).overdue() && cluster.standing(3).overdue());
    assertTrue(cluster.standing(3).priority() > cluster.standing(2).priority());
  }

  @Test
  void aShortJobFillsTheTimeBeforeAPromiseByWhatItIsExpectedToRun() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.policy = TestSettings.policy();
    ran(cluster, ANN, 1, 1);
    cluster.submit(j -> j.tasks(3).minutes(60));
    assertEquals("1", cluster.starts());
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(10));
    cluster.submit(j -> j.tasks(1).user(ANN).minutes(600));
    assertEquals("3", cluster.starts());
  }

  @ParameterizedTest
  @CsvSource({"180, 150, 3", "200, 10, 3", "200, 150, ''"})
  void inAnOverloadedClusterAllIsPlannedByLimits(int longest, int waiting, String starts) {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.policy = TestSettings.policy("dure_short_share=0");
    ran(cluster, ANN, 1, 1);
    cluster.runs = cluster.runs.withPeak(4.0 * longest * 3600).withWaiting(4L * waiting * 3600);
    cluster.submit(j -> j.tasks(3).minutes(60));
    assertEquals("1", cluster.starts());
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(10));
    cluster.submit(j -> j.tasks(1).user(ANN).minutes(600));
    assertEquals(starts, cluster.starts());
  }

  @ParameterizedTest
  @CsvSource({"180, true", "200, false"})
  void inAnOverloadedClusterFewerJobsAreShort(int backlogHours, boolean isShort) {
    TestCluster cluster = TestCluster.busy();
    for (int i = 0; i < 50; i++) {
      ranFor(cluster, 2, 86_400);
      ranFor(cluster, 1, 3600);
      ranFor(cluster, 64, 60);
    }
    cluster.runs =
        cluster
            .runs
            .started(TestCluster.START)
            .withPeak(4.0 * backlogHours * 3600)
            .withWaiting(64L * 4 * 150 * 3600);
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(45));
    assertEquals(isShort, cluster.standing(2).bySize() > 0);
    assertEquals(!isShort, cluster.standing(2).overloaded());
  }

  /** A run of so many seconds under a limit of two days, of another user. */
  private static void ranFor(TestCluster cluster, int tasks, long seconds) {
    Job like = new JobBuilder().tasks(tasks).user(OTHER).minutes(2880).job(999, TestCluster.START);
    SimilarRunKey kind = SimilarRunKey.of(like.spec(), 172_800);
    RunResources used = new RunResources(kind.cpus(), kind.cpus(), kind.gpus(), kind.gpus());
    cluster.runs = cluster.runs.ended(OTHER, kind, used, new RecordedRun(seconds, 172_800));
  }

  @Test
  void thePromiseItselfIsByTheLimitsOfThoseWhoRun() {
    TestCluster cluster = TestCluster.busy();
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.submit(j -> j.tasks(4).minutes(20));
    assertEquals("", cluster.starts());
    assertEquals("2:60", cluster.promised(), "the first alone is promised a start");
  }

  @Test
  void theFirstInTheOrderOfSubmissionIsPromisedAStartToo() {
    TestCluster cluster = TestCluster.busy();
    knowsLongJobs(cluster);
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(2880));
    cluster.submit(j -> j.tasks(4).user(BEN).minutes(2880));
    cluster.submit(j -> j.tasks(4).user(ANN).minutes(10));
    cluster.now = cluster.now.plusSeconds(2);
    cluster.starts();
    assertTrue(cluster.promised().contains("4:"), "the first of the short ones");
    assertTrue(cluster.promised().contains("2:"), "and the first of the others");
    assertTrue(!cluster.promised().contains("3:"), "which is one");
  }

  @Test
  void aFixedPriorityIsWhatSomebodyFixed() {
    TestCluster cluster = TestCluster.busy();
    cluster.submit(j -> j.tasks(4).minutes(600));
    Job job = cluster.pending.require(2);
    cluster.pending = cluster.pending.with(2, job.withSpec(job.spec(), 0));
    assertEquals(0, cluster.standing(2).priority(), "held");
  }
}
