package io.dure.controller.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How many answers are worked out at a time, and for whom. */
final class SingleFlightTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final SingleFlight<String, Integer> room =
      new SingleFlight<>(new SingleFlight.Rules(1, 4, 2, LONG));

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicInteger made = new AtomicInteger();

  private int slow() {
    begun.countDown();
    try {
      open.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return made.incrementAndGet();
  }

  @Test
  void whatIsBeingWorkedOutIsWaitedFor() throws Exception {
    List<Future<Integer>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      all.add(threads.submit(() -> room.answer("a", 1, this::slow)));
      begun.await();
      for (int i = 0; i < 1000; i++) {
        int uid = i;
        all.add(threads.submit(() -> room.answer("a", uid, made::decrementAndGet)));
      }
      while (room.sharersOf("a") < 1000) {
        Thread.onSpinWait();
      }
      open.countDown();
    }
    for (Future<Integer> one : all) {
      assertEquals(1, one.get());
    }
  }

  @Test
  void oneUserHasNoMoreThanHisPlaces() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> _ = threads.submit(() -> room.answer("a", 1, this::slow));
      begun.await();
      CountDownLatch waiting = new CountDownLatch(1);
      Future<Integer> second =
          threads.submit(() -> {
            waiting.countDown();
            return room.answer("b", 1, made::incrementAndGet);
          });
      waiting.await();
      awaitNoPlace(1);
      assertNull(room.answer("c", 1, made::incrementAndGet));
      Future<Integer> other = threads.submit(() -> room.answer("d", 2, made::incrementAndGet));
      open.countDown();
      assertEquals(5, second.get() + other.get());
    }
  }

  /** Until that user's places are taken nothing may be asked: this asks what is being made. */
  private void awaitNoPlace(int uid) {
    while (room.placesOf(uid) < 2) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatFailsKeepsNoPlace() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThrows(
          IllegalStateException.class,
          () ->
              room.answer(
                  "a",
                  1,
                  () -> {
                    throw new IllegalStateException("bug");
                  }));
    }
    assertEquals(1, room.answer("a", 1, made::incrementAndGet));
    assertEquals(0, room.placesOf(1));
  }

  @Test
  void whoGetsNoTurnIsToldSo() throws Exception {
    SingleFlight<String, Integer> hasty =
        new SingleFlight<>(new SingleFlight.Rules(1, 4, 2, Duration.ofMillis(20)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> _ = threads.submit(() -> hasty.answer("a", 1, this::slow));
      begun.await();
      assertNull(hasty.answer("b", 2, made::incrementAndGet));
      assertNull(hasty.answer("a", 2, made::incrementAndGet));
      open.countDown();
    }
    assertEquals(0, hasty.placesOf(2));
  }
}
