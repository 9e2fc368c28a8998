package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Placement;
import io.dure.model.config.ConfText;
import io.dure.model.job.Job;
import io.dure.testkit.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that have waited beyond their bounds, on nodes of four cores. */
@Tag("pure")
class OverdueReservationsTest {
  private final Planner planner = new Planner();

  private static TestCluster cluster(int nodes) {
    TestCluster cluster = TestCluster.nodes(nodes, 4).backfill();
    cluster.policy =
        Objects.requireNonNull(
            ConfText.with(
                    "SchedulerParameters=policy=dure,dure_interval=1,dure_most_bound=1,"
                        + "dure_least_bound=1\n")
                .config()
                .settings()
                .scheduling()
                .policy());
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

  @Test
  void afterALostNodeItIsMadeAnewInTheSameOrder() {
    TestCluster cluster = cluster(2);
    cluster.submit(j -> j.tasks(8).minutes(180));
    pass(cluster);
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    pass(cluster);
    assertEquals("2:110 3:110", cluster.promised());
    cluster.down("n2");
    pass(cluster);
    assertEquals("2:110 3:170", cluster.promised());
  }

  @Test
  void noJobStartsLaterThanWhatWasReservedForItFirst() {
    SeededRandom.check(
        "no job starts later than what was reserved for it first",
        40,
        random -> {
          TestCluster cluster = cluster(random.between(1, 3));
          Planner by = new Planner();
          Map<Integer, Long> reserved = new TreeMap<>();
          int overdue = 0;
          for (int step = 0; step < 120; step++) {
            for (int i = random.between(0, 2); i > 0; i--) {
              int tasks = random.between(1, cluster.nodes.size() * 4);
              int minutes = random.between(1, 200);
              int user = random.between(1001, 1003);
              late(cluster, j -> j.tasks(tasks).minutes(minutes).user(user));
            }
            // Some end before their limits.
            List<Integer> running = new ArrayList<>(cluster.active.keys());
            if (!running.isEmpty() && random.percent(33)) {
              cluster.end(random.oneOf(running));
            }
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
