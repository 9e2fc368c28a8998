package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.config.ConfText;
import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunResources;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.Job;
import io.dure.model.request.TimeLimit;
import io.dure.testkit.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that have waited beyond their bounds, on nodes of four cores. */
@Tag("pure")
class OverdueReservationsTest {
  private final Planner planner = new Planner();

  private static TestCluster cluster(int nodes) {
    return cluster(nodes, "");
  }

  private static TestCluster cluster(int nodes, String more) {
    return cluster(nodes, 0, more);
  }

  /** A bound of an hour; with a share above 0 the cluster is overloaded by a longer backlog. */
  private static TestCluster cluster(int nodes, int backlogShare, String more) {
    TestCluster cluster = TestCluster.nodes(nodes, 4).backfill();
    cluster.policy =
        TestSettings.policy(
            "dure_most_bound=1", "dure_least_bound=1", "dure_backlog_share=" + backlogShare + more);
    return cluster;
  }

  /** A job that comes now. */
  private static void late(TestCluster cluster, UnaryOperator<JobBuilder> options) {
    int id = cluster.submit(options);
    cluster.pending =
        cluster.pending.with(id, cluster.pending.require(id).withEligibleTime(cluster.now));
  }

  /** Until a run ends at its limit or a reserved start comes, but some minutes at most. */
  private static Duration step(TestCluster cluster, SchedulingPlan plan, SeededRandom random) {
    Instant next = cluster.now.plus(Duration.ofMinutes(random.between(1, 9)));
    for (Job job : cluster.active.values()) {
      Instant end = Objects.requireNonNull(job.state().runningOrSuspended()).latestEnd();
      next = end != null && end.isBefore(next) ? end : next;
    }
    Instant wakes = plan.wakes();
    next = wakes != null && wakes.isBefore(next) ? wakes : next;
    return Duration.between(cluster.now, next);
  }

  private String pass(TestCluster cluster) {
    SchedulingPlan plan = cluster.plan(planner);
    cluster.last = plan;
    plan.starts().forEach(cluster::start);
    return String.join(
        " ", plan.starts().stream().map(Placement::jobId).map(String::valueOf).toList());
  }

  @Test
  void aJobBehindItThatWouldEndTooLateByItsLimitDoesNotStart() {
    TestCluster cluster = cluster(1);
    cluster.submit(j -> j.tasks(2).minutes(180));
    assertEquals("1", pass(cluster));
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.advance(Duration.ofMinutes(90));
    late(cluster, j -> j.tasks(1).minutes(120));
    late(cluster, j -> j.tasks(1).minutes(60));
    assertEquals("4", pass(cluster), "the other would run beyond the reserved start");
    assertEquals(
        Map.of(2, cluster.now.plus(Duration.ofMinutes(90)).getEpochSecond()),
        cluster.last.reserved());
  }

  @Test
  void whatIsReservedStaysWhenSomethingElseStarts() {
    TestCluster cluster = cluster(1);
    cluster.submit(j -> j.tasks(4).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:110 3:120", cluster.promised());
    cluster.advance(Duration.ofMinutes(1));
    pass(cluster);
    assertEquals("2:109 3:119", cluster.promised());
    assertEquals(Map.of(), cluster.last.reserved(), "nothing new");
    cluster.end(1);
    assertEquals("2", pass(cluster));
    assertEquals("3:10", cluster.promised(), "moved to an earlier time");
  }

  /**
   * Two overdue jobs of which the second, of a node and so many minutes, has come before the first,
   * of both nodes, since one of the two that run on its node has ended early.
   */
  private TestCluster secondAhead(int minutes, String firstPromises) {
    TestCluster cluster = cluster(2);
    cluster.submit(j -> j.tasks(2).minutes(170));
    cluster.submit(j -> j.tasks(2).minutes(115));
    cluster.submit(j -> j.tasks(4).minutes(270));
    assertEquals("2 1 3", pass(cluster), "the shortest first");
    cluster.submit(j -> j.tasks(8).minutes(60));
    cluster.submit(j -> j.tasks(4).minutes(minutes));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals(firstPromises, cluster.promised());
    cluster.advance(Duration.ofMinutes(30));
    cluster.end(1);
    pass(cluster);
    assertEquals("4:170 5:15", cluster.promised());
    cluster.advance(Duration.ofMinutes(5));
    cluster.end(3);
    return cluster;
  }

  @Test
  void theFirstTakesAnEarlierStartFromOneBehindItThatHasTime() {
    TestCluster cluster = secondAhead(150, "4:200 5:260");
    assertEquals("", pass(cluster));
    assertEquals("4:10 5:70", cluster.promised());
  }

  @Test
  void theFirstTakesTheEarliestStartThatMakesNoneBehindItStartTooLate() {
    TestCluster cluster = secondAhead(90, "4:200 5:100");
    assertEquals("5", pass(cluster), "after the first it would start 5 minutes too late");
    assertEquals("4:90", cluster.promised(), "when the second has ended");
  }

  @Test
  void aJobThatDidNotFitBeforeAnOverdueOneGaveWayStarts() {
    TestCluster cluster = cluster(3);
    cluster.submit(j -> j.tasks(4).on("n1").minutes(270));
    cluster.submit(j -> j.tasks(4).on("n2").minutes(115));
    cluster.submit(j -> j.tasks(4).on("n3").minutes(170));
    pass(cluster);
    cluster.submit(j -> j.tasks(8).on("n1", "n2").minutes(60));
    cluster.submit(j -> j.tasks(8).on("n2", "n3").minutes(150));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("4:200 5:260", cluster.promised());
    cluster.advance(Duration.ofMinutes(30));
    cluster.end(3);
    pass(cluster);
    assertEquals("4:170 5:15", cluster.promised());
    cluster.advance(Duration.ofMinutes(5));
    late(cluster, j -> j.tasks(4).on("n3").minutes(60));
    cluster.end(1);
    assertEquals("6", pass(cluster));
    assertEquals("4:10 5:70", cluster.promised());
  }

  @Test
  void nothingOvertakesAnOverdueJobThatHasStarted() {
    TestCluster cluster = cluster(2);
    cluster.submit(j -> j.tasks(8).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:110", cluster.promised());
    cluster.advance(Duration.ofMinutes(110));
    late(cluster, j -> j.tasks(4).minutes(60));
    assertEquals("2 3", pass(cluster));
    assertFalse(cluster.last.starts().getLast().overtakes());
  }

  @Test
  void anOverdueJobIsLookedAtInItsHighestTier() {
    TestCluster cluster = cluster(2, ",dure_short_share=0");
    PartitionConfig debug = TestCluster.partition("debug", List.of("n2"));
    PartitionConfig n1 = TestCluster.partition("high", List.of("n1"));
    cluster.with(debug).with(TestCluster.state("high", n1, PartitionConfig.State.UP, 2));
    cluster.submit(j -> j.tasks(4).minutes(300).partition("high"));
    cluster.submit(j -> j.tasks(4).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(60).partition("debug", "high"));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("3:110", cluster.promised());
    cluster.end(1);
    late(cluster, j -> j.tasks(4).minutes(60).partition("high"));
    assertEquals("3", pass(cluster));
  }

  /** Four jobs that take nodes n1 and n2 for three hours, two of them overdue. */
  private TestCluster twoReserved() {
    TestCluster cluster = cluster(2);
    cluster.submit(j -> j.tasks(8).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:110 3:110", cluster.promised());
    return cluster;
  }

  private static String reservedNode(TestCluster cluster, int job) {
    return cluster.last.verdicts().require(job).plannedNodes().getFirst();
  }

  @Test
  void onlyWhatIsReservedOnALostNodeIsMadeAnew() {
    for (int job : List.of(2, 3)) {
      TestCluster cluster = twoReserved();
      cluster.down(reservedNode(cluster, job));
      pass(cluster);
      assertEquals(job == 2 ? "2:170 3:110" : "2:110 3:170", cluster.promised());
    }
  }

  @Test
  void nothingIsReservedForAJobThatIsHeld() {
    TestCluster cluster = twoReserved();
    JobBuilder held = new JobBuilder().tasks(4).minutes(60).held();
    cluster.pending = cluster.pending.with(2, held.job(2, TestCluster.START.plusSeconds(2)));
    cluster.submit(j -> j.tasks(8).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("3:40 4:100", cluster.promised());
    cluster.end(1);
    assertEquals("3", pass(cluster));
    assertEquals("4:60", cluster.promised());
  }

  @Test
  void aJobThatAsksForSomethingElseIsLookedAtAnew() {
    TestCluster cluster = twoReserved();
    Job smaller = new JobBuilder().tasks(2).minutes(30).job(2, TestCluster.START.plusSeconds(2));
    cluster.pending = cluster.pending.with(2, smaller);
    late(cluster, j -> j.tasks(2).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:40 3:40 4:40", cluster.promised());
  }

  @Test
  void theEarliestStartInAnyOfItsPartitionsIsReserved() {
    TestCluster cluster = cluster(2);
    cluster.with(TestCluster.partition("a", List.of("n1")));
    cluster.with(TestCluster.partition("b", List.of("n2")));
    cluster.submit(j -> j.tasks(4).minutes(240).partition("a"));
    cluster.submit(j -> j.tasks(4).minutes(180).partition("b"));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(10).partition("a", "b"));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("3:110", cluster.promised());
    assertEquals("n2", reservedNode(cluster, 3));
    cluster.submit(j -> j.tasks(4).minutes(10).partition("b"));
    cluster.advance(Duration.ofMinutes(1));
    pass(cluster);
    cluster.end(1);
    assertEquals("3", pass(cluster));
    assertEquals("n1:4", cluster.where(3));
    cluster.end(2);
    assertEquals("4", pass(cluster), "what was reserved in the other partition is given back");
  }

  @Test
  void noBoundOnStartsAheadOfOthersHoldsForOverdueJobs() {
    TestCluster cluster = cluster(1);
    cluster.promises =
        ConfText.with("SchedulerParameters=bf_max_job_start=1\n")
            .config()
            .settings()
            .scheduling()
            .backfills();
    cluster.submit(j -> j.tasks(3).minutes(180));
    cluster.submit(j -> j.tasks(1).minutes(65));
    assertEquals("2 1", pass(cluster));
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.submit(j -> j.tasks(1).minutes(10));
    cluster.submit(j -> j.tasks(1).minutes(10));
    cluster.advance(Duration.ofMinutes(64));
    pass(cluster);
    cluster.end(1);
    assertEquals("4 5", pass(cluster));
  }

  @Test
  void noStartIsReservedBehindAJobWithoutALimit() {
    TestCluster cluster = cluster(1);
    cluster.submit(j -> j.tasks(1).unlimited());
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(10));
    cluster.submit(j -> j.tasks(3).minutes(10));
    cluster.advance(Duration.ofMinutes(70));
    assertEquals("3", pass(cluster));
    assertEquals("", cluster.promised());
    assertEquals(Map.of(), cluster.last.reserved());
  }

  @Test
  void jobsForWhichThereIsNoStartKeepNoneFromOthers() {
    TestCluster cluster = cluster(2);
    cluster.with(TestCluster.partition("a", List.of("n1")));
    cluster.with(TestCluster.partition("b", List.of("n2")));
    cluster.submit(j -> j.tasks(1).unlimited().partition("a"));
    cluster.submit(j -> j.tasks(1).minutes(180).partition("b"));
    pass(cluster);
    for (int i = 0; i < 120; i++) {
      cluster.submit(j -> j.tasks(4).minutes(10).partition("a"));
    }
    int wide = cluster.nextId;
    cluster.submit(j -> j.tasks(4).minutes(10).partition("b"));
    cluster.submit(j -> j.tasks(3).minutes(10).partition("b"));
    cluster.advance(Duration.ofMinutes(70));
    assertEquals(String.valueOf(wide + 1), pass(cluster));
    assertEquals(wide + ":110", cluster.promised());
    assertFalse(cluster.last.unfinished());
  }

  @Test
  void aJobWithoutALimitGetsAStart() {
    TestCluster cluster = cluster(1);
    cluster.submit(j -> j.tasks(1).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).unlimited());
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:110", cluster.promised());
    assertEquals("2", pass(cluster.advance(Duration.ofMinutes(110))));
  }

  @Test
  void shortJobsThatFitBesideWhatIsReservedComeBeforeEarlierStarts() {
    TestCluster cluster = cluster(1);
    cluster.submit(j -> j.tasks(4).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:110", cluster.promised());
    ranLongJobs(cluster);
    cluster.advance(Duration.ofSeconds(1));
    late(cluster, j -> j.tasks(1).minutes(200));
    late(cluster, j -> j.tasks(1).minutes(100));
    late(cluster, j -> j.tasks(1).minutes(30).user(1009));
    cluster.end(1);
    assertEquals("5", pass(cluster), "4 is no short job, 3 would delay what is reserved");
    assertEquals(cluster.now.plus(Duration.ofMinutes(30)), expected(cluster, 2));
  }

  @Test
  void inAnOverloadedClusterAStartIsReservedBehindTheBacklogThatTheJobCameWith() {
    TestCluster cluster = cluster(1, 80, "");
    cluster.submit(j -> j.tasks(2).minutes(120));
    assertEquals("1", pass(cluster));
    late(cluster, j -> j.tasks(4).minutes(60));
    cluster.runs =
        cluster
            .runs
            .withPeak(4 * 10 * 3600)
            .withWaiting(4 * 2 * 3600)
            .withBacklogs(IntMap.<Long>empty().with(2, 4 * 3 * 3600L));
    cluster.advance(Duration.ofMinutes(70));
    late(cluster, j -> j.tasks(1).minutes(120));
    late(cluster, j -> j.tasks(1).minutes(100));
    assertEquals("4", pass(cluster), "the other would run beyond three hours");
    assertEquals("2:110 3:170", cluster.promised());
    cluster.end(1);
    cluster.end(4);
    assertEquals("2", pass(cluster), "at an earlier time than the reserved one");
  }

  private static @Nullable Instant expected(TestCluster cluster, int job) {
    return cluster.last.verdicts().require(job).expectedStart();
  }

  /** Nearly all work is that of jobs of user 1001 that run for nearly two hours. */
  private static void ranLongJobs(TestCluster cluster) {
    cluster.runs = cluster.runs.started(TestCluster.START);
    for (int i = 0; i < 16; i++) {
      ran(cluster, new JobBuilder().tasks(64).minutes(110).user(1001), 6600);
      ran(cluster, new JobBuilder().tasks(1).minutes(30).user(1009), 60);
    }
  }

  /** A job ends before its limit, and its run counts for later predictions. */
  private static void endEarly(TestCluster cluster, int id) {
    Job job = cluster.active.require(id);
    cluster.end(id);
    Instant start = Objects.requireNonNull(job.state().runningOrSuspended()).start();
    ran(cluster, job, Math.max(1, Duration.between(start, cluster.now).toSeconds()));
  }

  private static void ran(TestCluster cluster, JobBuilder like, long seconds) {
    ran(cluster, like.job(999, TestCluster.START), seconds);
  }

  private static void ran(TestCluster cluster, Job job, long seconds) {
    if (job.spec().timeLimit() instanceof TimeLimit.Limited(Duration limit)) {
      SimilarRunKey kind = SimilarRunKey.of(job.spec(), limit.toSeconds());
      RecordedRun run = new RecordedRun(seconds, limit.toSeconds());
      cluster.runs =
          cluster.runs.ended(
              job.owner().uid(),
              kind,
              new RunResources(kind.cpus(), kind.cpus(), kind.gpus(), kind.gpus()),
              run);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 80})
  void noJobStartsLaterThanWhatWasReservedForItFirst(int backlogShare) {
    SeededRandom.check(
        "no job starts later than what was reserved for it first",
        40,
        random -> {
          TestCluster cluster = cluster(random.between(1, 3), backlogShare, "");
          cluster.with(TestCluster.partition("n1", List.of("n1")));
          Planner by = new Planner();
          cluster.runs =
              cluster.runs.started(TestCluster.START).withPeak(random.between(10_000, 400_000));
          Map<Integer, Long> reserved = new TreeMap<>();
          int overdue = 0;
          for (int step = 0; step < 120; step++) {
            for (int i = random.between(0, 2); i > 0; i--) {
              int tasks = random.between(1, cluster.nodes.size() * 4);
              int minutes = random.between(1, 200);
              int user = random.between(1001, 1003);
              String[] where =
                  tasks > 4 || random.percent(50)
                      ? new String[] {"debug"}
                      : random.percent(50) ? new String[] {"n1", "debug"} : new String[] {"n1"};
              late(cluster, j -> j.tasks(tasks).minutes(minutes).user(user).partition(where));
            }
            // Some end before their limits.
            List<Integer> running = new ArrayList<>(cluster.active.keys());
            if (!running.isEmpty() && random.percent(33)) {
              endEarly(cluster, random.oneOf(running));
            }
            // A cluster is overloaded now and then.
            cluster.runs = cluster.runs.withWaiting(random.between(0, 100_000));
            SchedulingPlan plan = cluster.plan(by);
            plan.reserved().forEach(reserved::putIfAbsent);
            overdue += plan.reserved().size();
            for (Placement start : plan.starts()) {
              Long latest = reserved.get(start.jobId());
              assertTrue(
                  latest == null || cluster.now.getEpochSecond() <= latest,
                  () ->
                      "job "
                          + start.jobId()
                          + " at "
                          + cluster.now.getEpochSecond()
                          + " for "
                          + latest);
              cluster.start(start);
            }
            cluster.advance(step(cluster, plan, random));
          }
          assertTrue(overdue > 0 || cluster.pending.isEmpty(), "nothing was overdue");
        });
  }
}
