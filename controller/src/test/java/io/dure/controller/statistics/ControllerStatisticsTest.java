package io.dure.controller.statistics;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.protocol.Request;
import io.dure.protocol.StatisticsInfo;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the controller counts, as a real Slurm 22.05.8 counted the same. */
@Tag("pure")
class ControllerStatisticsTest {
  private static final Instant NOON = TestCluster.START.plus(Duration.ofHours(12));
  private static final long MILLI = 1_000_000;

  private final TestCluster cluster = ClusterBuilder.of(2).cpus(4).start();
  private Instant now = NOON;
  private final ControllerStatistics statistics = new ControllerStatistics(() -> now);

  private StatisticsInfo told() {
    return statistics.told(cluster.state(), 3, 1, uid -> "u" + uid, 0);
  }

  private StatisticsInfo.Jobs counted() {
    for (TestCluster.Step step : cluster.steps()) {
      statistics.happened(List.of(step.event()), step.after());
    }
    cluster.forgetSteps();
    return told().jobs();
  }

  private static Command.KillJob cancel(int id) {
    return new Command.KillJob(new JobSelector(id, null), null, false, false);
  }

  private void submit(JobBuilder job) {
    cluster.submit(ALICE, job);
  }

  /** Counts: submitted, started, completed, canceled, failed, pending, running. */
  private void assertCounted(long... counts) {
    assertEquals(
        new StatisticsInfo.Jobs(
            counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]),
        counted());
  }

  @Test
  void eachTaskOfAnArrayIsAJob() {
    submit(job().array("0-4").cpus(2).runs(10));
    cluster.tick();
    assertCounted(5, 4, 0, 0, 0, 1, 4);
    cluster.minutes(1);
    assertCounted(5, 5, 5, 0, 0, 0, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "exit 0, 1, 0",
    "exit 1, 1, 0",
    "signal 11, 1, 0",
    "oom, 1, 0",
    "not-started, 0, 1",
  })
  void whoEndsByItselfIsCompletedWhateverItsExitStatus(String end, long completed, long failed) {
    submit(job().runs(10).ends(end));
    cluster.minutes(1);
    assertCounted(1, 1, completed, 0, failed, 0, 0);
  }

  @Test
  void waitingTasksCancelledTogetherAreOne() {
    int array = cluster.submit(ALICE, job().array("0-9").held());
    int running = cluster.submit(ALICE, job().runs(1000));
    cluster.tick();
    assertCounted(11, 1, 0, 0, 0, 10, 1);
    cluster.ask(ALICE, cancel(array));
    cluster.ask(ALICE, cancel(running));
    assertCounted(11, 1, 0, 2, 0, 0, 0);
  }

  @Test
  void whoRunsIntoItsLimitIsNotCounted() {
    submit(job().time(1).runs(1000));
    cluster.minutes(3);
    assertCounted(1, 1, 0, 0, 0, 0, 0);
  }

  @Test
  void whoGoesBackIntoTheQueueIsNotOver() {
    int id = cluster.submit(ALICE, job().runs(60));
    cluster.tick();
    cluster.ask(ALICE, new Command.RequeueJob(new JobSelector(id, null), false, false, false));
    cluster.minutes(10);
    assertCounted(1, 2, 1, 0, 0, 0, 0);
  }

  @Test
  void midnightUtcBeginsANewDayForAllButRequests() {
    submit(job().held());
    counted();
    ask(new Request.Ping(), 1001);
    pass(4, new SchedulerPassResult(9, 5, 2, 2, 10));
    now = Instant.parse("2026-01-05T23:59:59Z");
    assertEquals(NOON, told().since());
    assertEquals(1, told().jobs().submitted());
    now = Instant.parse("2026-01-06T00:00:01Z");
    assertEquals(Instant.parse("2026-01-06T00:00:00Z"), told().since());
    assertEquals(0, told().jobs().submitted());
    assertEquals(2, told().backfill().jobs());
    assertEquals(0, told().backfill().jobsOfCycle());
    assertEquals(0, told().backfill().cycles());
    assertEquals(1, told().types().getFirst().count());
    submit(job().held());
    assertEquals(1, counted().submitted());
  }

  @Test
  void aResetBeginsAnewForAll() {
    submit(job().held());
    counted();
    ask(new Request.Ping(), 1001);
    pass(3, new SchedulerPassResult(2, 0, 2, 1, 7));
    pass(4, new SchedulerPassResult(9, 5, 2, 2, 10));
    Instant passed = now;
    now = now.plusSeconds(60);
    statistics.reset();
    StatisticsInfo told = told();
    assertEquals(now, told.since());
    assertEquals(0, told.jobs().submitted());
    assertEquals(1, told.jobs().pending());
    assertEquals(new StatisticsInfo.Main(0, 4000, 0, 0, 0, 10), told.main());
    assertEquals(
        new StatisticsInfo.Backfill(0, 0, 0, passed, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0),
        told.backfill());
    assertEquals(List.of(), told.types());
    assertEquals(List.of(), told.users());
  }

  @Test
  void passesAreAddedUp() {
    assertNull(told().backfill().when());
    pass(3, new SchedulerPassResult(2, 0, 2, 1, 7));
    pass(1, new SchedulerPassResult(4, 0, 4, 0, 6));
    pass(8, new SchedulerPassResult(9, 3, 1, 1, 10));
    pass(6, new SchedulerPassResult(7, 2, 0, 0, 8));
    assertEquals(new StatisticsInfo.Main(4, 6000, 8000, 18_000, 22, 8), told().main());
    assertEquals(
        new StatisticsInfo.Backfill(2, 2, 2, now, 6000, 8000, 14_000, 7, 2, 16, 6, 8, 18, 2, 5),
        told().backfill());
  }

  private void pass(long millis, SchedulerPassResult found) {
    statistics.planned(millis * MILLI, found);
  }

  private void ask(Request request, int uid) {
    try (RequestCounts.TimedCall _ = statistics.requests().begin(request, uid)) {
      assertEquals(RpcMessageType.waits(request) ? 0 : 1, told().load().answering());
    }
  }

  private static String line(StatisticsInfo.Calls calls) {
    return calls.name() + " " + calls.id() + " " + calls.count();
  }

  @Test
  void requestsCountByKindAndByUser() {
    ask(new Request.ShowStatistics(), 0);
    ask(new Request.ListJobs(List.of(), null, false), 1001);
    ask(new Request.ListJobs(List.of(7), null, false), 1001);
    ask(new Request.ListJobs(List.of(), "alice", false), 1002);
    ask(new Request.WaitJob(7), 1002);
    ask(new Request.Greeting("", "", null), 1003);
    statistics.requests().reported(RpcMessageType.MESSAGE_EPILOG_COMPLETE, System.nanoTime());
    assertEquals(
        List.of(
            "REQUEST_JOB_INFO 2003 1",
            "REQUEST_JOB_INFO_SINGLE 2021 2",
            "REQUEST_STATS_INFO 2035 1",
            "REQUEST_JOB_USER_INFO 2039 1",
            "MESSAGE_EPILOG_COMPLETE 6012 1"),
        told().types().stream().map(ControllerStatisticsTest::line).toList());
    assertEquals(
        List.of("u0 0 2", "u1001 1001 2", "u1002 1002 2"),
        told().users().stream().map(ControllerStatisticsTest::line).toList());
    assertEquals(new StatisticsInfo.Load(0, 3, 1), told().load());
  }

  @Test
  void nothingIsLostWhereManyAskAtOnce() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int uid = i % 3;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int n = 0; n < 10_000; n++) {
                  statistics.requests().begin(new Request.Ping(), uid).close();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals("REQUEST_PING 1008 80000", line(told().types().getFirst()));
    assertEquals(80_000, told().users().stream().mapToLong(StatisticsInfo.Calls::count).sum());
    assertEquals(0, told().load().answering());
  }
}
