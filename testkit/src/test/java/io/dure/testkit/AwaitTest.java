package io.dure.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class AwaitTest {
  private static final Await SHORT = Await.atMost(Duration.ofMillis(20));

  @Test
  void looksAgainUntilTheConditionHolds() {
    AtomicInteger looks = new AtomicInteger();
    Await.seconds(10).until("three looks", () -> looks.incrementAndGet() == 3);
    assertEquals(3, looks.get());
  }

  @Test
  void givesTheValueThatWasAccepted() {
    AtomicInteger looks = new AtomicInteger();
    int value = Await.seconds(10).value("more than two", looks::incrementAndGet, seen -> seen > 2);
    assertEquals(3, value);
  }

  @Test
  void failuresAreNotYet() {
    AtomicInteger looks = new AtomicInteger();
    Await.seconds(10)
        .passes(
            "the second look",
            () -> {
              if (looks.incrementAndGet() < 2) {
                throw new AssertionError("too early");
              }
            });
    assertEquals(2, looks.get());
  }

  @Test
  void saysWhatItWaitedForAndWhatItSaw() {
    AssertionError error =
        assertThrows(AssertionError.class, () -> SHORT.value("job 7", () -> "PENDING", _ -> false));
    assertTrue(
        error.getMessage().startsWith("waited for: job 7; gave up after "), error.getMessage());
    assertTrue(error.getMessage().endsWith(" ms; last seen: PENDING"), error.getMessage());
  }

  @Test
  void keepsTheLastFailureAsTheCause() {
    AssertionError error =
        assertThrows(
            AssertionError.class,
            () ->
                SHORT.until(
                    "a file",
                    () -> {
                      throw new java.io.IOException("no such file");
                    }));
    assertInstanceOf(java.io.IOException.class, error.getCause());
    assertTrue(error.getMessage().contains("no such file"), error.getMessage());
  }

  @Test
  void looksOnceEvenWithoutTime() {
    Await.atMost(Duration.ZERO).until("now", () -> true);
    assertThrows(IllegalArgumentException.class, () -> Await.atMost(Duration.ofMillis(-1)));
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    Thread.currentThread().interrupt();
    try {
      AssertionError error =
          assertThrows(AssertionError.class, () -> Await.seconds(60).until("never", () -> false));
      assertNotNull(error.getMessage());
      assertTrue(
          error.getMessage().startsWith("interrupted while waiting for: never"),
          error.getMessage());
    } finally {
      assertTrue(Thread.interrupted());
    }
  }
}
