package io.dure.simulator.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.model.Job;
import io.dure.core.rollout.Arrivals;
import io.dure.core.rollout.Course;
import io.dure.core.rollout.Imagined;
import io.dure.core.rollout.Lifetimes;
import io.dure.core.rollout.Rollout;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.plan.PlannerOptions;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.testkit.Cases;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rollout starts each job when the replay of the same jobs does. */
@Tag("pure")
class RolloutTest {
  private static final Instant START = Instant.ofEpochSecond(1_000_000);
  private static final int PROCESSORS = 24;

  /** The jobs of a trace as those that are still to come. */
  private static final class Coming implements Arrivals {
    private final TwinJobs jobs;
    private final List<TraceJob> trace;
    private int next;

    Coming(TwinJobs jobs, List<TraceJob> trace) {
      this.jobs = jobs;
      this.trace = trace;
    }

    @Override
    public long next() {
      return next < trace.size() ? Times.second(trace.get(next).submit()) : Times.NEVER;
    }

    @Override
    public Job take(int id) {
      TraceJob job = trace.get(next++);
      return jobs.pending(next, job, jobs.spec(job), 1, job.submit());
    }
  }

  @Test
  void jobsThatComeStartAsInTheReplay() {
    for (int seed = 0; seed < Cases.of(8); seed++) {
      List<TraceJob> trace = OracleTest.trace(new Random(seed + Cases.seeds()), 150);
      compare(trace, Backfill.EASY, PlannerOptions.easy());
      PlannerOptions all = PlannerOptions.easy().withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE);
      compare(trace, Backfill.CONSERVATIVE, all);
      compare(trace, Backfill.SJBF, PlannerOptions.easy().withTail(PlannerOptions.Tail.SHORTEST));
    }
  }

  private static void compare(List<TraceJob> trace, Backfill backfill, PlannerOptions options) {
    Machine machine = Machine.ofProcessors(PROCESSORS);
    Policy policy = new Policy(Order.FCFS, backfill, Estimates.LIMIT, null);
    Schedule schedule =
        new Replay(machine, new Workload(START, trace, null), policy, Progress.SILENT).run();
    TwinJobs jobs = new TwinJobs(machine, Estimates.LIMIT);
    TreeMap<Integer, Long> runs = new TreeMap<>();
    for (int i = 0; i < trace.size(); i++) {
      runs.put(i + 1, trace.get(i).run().toSeconds());
    }
    Lifetimes known =
        (job, running) ->
            Times.second(running.start()) + Objects.requireNonNull(runs.get(job.id()));
    Course course =
        Course.toTheLimits(machine.settings())
            .with(options)
            .with(known)
            .with(new Coming(jobs, trace));
    Rollout rollout =
        new Rollout(Imagined.of(TwinView.of(machine, null)), trace.getFirst().submit(), course);
    List<Integer> all = IntStream.rangeClosed(1, trace.size()).boxed().toList();
    assertTrue(rollout.untilStarted(all, START.plusSeconds(1L << 32), 100_000));
    for (int id : all) {
      assertEquals(
          started(schedule.results().get(id - 1).ending()), rollout.startOf(id), "job " + id);
    }
  }

  private static Instant started(Ending ending) {
    return switch (ending) {
      case Ending.Finished(Instant at, _) -> at;
      case Ending.TimedOut(Instant at, _) -> at;
      case Ending.Running _,
          Ending.NodeFailed _,
          Ending.Preempted _,
          Ending.Refused _,
          Ending.NeverStarted _ ->
          throw new AssertionError(ending);
    };
  }
}
