package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.ResourceRequest;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A million steps of random clusters: jobs come, are cancelled, start, end early or at their limit,
 * time passes. After each pass what must always hold is looked at. {@code -Ddure.steps=N} asks for
 * another number, {@code -Ddure.seed=N} for one cluster again.
 */
@Tag("pure")
class MillionStepsTest {
  private static final int ROUNDS = 40;
  private static final int MOST_WAITING = 25;

  private static final long STEPS = Long.getLong("dure.steps", Cases.of(1_000_000L));

  /** What was done, and looked at. */
  private static final class Tally {
    private long steps;
    private long starts;
    private long plans;
    private long promises;
    private long alone;
    private long elsewhere;

    @Override
    public String toString() {
      return ("%,d steps: %,d starts in %,d plans; %,d promises kept, "
              + "%,d plans without who is behind, %,d by other threads")
          .formatted(steps, starts, plans, promises, alone, elsewhere);
    }
  }

  @Test
  void whatMustHoldAlwaysHolds() throws InterruptedException, ExecutionException {
    Tally tally = new Tally();
    Long only = Long.getLong("dure.seed");
    try (ExecutorService others = Executors.newFixedThreadPool(2)) {
      long seed = only == null ? 1 + Cases.seeds() : only;
      do {
        new Story(seed++, tally, others).play();
      } while (only == null && tally.steps < STEPS);
    }
    System.out.println(tally);
    assertTrue(only != null || tally.steps >= STEPS);
  }

  /** One cluster. */
  private static final class Story {
    private final long seed;
    private final Tally tally;
    private final ExecutorService others;
    private final Random random;
    private final TestCluster cluster;

    /** Whether arrays come: waiting tasks that were throttled come back in front of a promise. */
    private final boolean arrays;

    /** The earliest start that each job was promised while it was the first that waits. */
    private final TreeMap<Integer, Instant> promised = new TreeMap<>();

    /** When the last pass was. */
    private Instant passed = Instant.MIN;

    Story(long seed, Tally tally, ExecutorService others) {
      this.seed = seed;
      this.tally = tally;
      this.others = others;
      random = new Random(seed);
      cluster = SchedulerPropertyTest.randomCluster(random);
      arrays = random.nextBoolean();
    }

    private String where(String what) {
      return what + ", seed " + seed;
    }

    void play() throws InterruptedException, ExecutionException {
      for (int round = 0; round < ROUNDS; round++) {
        come();
        go();
        pass();
        if (random.nextInt(4) == 0) {
          withoutWhoIsBehind();
        }
        end();
        cluster.advance(Duration.ofMinutes(random.nextInt(40)));
        tally.steps++;
      }
    }

    private void come() {
      int many = random.nextInt(10);
      for (int i = 0; i < many && cluster.pending.size() < MOST_WAITING; i++) {
        int id =
            cluster.submit(job -> {
              JobBuilder next = SchedulerPropertyTest.randomJob(job, cluster, random);
              return arrays ? next : next.array(null);
            });
        ResourceRequest asked = cluster.pending.require(id).spec().resources();
        if (asked.tasks() < asked.minNodes()) {
          // No command asks for more nodes than tasks.
          cluster.pending = cluster.pending.without(id);
        }
        tally.steps++;
      }
    }

    /** Somebody cancels what waits. */
    private void go() {
      for (int id : cluster.pending.keys()) {
        if (random.nextInt(12) == 0) {
          cluster.pending = cluster.pending.without(id);
          promised.remove(id);
          tally.steps++;
        }
      }
    }

    private void end() {
      for (Job job : cluster.active.values()) {
        if (random.nextInt(3) == 0) {
          cluster.end(job.id());
          tally.steps++;
        }
      }
    }

    private void pass() throws InterruptedException, ExecutionException {
      TestView before = cluster.view();
      Instant now = cluster.now;
      SchedulingPlan plan = cluster.schedule();
      tally.plans++;
      tally.steps += plan.starts().size();
      tally.starts += plan.starts().size();
      for (Placement placement : plan.starts()) {
        SchedulerPropertyTest.assertHonoured(
            before.pending().require(placement.jobId()), placement);
      }
      SchedulerPropertyTest.assertNothingOversubscribed(cluster, where("oversubscribed"));
      assertThrottled();
      for (int id : cluster.pending.keys()) {
        assertNotNull(plan.verdicts().get(id), () -> where("nothing is said of job " + id));
      }
      if (cluster.backfill && !arrays) {
        assertPromisesKept(plan);
      }
      passed = now;
      if (random.nextInt(8) == 0) {
        assertSameElsewhere(plan, before, now);
      }
    }

    /** No array has more tasks at a time than it may. */
    private void assertThrottled() {
      TreeMap<Integer, Integer> running = new TreeMap<>();
      for (Job job : cluster.active.values()) {
        if (job.array() instanceof ArrayPart.Task task && task.throttle() > 0) {
          int now = running.merge(task.arrayJobId(), 1, Integer::sum);
          assertTrue(now <= task.throttle(), () -> where("array " + task.arrayJobId()));
        }
      }
    }

    /** EASY: the first that waits starts in the first pass at or after what it was once told. */
    private void assertPromisesKept(SchedulingPlan plan) {
      for (Placement start : plan.starts()) {
        Instant promise = promised.remove(start.jobId());
        assertTrue(
            promise == null || promise.isAfter(passed) || !cluster.now.isAfter(promise),
            () -> where("job " + start.jobId() + " starts late"));
        tally.promises += promise == null ? 0 : 1;
      }
      for (int id : plan.verdicts().keys()) {
        Instant start = plan.verdicts().require(id).expectedStart();
        if (start != null) {
          Instant promise = promised.merge(id, start, (x, y) -> x.isBefore(y) ? x : y);
          assertFalse(start.isAfter(promise), () -> where("job " + id + " waits longer"));
          return;
        }
      }
    }

    /** A plan is the same whatever thread makes it. */
    private void assertSameElsewhere(SchedulingPlan plan, TestView view, Instant now)
        throws InterruptedException, ExecutionException {
      Callable<SchedulingPlan> again = () -> Planner.once(view, now);
      for (Future<SchedulingPlan> other : others.invokeAll(List.of(again, again))) {
        assertEquals(plan, other.get(), () -> where("another thread"));
        tally.elsewhere++;
      }
    }

    /**
     * Nobody starts later, or is promised a later start, because somebody behind was started or
     * promised one: neither with a promise to the first (EASY), nor with some, nor with one to all
     * (conservative).
     */
    private void withoutWhoIsBehind() {
      int promises = List.of(0, 1, 3, Integer.MAX_VALUE).get(random.nextInt(4));
      int each = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(1, 5);
      PlannerOptions options = PlannerOptions.easy().withBookings(promises, each);
      SchedulingPlan whole =
          new Planner(options).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
      int last = random.nextInt(1, cluster.nextId + 1);
      IntMap<Job> all = cluster.pending;
      for (int id : all.keys()) {
        cluster.pending = id > last ? cluster.pending.without(id) : cluster.pending;
      }
      SchedulingPlan ahead =
          new Planner(options).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
      cluster.pending = all;
      assertEquals(
          ahead.starts(),
          whole.starts().stream().filter(start -> start.jobId() <= last).toList(),
          () -> where("starts of who is ahead"));
      ahead
          .verdicts()
          .forEach((id, verdict) ->
              assertEquals(verdict, whole.verdicts().get(id), () -> where("job " + id)));
      tally.alone++;
    }
  }
}
