package io.dure.insight.worker;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.forecast.JobStartForecast;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** The process that sees forecasts says what the controller would, and dies alone. */
@Tag("process")
class ForecastWorkerProcessTest {
  /** It has what all others leave of a machine that may be busy. */
  private static final Await SOON = Await.seconds(900);

  private final ForecastWorkerProcess process =
      new ForecastWorkerProcess(
          ForecastWorkerProcess.command(ForecastWorkerMain.class.getName()), NOPLogger.NOP_LOGGER);

  @AfterEach
  void end() {
    process.close();
  }

  /** A past, one that runs, arrays, dependencies and one that is held; forecasts are not paced. */
  private static TestCluster queue() {
    TestCluster cluster =
        ClusterBuilder.of(2).set("SchedulerParameters", "dure_forecast=100").start();
    for (int i = 0; i < 10; i++) {
      cluster.submit(i % 2 == 0 ? ALICE : BOB, job().exclusive().time(120).runs(600 + 40L * i));
      cluster.minutes(9);
    }
    cluster.submit(ALICE, job().nodes(2).exclusive().time(600).runs(30_000));
    cluster.minutes(1);
    int first = cluster.submit(ALICE, job().exclusive().time(60));
    cluster.submit(BOB, job().nodes(2).exclusive().time(60).array("1-5%2"));
    cluster.submit(ALICE, job().time(60).dependency("afterany:" + first));
    cluster.submit(ALICE, job().time(60).held());
    cluster.submit(BOB, job().time(60).begin(cluster.now().plus(Duration.ofDays(2))));
    cluster.seconds(5);
    return cluster;
  }

  private Map<Integer, JobStartForecast> told(TestCluster cluster) {
    try {
      return process.forecast(cluster.state(), cluster.now()).starts();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static ProcessHandle child() {
    List<ProcessHandle> all =
        ProcessHandle.current()
            .children()
            .filter(one -> one.info().commandLine().orElse("").contains("ForecastWorkerMain"))
            .toList();
    assertEquals(1, all.size());
    return all.getFirst();
  }

  @Test
  void itSaysWhatTheControllerWould() throws InterruptedException {
    TestCluster cluster = queue();
    Map<Integer, JobStartForecast> here =
        new PacedForecaster().forecast(cluster.state(), cluster.now()).starts();
    assertTrue(here.size() >= 4, here.toString());
    assertEquals(here, told(cluster));
    cluster.minutes(30);
    assertEquals(
        new PacedForecaster().forecast(cluster.state(), cluster.now()).starts(), told(cluster));
  }

  @Test
  void whenItDiesAnotherBegins() {
    TestCluster cluster = queue();
    Map<Integer, JobStartForecast> before = told(cluster);
    ProcessHandle first = child();
    assertTrue(first.destroyForcibly());
    SOON.until("it is dead", () -> !first.isAlive());
    assertEquals(before, told(cluster));
    assertNotEquals(first.pid(), child().pid());
  }

  @Test
  void itEndsWithWhoeverAsks() {
    told(queue());
    ProcessHandle child = child();
    process.close();
    SOON.until("it ends", () -> !child.isAlive());
  }

  @Test
  void whatCannotBeStartedIsSaid() {
    TestCluster cluster = queue();
    try (ForecastWorkerProcess none =
        new ForecastWorkerProcess(List.of("/nonexistent"), NOPLogger.NOP_LOGGER)) {
      assertThrows(IOException.class, () -> none.forecast(cluster.state(), cluster.now()));
    }
    try (ForecastWorkerProcess mute =
        new ForecastWorkerProcess(List.of("/bin/true"), NOPLogger.NOP_LOGGER)) {
      assertThrows(IOException.class, () -> mute.forecast(cluster.state(), cluster.now()));
    }
  }

  /** A controller goes on without it, and has what it says again once it can be had. */
  @Test
  void aThreadOutlivesIt() {
    TestCluster cluster = queue();
    try (ForecastLoop foresight =
        new ForecastLoop(cluster::state, process, _ -> {}, cluster::now, NOPLogger.NOP_LOGGER)) {
      foresight.start();
      SOON.until("something is told", () -> !foresight.newest().isEmpty());
      child().destroyForcibly();
      int more = cluster.submit(ALICE, job().exclusive().time(60));
      SOON.until(
          "the next is told of as well",
          () -> {
            foresight.wake();
            return foresight.newest().contains(more);
          });
    }
  }
}
