package io.dure.simulator.twin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.simulator.twin.trace.Demand;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cluster's scheduler starts each job when a count of processors says, whatever the policy. */
@Tag("pure")
class OracleTest {
  private static final Instant START = Instant.ofEpochSecond(1_000_000);
  private static final int PROCESSORS = 24;

  @Test
  void everyOrderStartsEachJobWhenTheCountSays() {
    EnumSet<Order> counted = EnumSet.complementOf(EnumSet.of(Order.MULTIFACTOR, Order.DURE));
    for (Order order : counted) {
      compare(new Policy(order, Backfill.EASY, Estimates.LIMIT, null));
      compare(new Policy(order, Backfill.SJBF, Estimates.LIMIT, null));
      compare(new Policy(order, Backfill.CONSERVATIVE, Estimates.LIMIT, null));
      compare(new Policy(order, Backfill.NONE, Estimates.LIMIT, null));
    }
  }

  @Test
  void knownRunTimesAreBelieved() {
    compare(new Policy(Order.FCFS, Backfill.EASY, Estimates.ACTUAL, null));
    compare(new Policy(Order.SJF, Backfill.SJBF, Estimates.ACTUAL, null));
    compare(new Policy(Order.SAF, Backfill.CONSERVATIVE, Estimates.ACTUAL, null));
  }

  @Test
  void whoWaitedTooLongComesFirst() {
    Duration bound = Duration.ofHours(2);
    compare(new Policy(Order.SJF, Backfill.EASY, Estimates.LIMIT, bound));
    compare(new Policy(Order.WFP3, Backfill.EASY, Estimates.LIMIT, bound));
    compare(new Policy(Order.SAF, Backfill.NONE, Estimates.ACTUAL, bound));
  }

  private static void compare(Policy policy) {
    for (int seed = 0; seed < Cases.of(6); seed++) {
      List<TraceJob> trace = trace(new Random(seed + Cases.seeds()), 200);
      List<Oracle.Item> items = new ArrayList<>();
      for (int i = 0; i < trace.size(); i++) {
        items.add(Oracle.Item.of(i, trace.get(i), START, policy.estimates()));
      }
      long[] expected = Oracle.starts(PROCESSORS, policy, items);
      Schedule schedule =
          new Replay(
                  Machine.ofProcessors(PROCESSORS),
                  new Workload(START, trace, null),
                  policy,
                  Progress.SILENT)
              .run();
      assertArrayEquals(expected, starts(schedule), policy.text() + " seed " + seed);
    }
  }

  private static long[] starts(Schedule schedule) {
    long[] starts = new long[schedule.results().size()];
    for (int i = 0; i < starts.length; i++) {
      Instant start =
          switch (schedule.results().get(i).ending()) {
            case Ending.Finished(Instant at, _) -> at;
            case Ending.TimedOut(Instant at, _) -> at;
            case Ending.Running _,
                Ending.NodeFailed _,
                Ending.Preempted _,
                Ending.Refused _,
                Ending.NeverStarted _ ->
                throw new AssertionError(schedule.results().get(i));
          };
      starts[i] = Duration.between(START, start).toSeconds();
    }
    return starts;
  }

  /** Jobs that come in bursts, many alike, so that ties are common. */
  static List<TraceJob> trace(Random random, int count) {
    List<TraceJob> jobs = new ArrayList<>();
    long second = 0;
    for (int i = 0; i < count; i++) {
      second += random.nextInt(3) == 0 ? 0 : random.nextInt(900);
      int processors =
          random.nextInt(4) == 0 ? 1 + random.nextInt(PROCESSORS) : 1 + random.nextInt(6);
      long limit = 60L * (1 + random.nextInt(40)) * (random.nextInt(5) == 0 ? 10 : 1);
      long run = random.nextInt(6) == 0 ? limit + 30 : 1 + random.nextInt((int) limit);
      jobs.add(
          new TraceJob(
              Integer.toString(i + 1),
              START.plusSeconds(second),
              Duration.ofSeconds(run),
              "user" + random.nextInt(5),
              new Demand.Processors(processors, Duration.ofSeconds(limit))));
    }
    return jobs;
  }

  @Test
  void theSameTraceGivesTheSameScheduleAgain() {
    Policy policy = new Policy(Order.SAF, Backfill.EASY, Estimates.LIMIT, null);
    List<TraceJob> trace = trace(new Random(5), 100);
    assertEquals(digest(trace, policy), digest(trace, policy));
    List<TraceJob> other = trace(new Random(6), 100);
    assertNotEquals(digest(trace, policy), digest(other, policy));
  }

  private static String digest(List<TraceJob> trace, Policy policy) {
    Machine machine = Machine.ofProcessors(PROCESSORS);
    return new Replay(machine, new Workload(START, trace, null), policy, Progress.SILENT)
        .run()
        .digest();
  }
}
