package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.cluster.ClusterState;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests that wait for a state, and the thread that publishes states. */
@Tag("pure")
class StateWaitersTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Await SOON = Await.seconds(60);

  private static final ClusterState FIRST = state("first");
  private static final ClusterState SECOND = state("second");

  private final StateWaiters waiters = new StateWaiters();

  private static ClusterState state(String cluster) {
    ClusterConfig config =
        SlurmConfParser.parseAlone("/slurm.conf", "SlurmctldHost=vm\nClusterName=" + cluster + "\n")
            .config();
    return ClusterState.initial(config);
  }

  private static @Nullable String nameOfSecond(ClusterState state) {
    return state == SECOND ? state.config().settings().controller().clusterName() : null;
  }

  private <T> CompletableFuture<@Nullable T> ask(Function<ClusterState, @Nullable T> question) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return waiters.await(question, () -> FIRST, LONG);
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        },
        Thread::startVirtualThread);
  }

  @Test
  void aWaiterHasTheFirstStateThatAnswers() {
    CompletableFuture<@Nullable String> answer = ask(StateWaitersTest::nameOfSecond);
    SOON.until("it waits", () -> waiters.count() == 1);
    waiters.published(FIRST);
    assertEquals(1, waiters.count());
    waiters.published(SECOND);
    assertEquals("second", answer.join());
    SOON.until("it waits no more", () -> waiters.count() == 0);
  }

  @Test
  void aQuestionThatThrowsFailsItsCallerAlone() {
    CompletableFuture<@Nullable String> broken =
        ask(state -> {
          if (state == SECOND) {
            throw new ArithmeticException("/ by zero");
          }
          return null;
        });
    CompletableFuture<@Nullable String> whole = ask(StateWaitersTest::nameOfSecond);
    SOON.until("both wait", () -> waiters.count() == 2);
    waiters.published(SECOND); // and does not throw
    assertEquals("second", whole.join());
    Throwable told =
        assertInstanceOf(
            IllegalStateException.class,
            broken.handle((answer, thrown) -> thrown).join().getCause());
    assertEquals(
        "a request that waits has failed: java.lang.ArithmeticException: / by zero",
        told.getMessage());
  }

  @Test
  void aQuestionThatThrowsAtOnceFailsItsCallerToo() {
    CompletableFuture<@Nullable String> broken =
        ask(state -> {
          throw new ArithmeticException("at once");
        });
    assertInstanceOf(
        IllegalStateException.class, broken.handle((answer, thrown) -> thrown).join().getCause());
    assertEquals(0, waiters.count());
  }

  @Test
  void thoseThatWaitAtTheEndHaveNoAnswer() throws Exception {
    CompletableFuture<@Nullable String> answer = ask(StateWaitersTest::nameOfSecond);
    SOON.until("it waits", () -> waiters.count() == 1);
    waiters.close();
    assertNull(answer.join());
    assertNull(waiters.await(StateWaitersTest::nameOfSecond, () -> FIRST, LONG), "nor later ones");
  }

  @Test
  void aWaitHasAnEnd() throws Exception {
    assertNull(waiters.await(StateWaitersTest::nameOfSecond, () -> FIRST, Duration.ofMillis(1)));
    assertEquals(0, waiters.count());
  }
}
