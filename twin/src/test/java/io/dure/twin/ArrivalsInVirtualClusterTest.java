package io.dure.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.job.Job;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.scheduler.PlannerOptions;
import io.dure.testkit.Cases;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.ArrivalSource;
import io.dure.virtual.RunTimeModel;
import io.dure.virtual.VirtualCluster;
import io.dure.virtual.VirtualClusterOptions;
import io.dure.virtual.VirtualClusterView;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rollout starts each job when the replay of the same jobs does. */
@Tag("pure")
class ArrivalsInVirtualClusterTest {
  private static final Instant START = Instant.ofEpochSecond(1_000_000);
  private static final int PROCESSORS = 24;

  /** The jobs of a trace as those that are still to come. */
  private static final class Coming implements ArrivalSource {
    private final TraceJobRecords jobs;
    private final List<TraceJob> trace;
    private int next;

    Coming(TraceJobRecords jobs, List<TraceJob> trace) {
      this.jobs = jobs;
      this.trace = trace;
    }

    @Override
    public long next() {
      return next < trace.size() ? PlannerTime.second(trace.get(next).submit()) : PlannerTime.NEVER;
    }

    @Override
    public List<Job> take(SchedulerView view, IntSupplier ids) {
      TraceJob job = trace.get(next++);
      return List.of(jobs.pending(next, job, jobs.spec(job), 1, job.submit()));
    }
  }

  @Test
  void jobsThatComeStartAsInTheReplay() {
    for (int seed = 0; seed < Cases.of(8); seed++) {
      List<TraceJob> trace = OracleTest.trace(new Random(seed + Cases.seeds()), 150);
      compare(trace, BackfillPolicy.EASY, PlannerOptions.easy());
      PlannerOptions all = PlannerOptions.easy().withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE);
      compare(trace, BackfillPolicy.CONSERVATIVE, all);
      compare(
          trace, BackfillPolicy.SJBF, PlannerOptions.easy().withTail(PlannerOptions.Tail.SHORTEST));
    }
  }

  private static void compare(
      List<TraceJob> trace, BackfillPolicy backfill, PlannerOptions options) {
    ReplayMachine machine = ReplayMachine.ofProcessors(PROCESSORS);
    ReplayPolicy policy =
        new ReplayPolicy(QueueOrderPolicy.FCFS, backfill, EstimateSource.LIMIT, null);
    ReplayResult schedule =
        new TraceReplay(
                machine, new ReplayInput(START, trace, null), policy, ReplayProgressListener.SILENT)
            .run();
    TraceJobRecords jobs = new TraceJobRecords(machine, EstimateSource.LIMIT);
    TreeMap<Integer, Long> runs = new TreeMap<>();
    for (int i = 0; i < trace.size(); i++) {
      runs.put(i + 1, trace.get(i).run().toSeconds());
    }
    RunTimeModel known =
        (job, running) ->
            PlannerTime.second(running.start()) + Objects.requireNonNull(runs.get(job.id()));
    VirtualClusterOptions course =
        VirtualClusterOptions.toTheLimits(machine.settings())
            .withOptions(options)
            .withLifetimes(known)
            .withArrivals(new Coming(jobs, trace));
    VirtualCluster rollout =
        new VirtualCluster(
            VirtualClusterView.of(TwinView.of(machine, null)), trace.getFirst().submit(), course);
    List<Integer> all = IntStream.rangeClosed(1, trace.size()).boxed().toList();
    assertTrue(rollout.untilStarted(all, START.plusSeconds(1L << 32), 100_000));
    for (int id : all) {
      assertEquals(
          started(schedule.results().get(id - 1).ending()), rollout.startOf(id), "job " + id);
    }
  }

  private static Instant started(TraceJobOutcome ending) {
    return switch (ending) {
      case TraceJobOutcome.Finished(Instant at, _) -> at;
      case TraceJobOutcome.TimedOut(Instant at, _) -> at;
      case TraceJobOutcome.Running _,
          TraceJobOutcome.NodeFailed _,
          TraceJobOutcome.Preempted _,
          TraceJobOutcome.Refused _,
          TraceJobOutcome.NeverStarted _ ->
          throw new AssertionError(ending);
    };
  }
}
