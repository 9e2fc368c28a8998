package io.dure.foresight;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.dure.controller.loop.Foresight;
import io.dure.controller.view.JobView;
import io.dure.controller.view.ShownPriorities;
import io.dure.controller.view.Verdicts;
import io.dure.core.collection.IntMap;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.records.Foretold;
import io.dure.core.forecast.Forecast;
import io.dure.core.forecast.Spread;
import io.dure.core.scheduler.Verdict;
import io.dure.host.log.Log;
import io.dure.protocol.JobInfo;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread that keeps forecasts, and what listings make of them. */
class ForesightTest {
  private static final Await SOON = Await.seconds(60);
  private static final Instant START = TestCluster.START;

  private final AtomicReference<ClusterState> state = new AtomicReference<>();
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final List<Command.NoteForecasts> notes = new CopyOnWriteArrayList<>();
  private final Teller teller = new Teller();
  private final Foresight foresight =
      new Foresight(state::get, teller, notes::add, now::get, Log.silent());

  @AfterEach
  void end() {
    foresight.close();
  }

  /** Says of each job that it starts so many seconds after it was asked. */
  private static final class Teller implements Foresight.Seer {
    final AtomicInteger rounds = new AtomicInteger();
    volatile long seconds = 600;
    private Instant asked = Instant.EPOCH;
    private int steps;

    @Override
    public void begin(ClusterState state, Instant at) {
      asked = at;
      steps = 0;
    }

    @Override
    public boolean step() {
      if (++steps < 3) {
        return true;
      }
      rounds.incrementAndGet();
      return false;
    }

    @Override
    public @Nullable Forecast of(int jobId) {
      return forecast(asked, seconds);
    }
  }

  private static Forecast forecast(Instant made, long seconds) {
    return new Forecast(
        made,
        made.plusSeconds(seconds / 2),
        made.plusSeconds(seconds),
        made.plusSeconds(seconds * 2),
        null,
        new Spread(seconds / 2, seconds, seconds * 2));
  }

  /** Two jobs that wait behind one that runs. */
  private TestCluster queue() {
    TestCluster cluster = ClusterBuilder.of(1).start();
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
    SOON.until("another look", () -> teller.rounds.get() >= from + count);
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
    Forecast first = foresight.newest().get(2);
    teller.seconds = 605;
    publish(cluster);
    awaitRounds(2);
    assertSame(first, foresight.newest().get(2));
    teller.seconds = 1200;
    publish(cluster);
    SOON.until("it is another", () -> !Objects.equals(foresight.newest().get(2), first));
  }

  @Test
  void whatWasFirstToldIsRememberedOnceAJobHasWaited() {
    TestCluster cluster = queue();
    foresight.start();
    SOON.until("both are told of", () -> foresight.newest().size() == 2);
    Instant made = Objects.requireNonNull(foresight.newest().get(2)).made();
    assertEquals(List.of(), notes);
    teller.seconds = 4000;
    cluster.seconds(90);
    publish(cluster);
    SOON.until("it is remembered", () -> !notes.isEmpty());
    List<Foretold> told = notes.getFirst().forecasts();
    assertEquals(2, told.size());
    assertEquals(made, told.getFirst().forecast().made());
    assertEquals(made.plusSeconds(600), told.getFirst().forecast().p50());
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
    Foresight.Seer broken =
        new Foresight.Seer() {
          @Override
          public void begin(ClusterState of, Instant at) {
            asked.incrementAndGet();
            throw new IllegalStateException("planted");
          }

          @Override
          public boolean step() {
            return false;
          }

          @Override
          public @Nullable Forecast of(int jobId) {
            return null;
          }
        };
    queue();
    try (Foresight other = new Foresight(state::get, broken, notes::add, now::get, Log.silent())) {
      other.start();
      SOON.until("it was asked", () -> asked.get() > 0);
      assertEquals(0, other.newest().size());
    }
  }

  private static JobInfo shown(TestCluster cluster, @Nullable Instant planned, long foretold) {
    Verdicts verdicts =
        new Verdicts(
            IntMap.<Verdict>empty().with(2, new Verdict("Resources", planned, List.of())),
            cluster.now(),
            IntMap.<Forecast>empty().with(2, forecast(cluster.now(), foretold)));
    ClusterState state = cluster.state();
    return JobView.info(
        state,
        verdicts,
        ShownPriorities.of(state, cluster.now()),
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
