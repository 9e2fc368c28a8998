package io.dure.simulator.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.simulator.twin.failure.FailureModel;
import io.dure.simulator.twin.trace.Demand;
import io.dure.simulator.twin.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class ReplayTest {
  private static final Instant START = Instant.ofEpochSecond(5_000);
  private static final Policy EASY = new Policy(Order.FCFS, Backfill.EASY, Estimates.LIMIT, null);

  private static TraceJob job(int name, long submit, int processors, long run, long limit) {
    return new TraceJob(
        Integer.toString(name),
        START.plusSeconds(submit),
        Duration.ofSeconds(run),
        "user",
        new Demand.Processors(processors, Duration.ofSeconds(limit)));
  }

  private static Schedule replay(Machine machine, List<TraceJob> jobs, FailureModel failures) {
    return new Replay(machine, new Workload(START, jobs, failures), EASY, Progress.SILENT).run();
  }

  private static Ending ran(long start, long end) {
    return new Ending.Finished(START.plusSeconds(start), START.plusSeconds(end));
  }

  private static List<Ending> endings(Schedule schedule) {
    return schedule.results().stream().map(JobResult::ending).toList();
  }

  @Test
  void whatEndsInASecondMakesRoomForWhatComesInIt() {
    Machine machine = Machine.ofProcessors(2);
    List<TraceJob> jobs = List.of(job(1, 0, 2, 50, 60), job(2, 50, 2, 0, 60), job(3, 50, 1, 5, 9));
    assertEquals(
        List.of(ran(0, 50), ran(50, 50), ran(50, 55)), endings(replay(machine, jobs, null)));
  }

  @Test
  void aLimitEndsAJob() {
    Schedule schedule = replay(Machine.ofProcessors(2), List.of(job(1, 0, 1, 90, 60)), null);
    assertEquals(List.of(new Ending.TimedOut(START, START.plusSeconds(60))), endings(schedule));
  }

  @Test
  void eachJobOfEachMachineIsAccountedFor() {
    List<TraceJob> jobs = OracleTest.trace(new Random(11), 120);
    for (Machine machine :
        List.of(Machine.ofProcessors(24), Machine.ofWholeNodes(24), Machine.ofNodes(6, 4))) {
      Schedule schedule = replay(machine, jobs, null);
      assertEquals(24, schedule.cpus());
      for (int i = 0; i < jobs.size(); i++) {
        JobResult result = schedule.results().get(i);
        assertEquals(jobs.get(i), result.job());
        assertEquals(((Demand.Processors) result.job().demand()).count(), result.cpus());
        assertTrue(
            result.ending() instanceof Ending.Finished
                || result.ending() instanceof Ending.TimedOut);
      }
    }
  }

  @Test
  void whatCanNeverRunIsSaidToWait() {
    Machine machine = Machine.ofProcessors(4);
    Schedule schedule = replay(machine, List.of(job(1, 0, 9, 5, 9), job(2, 3, 4, 5, 9)), null);
    assertEquals(List.of(new Ending.NeverStarted("PartitionConfig"), ran(3, 8)), endings(schedule));
  }

  @Test
  void progressReachesTheLastJob() {
    List<Integer> seen = new ArrayList<>();
    Machine machine = Machine.ofProcessors(4);
    List<TraceJob> jobs = List.of(job(1, 0, 1, 5, 9), job(2, 0, 4, 5, 9), job(3, 3, 4, 5, 9));
    new Replay(
            machine,
            new Workload(START, jobs, null),
            EASY,
            (done, all) -> seen.add(10 * done + all))
        .run();
    assertEquals(List.of(13, 23, 33), seen);
  }

  @Test
  void aFailedNodeGivesItsJobsBackAndReturns() {
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(job(i, 60L * i, 1 + i % 4, 600, 900));
    }
    Machine machine = Machine.ofWholeNodes(6);
    FailureModel failures = new FailureModel(Duration.ofHours(1), Duration.ofMinutes(10), 7);
    Schedule calm = replay(machine, jobs, null);
    Schedule stormy = replay(machine, jobs, failures);
    assertEquals(endings(stormy), endings(replay(machine, jobs, failures)));
    assertTrue(stormy.results().stream().allMatch(r -> r.ending() instanceof Ending.Finished));
    assertTrue(last(stormy).isAfter(last(calm)), "failures cost nothing");
    for (JobResult result : stormy.results()) {
      if (result.ending() instanceof Ending.Finished(Instant start, Instant end)) {
        assertEquals(Duration.ofMinutes(10), Duration.between(start, end));
      }
    }
  }

  private static Instant last(Schedule schedule) {
    Instant last = START;
    for (JobResult result : schedule.results()) {
      if (result.ending() instanceof Ending.Finished(_, Instant end) && end.isAfter(last)) {
        last = end;
      }
    }
    return last;
  }
}
