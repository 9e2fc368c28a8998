package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Placement;
import io.dure.model.config.ConfText;
import io.dure.model.config.backfill.BackfillSettings;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.TimeLimit;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which jobs that have to wait are promised a start, as SchedulerParameters bounds it. */
@Tag("pure")
class PromisesTest {
  /** One node of four cores, all taken by job 1 for an hour. */
  private static TestCluster busy(String parameters) {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.promises = promises(parameters);
    cluster.submit(j -> j.tasks(4));
    assertEquals("1", cluster.starts());
    return cluster;
  }

  private static BackfillSettings promises(String parameters) {
    return ConfText.with("SchedulerParameters=" + parameters + "\n")
        .config()
        .settings()
        .scheduling()
        .backfills();
  }

  /** Three jobs behind, each of the whole node for an hour. */
  private static TestCluster three(String parameters) {
    TestCluster cluster = busy(parameters);
    for (int i = 0; i < 3; i++) {
      int user = i == 2 ? 2 : 1;
      cluster.submit(j -> j.tasks(4).user(user));
    }
    assertEquals("", cluster.starts());
    return cluster;
  }

  @Test
  void eachJobThatWaitsIsPromisedAStart() {
    assertEquals("2:60 3:120 4:180", three("").promised());
  }

  @Test
  void maxJobTestBoundsHowManyAre() {
    assertEquals("2:60 3:120", three("bf_max_job_test=2").promised());
  }

  @Test
  void maxJobPartBoundsThoseOfAPartition() {
    TestCluster cluster = busy("bf_max_job_part=1");
    cluster.with(TestCluster.partition("other", List.of("n1")));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(4).partition("other"));
    cluster.starts();
    assertEquals("2:60 4:120", cluster.promised());
    assertEquals("Priority", cluster.reason(3));
  }

  @Test
  void jobPartCountReserveIsTheOtherBoundOfAPartition() {
    assertEquals("2:60", three("bf_job_part_count_reserve=1,bf_max_job_part=3").promised());
    assertEquals("2:60", three("bf_job_part_count_reserve=3,bf_max_job_part=1").promised());
  }

  @Test
  void maxJobUserBoundsThoseOfAUser() {
    assertEquals("2:60 4:120", three("bf_max_job_user=1").promised());
    assertEquals("2:60 4:120", three("bf_max_job_user_part=1").promised());
  }

  @Test
  void maxJobAssocBoundsThoseOfAnAccount() {
    TestCluster cluster = busy("bf_max_job_assoc=1");
    cluster.submit(j -> j.tasks(4).account("a"));
    cluster.submit(j -> j.tasks(4).account("a"));
    cluster.submit(j -> j.tasks(4).account("b"));
    cluster.starts();
    assertEquals("2:60 4:120", cluster.promised());
  }

  @Test
  void windowBoundsHowFarAhead() {
    assertEquals("2:60 3:120", three("bf_window=150").promised());
  }

  @Test
  void minAgeReserveKeepsNothingForYoungJobs() {
    TestCluster cluster = busy("bf_min_age_reserve=600");
    cluster.submit(j -> j.tasks(4));
    assertEquals("", cluster.starts());
    assertEquals("", cluster.promised());
    cluster.advance(Duration.ofMinutes(11));
    cluster.starts();
    assertEquals("2:49", cluster.promised());
  }

  @Test
  void minPrioReserveKeepsNothingForJobsOfLowerPriority() {
    TestCluster cluster = busy("bf_min_prio_reserve=50");
    cluster.submit(j -> j.tasks(4).priority(49));
    cluster.submit(j -> j.tasks(4).priority(50));
    cluster.starts();
    assertEquals("3:60", cluster.promised());
  }

  @Test
  void nobodyWaitsForAJobForWhichNothingIsKept() {
    for (String least : List.of("bf_min_prio_reserve=50", "bf_min_prio_reserve=1")) {
      TestCluster cluster = TestCluster.nodes(1, 4).backfill();
      cluster.promises = promises(least);
      cluster.submit(j -> j.tasks(2));
      cluster.submit(j -> j.tasks(4).priority(49));
      cluster.submit(j -> j.tasks(1).minutes(90).priority(10));
      assertEquals(least.endsWith("50") ? "1 3" : "1", cluster.starts());
    }
  }

  @Test
  void maxJobArrayResvBoundsTheTasksOfAnArray() {
    TestCluster cluster = busy("bf_max_job_array_resv=2");
    cluster.submit(j -> j.tasks(4).array("0-9"));
    cluster.submit(j -> j.tasks(4));
    cluster.starts();
    assertEquals("2:60 3:180", cluster.promised());
  }

  @Test
  void oneResvPerJobPromisesAStartInOneOfSeveralPartitions() {
    for (String parameter : List.of("", "bf_one_resv_per_job")) {
      TestCluster cluster = busy(parameter);
      cluster.with(TestCluster.partition("other", List.of("n1")));
      cluster.submit(j -> j.tasks(4).partition("debug", "other"));
      cluster.submit(j -> j.tasks(4));
      cluster.starts();
      assertEquals(parameter.isEmpty() ? "2:60 3:180" : "2:60 3:120", cluster.promised());
    }
  }

  @Test
  void maxJobStartBoundsHowManyPassOthersAtOnce() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.promises = promises("bf_max_job_start=1");
    cluster.submit(j -> j.tasks(2));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(1).minutes(5));
    cluster.submit(j -> j.tasks(1).minutes(5));
    assertEquals("1 3", cluster.starts());
    assertEquals("4", cluster.starts());
    assertTrue(cluster.last.starts().getFirst().overtakes());
  }

  @Test
  void aJobThatTakesLessTimePassesInAGap() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.tasks(2));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(1).minutes(120).atLeast(10));
    assertEquals("1 3", cluster.starts());
    assertEquals(Duration.ofMinutes(60), cluster.last.starts().getLast().limit());
    assertEquals("2:60", cluster.promised());
  }

  @Test
  void aJobThatTakesLessTimeKeepsItsLimitWhereNothingIsInItsWay() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.minutes(120).atLeast(10));
    assertEquals("1", cluster.starts());
    assertEquals(null, cluster.last.starts().getLast().limit());
  }

  @Test
  void aGapThatIsShorterThanItTakesIsNone() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.submit(j -> j.tasks(2));
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(1).minutes(120).atLeast(61));
    assertEquals("1", cluster.starts());
  }

  /**
   * A pass that may look at few nodes keeps what earlier ones promised: all are promised a start
   * after some passes, the first is promised the same as by a pass without bound, and once the
   * interval is over all are.
   */
  @Test
  void passesThatMayLookAtLittleComeToTheSame() {
    for (int seed = 0; seed < Cases.of(300); seed++) {
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = TestCluster.nodes(random.nextInt(1, 6), 4).backfill();
      PlannerOptions whole = PlannerOptions.of(cluster.view().settings());
      Planner hurried = new Planner(whole.withEffort(random.nextInt(1, 4)));
      for (int step = 0; step < 12; step++) {
        for (int i = random.nextInt(6); i > 0; i--) {
          int nodes = random.nextInt(1, cluster.nodes.size() + 1);
          int tasks = nodes * random.nextInt(1, 5);
          int minutes = random.nextInt(1, 90);
          cluster.submit(j -> j.nodes(nodes).tasks(tasks).minutes(minutes));
        }
        SchedulingPlan plan = carryOut(hurried, cluster);
        SchedulingPlan anew =
            new Planner(whole).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
        NavigableMap<Integer, Instant> promised = starts(plan);
        assertEquals(cluster.pending.keys(), List.copyOf(promised.keySet()), "seed " + seed);
        if (!promised.isEmpty()) {
          assertEquals(starts(anew).firstEntry(), promised.firstEntry(), "seed " + seed);
        }
        cluster.advance(Duration.ofSeconds(31));
        promised = starts(carryOut(hurried, cluster));
        anew = new Planner(whole).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
        assertTrue(anew.starts().isEmpty(), "seed " + seed);
        assertEquals(starts(anew), promised, "seed " + seed);
        for (Job job : cluster.active.values()) {
          if (random.nextInt(4) == 0) {
            cluster.end(job.id());
          }
        }
        cluster.advance(Duration.ofMinutes(random.nextInt(40)));
      }
    }
  }

  /**
   * What a pass promises, and what it keeps of earlier promises, never needs a node twice: jobs
   * have whole nodes, and others of any rank come and end meanwhile.
   */
  @Test
  void promisesThatAreKeptHaveRoomBesideEachOther() {
    int kept = 0;
    for (int seed = 0; seed < Cases.of(300); seed++) {
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = TestCluster.nodes(random.nextInt(2, 7), 4).backfill();
      PlannerOptions whole = PlannerOptions.of(cluster.view().settings());
      Planner hurried = new Planner(whole.withEffort(random.nextInt(1, 30)));
      NavigableMap<Integer, Instant> before = new TreeMap<>();
      for (int step = 0; step < 40; step++) {
        for (int i = random.nextInt(4); i > 0; i--) {
          int nodes = random.nextInt(1, cluster.nodes.size() + 1);
          int minutes = random.nextInt(1, 90);
          int rank = random.nextInt(1, 100);
          cluster.submit(j -> j.nodes(nodes).exclusive().minutes(minutes).priority(rank));
        }
        SchedulingPlan plan = cluster.plan(hurried);
        checkApart(cluster, plan, "seed " + seed + " step " + step);
        NavigableMap<Integer, Instant> promised = starts(plan);
        kept += (int) promised.entrySet().stream().filter(before.entrySet()::contains).count();
        before = promised;
        // What is refused to start does not start.
        if (random.nextInt(3) > 0) {
          plan.starts().forEach(cluster::start);
        }
        for (Job job : cluster.active.values()) {
          if (random.nextInt(8) == 0) {
            cluster.end(job.id());
          }
        }
        cluster.advance(Duration.ofSeconds(random.nextInt(1, 200)));
      }
    }
    assertTrue(kept > Cases.of(10_000), "few promises are kept: " + kept);
  }

  /** Nobody is promised a node that another has, or is promised, at that time. */
  private static void checkApart(TestCluster cluster, SchedulingPlan plan, String what) {
    Map<String, NavigableMap<Instant, Instant>> taken = new TreeMap<>();
    for (Job job : cluster.active.values()) {
      if (job.state() instanceof JobState.Running running && running.end() != null) {
        take(running.allocation().nodes(), cluster.now, running.end(), taken, what);
      }
    }
    for (Placement start : plan.starts()) {
      Job job = cluster.pending.require(start.jobId());
      take(start.allocation().nodes(), cluster.now, end(job, cluster.now), taken, what);
    }
    plan.verdicts()
        .forEach((id, verdict) -> {
          Instant start = verdict.expectedStart();
          if (start != null) {
            Job job = cluster.pending.require(id);
            take(verdict.plannedNodes(), start, end(job, start), taken, what + " job " + id);
          }
        });
  }

  private static Instant end(Job job, Instant start) {
    return job.spec().timeLimit() instanceof TimeLimit.Limited limited
        ? start.plus(limited.duration())
        : Instant.MAX;
  }

  private static void take(
      List<String> nodes,
      Instant start,
      Instant end,
      Map<String, NavigableMap<Instant, Instant>> taken,
      String what) {
    for (String node : nodes) {
      NavigableMap<Instant, Instant> times = taken.computeIfAbsent(node, _ -> new TreeMap<>());
      Map.Entry<Instant, Instant> before = times.floorEntry(start);
      Map.Entry<Instant, Instant> after = times.ceilingEntry(start);
      assertTrue(before == null || !before.getValue().isAfter(start), what + " " + node);
      assertTrue(after == null || !after.getKey().isBefore(end), what + " " + node);
      times.put(start, end);
    }
  }

  /** Jobs of two partitions, and such that find no start within the window, are done with too. */
  @Test
  void passesComeToAnEndWhereJobsHaveSeveralPartitionsOrNoStart() {
    for (String window : List.of("", "bf_window=90")) {
      TestCluster cluster = TestCluster.nodes(3, 4).backfill();
      cluster.promises = promises(window);
      cluster.with(TestCluster.partition("other", List.of("n1", "n2", "n3")));
      cluster.submit(j -> j.nodes(3).tasks(12));
      for (int i = 0; i < 8; i++) {
        cluster.submit(j -> j.nodes(3).tasks(12).partition("debug", "other"));
      }
      Planner hurried = new Planner(PlannerOptions.of(cluster.view().settings()).withEffort(4));
      SchedulingPlan plan = carryOut(hurried, cluster);
      assertEquals(window.isEmpty() ? 8 : 1, starts(plan).size());
      assertEquals(plan, cluster.plan(hurried));
    }
  }

  /** Passes until nothing is left to do. */
  private static SchedulingPlan carryOut(Planner planner, TestCluster cluster) {
    SchedulingPlan plan = cluster.plan(planner);
    for (int pass = 0; plan.unfinished() || !plan.starts().isEmpty(); pass++) {
      assertTrue(pass < 500, "passes have no end");
      plan.starts().forEach(cluster::start);
      plan = cluster.plan(planner);
    }
    return plan;
  }

  private static NavigableMap<Integer, Instant> starts(SchedulingPlan plan) {
    NavigableMap<Integer, Instant> starts = new TreeMap<>();
    plan.verdicts()
        .forEach((id, verdict) -> {
          if (verdict.expectedStart() != null) {
            starts.put(id, verdict.expectedStart());
          }
        });
    return starts;
  }

  @Test
  void whatIsNoNumberIsReportedAndTheUsualHolds() {
    BackfillSettings read = promises("bf_window=soon,bf_max_job_test=0");
    assertEquals(BackfillSettings.USUAL.jobs(), read.jobs());
    List<String> errors =
        ConfText.found(
            ConfText.with("SchedulerParameters=bf_window=soon,bf_max_job_test=0\n"),
            ConfigDiagnostic.Severity.ERROR);
    assertEquals(
        List.of(
            "5 SchedulerParameters: bf_window: value (soon) is not a number from 1 to 43200",
            "5 SchedulerParameters: bf_max_job_test: value (0) is not a number from 1 to 1000000"),
        errors);
  }
}
