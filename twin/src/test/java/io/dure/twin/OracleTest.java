package io.dure.twin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.testkit.Cases;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
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
    EnumSet<QueueOrderPolicy> counted =
        EnumSet.complementOf(EnumSet.of(QueueOrderPolicy.MULTIFACTOR, QueueOrderPolicy.DURE));
    for (QueueOrderPolicy order : counted) {
      compare(new ReplayPolicy(order, BackfillPolicy.EASY, EstimateSource.LIMIT, null));
      compare(new ReplayPolicy(order, BackfillPolicy.SJBF, EstimateSource.LIMIT, null));
      compare(new ReplayPolicy(order, BackfillPolicy.CONSERVATIVE, EstimateSource.LIMIT, null));
      compare(new ReplayPolicy(order, BackfillPolicy.NONE, EstimateSource.LIMIT, null));
    }
  }

  @Test
  void knownRunTimesAreBelieved() {
    compare(
        new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.ACTUAL, null));
    compare(
        new ReplayPolicy(QueueOrderPolicy.SJF, BackfillPolicy.SJBF, EstimateSource.ACTUAL, null));
    compare(
        new ReplayPolicy(
            QueueOrderPolicy.SAF, BackfillPolicy.CONSERVATIVE, EstimateSource.ACTUAL, null));
  }

  @Test
  void whoWaitedTooLongComesFirst() {
    Duration bound = Duration.ofHours(2);
    compare(
        new ReplayPolicy(QueueOrderPolicy.SJF, BackfillPolicy.EASY, EstimateSource.LIMIT, bound));
    compare(
        new ReplayPolicy(QueueOrderPolicy.WFP3, BackfillPolicy.EASY, EstimateSource.LIMIT, bound));
    compare(
        new ReplayPolicy(QueueOrderPolicy.SAF, BackfillPolicy.NONE, EstimateSource.ACTUAL, bound));
  }

  private static void compare(ReplayPolicy policy) {
    for (int seed = 0; seed < Cases.of(6); seed++) {
      List<TraceJob> trace = trace(new Random(seed + Cases.seeds()), 200);
      List<Oracle.Item> items = new ArrayList<>();
      for (int i = 0; i < trace.size(); i++) {
        items.add(Oracle.Item.of(i, trace.get(i), START, policy.estimates()));
      }
      long[] expected = Oracle.starts(PROCESSORS, policy, items);
      ReplayResult schedule =
          new TraceReplay(
                  ReplayMachine.ofProcessors(PROCESSORS),
                  new ReplayInput(START, trace, null),
                  policy,
                  ReplayProgressListener.SILENT)
              .run();
      assertArrayEquals(expected, starts(schedule), policy.text() + " seed " + seed);
    }
  }

  private static long[] starts(ReplayResult schedule) {
    long[] starts = new long[schedule.results().size()];
    for (int i = 0; i < starts.length; i++) {
      Instant start =
          switch (schedule.results().get(i).ending()) {
            case TraceJobOutcome.Finished(Instant at, _) -> at;
            case TraceJobOutcome.TimedOut(Instant at, _) -> at;
            case TraceJobOutcome.Running _,
                TraceJobOutcome.NodeFailed _,
                TraceJobOutcome.Preempted _,
                TraceJobOutcome.Refused _,
                TraceJobOutcome.NeverStarted _ ->
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
              new TraceJobRequest.ProcessorRequest(processors, Duration.ofSeconds(limit))));
    }
    return jobs;
  }

  @Test
  void theSameTraceGivesTheSameScheduleAgain() {
    ReplayPolicy policy =
        new ReplayPolicy(QueueOrderPolicy.SAF, BackfillPolicy.EASY, EstimateSource.LIMIT, null);
    List<TraceJob> trace = trace(new Random(5), 100);
    assertEquals(digest(trace, policy), digest(trace, policy));
    List<TraceJob> other = trace(new Random(6), 100);
    assertNotEquals(digest(trace, policy), digest(other, policy));
  }

  private static String digest(List<TraceJob> trace, ReplayPolicy policy) {
    ReplayMachine machine = ReplayMachine.ofProcessors(PROCESSORS);
    return new TraceReplay(
            machine, new ReplayInput(START, trace, null), policy, ReplayProgressListener.SILENT)
        .run()
        .digest();
  }
}
