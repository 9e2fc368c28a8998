package io.dure.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.twin.nodefailure.NodeFailureModel;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class TraceReplayTest {
  private static final Instant START = Instant.ofEpochSecond(5_000);
  private static final ReplayPolicy EASY =
      new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null);

  private static TraceJob job(int name, long submit, int processors, long run, long limit) {
    return new TraceJob(
        Integer.toString(name),
        START.plusSeconds(submit),
        Duration.ofSeconds(run),
        "user",
        new TraceJobRequest.ProcessorRequest(processors, Duration.ofSeconds(limit)));
  }

  private static ReplayResult replay(
      ReplayMachine machine, List<TraceJob> jobs, NodeFailureModel failures) {
    return new TraceReplay(
            machine, new ReplayInput(START, jobs, failures), EASY, ReplayProgressListener.SILENT)
        .run();
  }

  private static TraceJobOutcome ran(long start, long end) {
    return new TraceJobOutcome.Finished(START.plusSeconds(start), START.plusSeconds(end));
  }

  private static List<TraceJobOutcome> endings(ReplayResult schedule) {
    return schedule.results().stream().map(JobResult::ending).toList();
  }

  @Test
  void whatEndsInASecondMakesRoomForWhatComesInIt() {
    ReplayMachine machine = ReplayMachine.ofProcessors(2);
    List<TraceJob> jobs = List.of(job(1, 0, 2, 50, 60), job(2, 50, 2, 0, 60), job(3, 50, 1, 5, 9));
    assertEquals(
        List.of(ran(0, 50), ran(50, 50), ran(50, 55)), endings(replay(machine, jobs, null)));
  }

  /** More processors than one node may have are several nodes, which no job notices. */
  @Test
  void aMachineMayHaveAMillionProcessors() {
    ReplayMachine machine = ReplayMachine.ofProcessors(1_000_003);
    assertEquals(1_000_003, machine.cpus());
    List<TraceJob> jobs =
        List.of(
            job(1, 0, 1, 50, 60),
            job(2, 1, 1_000_002, 9, 9),
            job(3, 2, 1_000_003, 5, 9),
            job(4, 3, 70_000, 60, 60));
    assertEquals(
        List.of(ran(0, 50), ran(1, 10), ran(50, 55), ran(55, 115)),
        endings(replay(machine, jobs, null)));
  }

  @Test
  void aLimitEndsAJob() {
    ReplayResult schedule =
        replay(ReplayMachine.ofProcessors(2), List.of(job(1, 0, 1, 90, 60)), null);
    assertEquals(
        List.of(new TraceJobOutcome.TimedOut(START, START.plusSeconds(60))), endings(schedule));
  }

  @Test
  void eachJobOfEachMachineIsAccountedFor() {
    List<TraceJob> jobs = OracleTest.trace(new Random(11), 120);
    for (ReplayMachine machine :
        List.of(
            ReplayMachine.ofProcessors(24),
            ReplayMachine.ofWholeNodes(24),
            ReplayMachine.ofNodes(6, 4))) {
      ReplayResult schedule = replay(machine, jobs, null);
      assertEquals(24, schedule.cpus());
      for (int i = 0; i < jobs.size(); i++) {
        JobResult result = schedule.results().get(i);
        assertEquals(jobs.get(i), result.job());
        assertEquals(
            ((TraceJobRequest.ProcessorRequest) result.job().demand()).count(), result.cpus());
        assertTrue(
            result.ending() instanceof TraceJobOutcome.Finished
                || result.ending() instanceof TraceJobOutcome.TimedOut);
      }
    }
  }

  @Test
  void whatCanNeverRunIsSaidToWait() {
    ReplayMachine machine = ReplayMachine.ofProcessors(4);
    ReplayResult schedule = replay(machine, List.of(job(1, 0, 9, 5, 9), job(2, 3, 4, 5, 9)), null);
    assertEquals(
        List.of(new TraceJobOutcome.NeverStarted("PartitionConfig"), ran(3, 8)), endings(schedule));
  }

  @Test
  void progressReachesTheLastJob() {
    List<Integer> seen = new ArrayList<>();
    ReplayMachine machine = ReplayMachine.ofProcessors(4);
    List<TraceJob> jobs = List.of(job(1, 0, 1, 5, 9), job(2, 0, 4, 5, 9), job(3, 3, 4, 5, 9));
    new TraceReplay(
            machine,
            new ReplayInput(START, jobs, null),
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
    ReplayMachine machine = ReplayMachine.ofWholeNodes(6);
    NodeFailureModel failures =
        new NodeFailureModel(Duration.ofHours(1), Duration.ofMinutes(10), 7);
    ReplayResult calm = replay(machine, jobs, null);
    ReplayResult stormy = replay(machine, jobs, failures);
    assertEquals(endings(stormy), endings(replay(machine, jobs, failures)));
    assertTrue(
        stormy.results().stream().allMatch(r -> r.ending() instanceof TraceJobOutcome.Finished));
    assertTrue(last(stormy).isAfter(last(calm)), "failures cost nothing");
    for (JobResult result : stormy.results()) {
      if (result.ending() instanceof TraceJobOutcome.Finished(Instant start, Instant end)) {
        assertEquals(Duration.ofMinutes(10), Duration.between(start, end));
      }
    }
  }

  private static Instant last(ReplayResult schedule) {
    Instant last = START;
    for (JobResult result : schedule.results()) {
      if (result.ending() instanceof TraceJobOutcome.Finished(_, Instant end)
          && end.isAfter(last)) {
        last = end;
      }
    }
    return last;
  }
}
