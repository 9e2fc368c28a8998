package io.dure.insight.worker;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.controller.view.JobView;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.collection.IntMap;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.PendingVerdict;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import io.dure.protocol.JobInfo;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** The thread that keeps forecasts, and what listings make of them. */
@Tag("process")
class ForecastLoopTest {
  private static final Await SOON = Await.seconds(60);
  private static final Instant START = TestCluster.START;

  private final AtomicReference<ClusterState> state = new AtomicReference<>();
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final List<Command.NoteForecasts> notes = new CopyOnWriteArrayList<>();
  private final Teller teller = new Teller();
  private final ForecastLoop foresight =
      new ForecastLoop(state::get, teller, notes::add, now::get, NOPLogger.NOP_LOGGER);

  @AfterEach
  void end() {
    foresight.close();
  }

  /** Says of each job that it starts so many seconds after it was asked. */
  private static final class Teller implements ForecastSource {
    final AtomicInteger rounds = new AtomicInteger();
    volatile long seconds = 600;
    volatile Runnable meanwhile = () -> {};

    @Override
    public ForecastSource.Result forecast(ClusterState state, Instant at) {
      Map<Integer, JobStartForecast> starts = new TreeMap<>();
      state
          .pending()
          .keys()
          .forEach(job -> starts.put(job, ForecastLoopTest.forecast(at, seconds)));
      meanwhile.run();
      rounds.incrementAndGet();
      return new ForecastSource.Result(starts, Duration.ZERO);
    }
  }

  private static JobStartForecast forecast(Instant made, long seconds) {
    return new JobStartForecast(
        made,
        made.plusSeconds(seconds / 2),
        made.plusSeconds(seconds),
        made.plusSeconds(seconds * 2),
        null,
        new WaitQuantiles(seconds / 2, seconds, seconds * 2));
  }

  /** One node; rounds follow each other as fast as one CPU allows. */
  private static TestCluster unpaced() {
    return ClusterBuilder.of(1).set("SchedulerParameters", "dure_forecast=100").start();
  }

  /** Two jobs that wait behind one that runs. */
  private TestCluster queue() {
    TestCluster cluster = unpaced();
    cluster.submit(ALICE, job().exclusive().time(600).runs(30_000));
    cluster.seconds(5);
    cluster.submit(ALICE, job().exclusive().time(60));
    cluster.submit(ALICE, job().exclusive().time(60));
    cluster.seconds(5);
    publish(cluster);
    return cluster;
  }

  private void publish(TestCluster cluster) {
    state.set(cluster.state());
    now.set(cluster.now());
    foresight.wake();
  }

  private void awaitRounds(int count) {
    int from = teller.rounds.get();
    SOON.until(
        "another look",
        () -> {
          foresight.wake();
          return teller.rounds.get() >= from + count;
        });
  }

  @Test
  void eachThatWaitsIsToldOf() {
    TestCluster cluster = queue();
    foresight.start();
    SOON.until("both are told of", () -> foresight.newest().size() == 2);
    assertEquals(cluster.state().pending().keys(), foresight.newest().keys());
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(2, null), null, false, false));
    publish(cluster);
    SOON.until("one is gone", () -> foresight.newest().size() == 1);
  }

  @Test
  void whatIsAboutTheSameIsTheSame() {
    TestCluster cluster = queue();
    foresight.start();
    SOON.until("both are told of", () -> foresight.newest().size() == 2);
    JobStartForecast first = foresight.newest().get(2);
    teller.seconds = 605;
    publish(cluster);
    awaitRounds(2);
    assertSame(first, foresight.newest().get(2));
    teller.seconds = 1200;
    publish(cluster);
    SOON.until("it is another", () -> !Objects.equals(foresight.newest().get(2), first));
  }

  @Test
  void whatIsFirstToldIsRememberedAtOnce() {
    TestCluster cluster = queue();
    final Instant made = cluster.now();
    foresight.start();
    SOON.until("it is remembered", () -> !notes.isEmpty());
    List<FirstForecast> told = notes.getFirst().forecasts();
    assertEquals(List.of(2, 3), told.stream().map(FirstForecast::jobId).toList());
    assertEquals(made.plusSeconds(600), told.getFirst().forecast().p50());
    teller.seconds = 4000;
    publish(cluster);
    awaitRounds(1);
    assertEquals(1, notes.size(), "the first word counts");
  }

  @Test
  void whoWaitedBeforeAnythingWasToldOfHimTeachesNothing() {
    TestCluster cluster = queue();
    cluster.minutes(20);
    cluster.submit(ALICE, job().exclusive().time(60));
    cluster.seconds(5);
    publish(cluster);
    foresight.start();
    SOON.until("it is remembered", () -> !notes.isEmpty());
    List<FirstForecast> told = notes.getFirst().forecasts();
    assertEquals(List.of(4), told.stream().map(FirstForecast::jobId).toList());
    assertEquals(3, foresight.newest().size());
  }

  /** A clock that goes forth by a year and back: what is said in between is about nothing. */
  @Test
  void aClockThatLeapsEndsWhatIsToldForAMomentOnly() {
    TestCluster cluster = queue();
    foresight.start();
    SOON.until("both are told of", () -> foresight.newest().size() == 2);
    teller.meanwhile = () -> now.set(cluster.now().plus(Duration.ofDays(365)));
    foresight.wake();
    SOON.until("nothing is told", () -> foresight.newest().isEmpty());
    teller.meanwhile = () -> now.set(cluster.now());
    SOON.until(
        "they are told of again",
        () -> {
          foresight.wake();
          JobStartForecast again = foresight.newest().get(2);
          return again != null && again.made().equals(cluster.now());
        });
  }

  @Test
  void whoIsHeldIsForetoldOnceHeIsReleased() {
    TestCluster cluster = unpaced();
    cluster.submit(ALICE, job().exclusive().time(600).runs(30_000));
    cluster.seconds(5);
    int held = cluster.submit(ALICE, job().exclusive().time(60).held());
    publish(cluster);
    try (ForecastLoop real =
        new ForecastLoop(
            state::get, new PacedForecaster(), notes::add, now::get, NOPLogger.NOP_LOGGER)) {
      real.start();
      int behind = cluster.submit(ALICE, job().exclusive().time(60));
      publish(cluster);
      real.wake();
      SOON.until("the other is told of", () -> real.newest().contains(behind));
      assertFalse(real.newest().contains(held));
      cluster.ask(ALICE, new Command.ReleaseJob(new JobSelector(held, null)));
      cluster.seconds(5);
      publish(cluster);
      SOON.until(
          "it is told of",
          () -> {
            real.wake();
            return real.newest().contains(held);
          });
    }
  }

  /** Nobody has run anything: the limits are all there is. */
  @Test
  void aFirstJobOfAnEmptyHistoryIsForetoldByLimits() {
    TestCluster cluster = queue();
    try (ForecastLoop real =
        new ForecastLoop(
            state::get, new PacedForecaster(), notes::add, now::get, NOPLogger.NOP_LOGGER)) {
      real.start();
      SOON.until("both are told of", () -> real.newest().size() == 2);
      JobStartForecast first = Objects.requireNonNull(real.newest().get(2));
      assertEquals(first.byLimits(), first.p50());
      int stranger = cluster.submit(TestCluster.BOB, job().exclusive().time(60));
      cluster.seconds(2);
      publish(cluster);
      SOON.until(
          "a stranger's is as well",
          () -> {
            real.wake();
            return real.newest().contains(stranger);
          });
      assertTrue(Objects.requireNonNull(real.newest().get(stranger)).p50().isAfter(first.p50()));
    }
  }

  @Test
  void whoEndsItWaitsForNoLook() {
    queue();
    AtomicBoolean asked = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    ForecastSource slow =
        new ForecastSource() {
          @Override
          public ForecastSource.Result forecast(ClusterState of, Instant at)
              throws InterruptedException {
            try {
              asked.set(true);
              new CountDownLatch(1).await();
              throw new IllegalStateException("nobody counts");
            } finally {
              ended.set(true);
            }
          }
        };
    ForecastLoop other =
        new ForecastLoop(state::get, slow, notes::add, now::get, NOPLogger.NOP_LOGGER);
    other.start();
    SOON.until("it looks", asked::get);
    other.close();
    SOON.until("the look is over", ended::get);
  }

  @Test
  void whereNothingWaitsNobodyLooks() {
    publish(ClusterBuilder.of(1).start());
    foresight.start();
    publish(ClusterBuilder.of(1).start());
    assertEquals(0, foresight.newest().size());
    foresight.close();
    assertEquals(0, teller.rounds.get());
  }

  @Test
  void whereNoneAreWantedNoneAreMade() {
    TestCluster cluster =
        ClusterBuilder.of(1).set("SchedulerParameters", "dure_forecast=0").start();
    cluster.submit(ALICE, job().nodes(1).held());
    publish(cluster);
    foresight.start();
    foresight.close();
    assertEquals(0, teller.rounds.get());
  }

  @Test
  void aBugInAForecastEndsNothing() {
    AtomicInteger asked = new AtomicInteger();
    ForecastSource broken =
        new ForecastSource() {
          @Override
          public ForecastSource.Result forecast(ClusterState of, Instant at) {
            asked.incrementAndGet();
            throw new IllegalStateException("planted");
          }
        };
    queue();
    try (ForecastLoop other =
        new ForecastLoop(state::get, broken, notes::add, now::get, NOPLogger.NOP_LOGGER)) {
      other.start();
      SOON.until("it was asked", () -> asked.get() > 0);
      assertEquals(0, other.newest().size());
    }
  }

  private static JobInfo shown(TestCluster cluster, @Nullable Instant planned, long foretold) {
    PendingVerdicts verdicts =
        new PendingVerdicts(
            IntMap.<PendingVerdict>empty()
                .with(2, new PendingVerdict("Resources", planned, List.of())),
            cluster.now(),
            IntMap.<JobStartForecast>empty().with(2, forecast(cluster.now(), foretold)));
    ClusterState state = cluster.state();
    return JobView.info(
        state,
        verdicts,
        DisplayedPriorities.of(state, cluster.now()),
        cluster.job(2),
        new ArrayList<>());
  }

  @Test
  void theExpectedStartIsTheMiddleOfTheForecast() {
    TestCluster cluster = queue();
    Instant limit = cluster.now().plusSeconds(36_000);
    assertEquals(cluster.now().plusSeconds(900), shown(cluster, limit, 900).expectedStart());
    assertEquals(cluster.now().plusSeconds(900), shown(cluster, null, 900).expectedStart());
    assertEquals(cluster.now(), shown(cluster, limit, -50).expectedStart(), "never in the past");
  }

  @Test
  void whatThePlanStartsNowStartsNow() {
    TestCluster cluster = queue();
    assertEquals(cluster.now(), shown(cluster, cluster.now(), 900).expectedStart());
  }

  @Test
  void nothingIsForetoldOfWhoeverIsHeld() {
    TestCluster cluster = queue();
    cluster.ask(ALICE, new Command.HoldJob(new JobSelector(2, null), true));
    JobInfo info = shown(cluster, null, 900);
    assertNull(info.forecast());
    assertNull(info.expectedStart());
  }
}
