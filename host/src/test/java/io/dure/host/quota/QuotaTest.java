package io.dure.host.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No holder takes all. */
@Tag("process")
final class QuotaTest {
  private final Quota<Integer> connections = new Quota<>(4, 2, Set.of(0));
  private final Quota<Integer> memory = new Quota<>(100, 40);

  @Test
  void oneHolderHasItsShare() {
    assertTrue(connections.tryAcquire(1, 1));
    assertTrue(connections.tryAcquire(1, 1));
    assertFalse(connections.tryAcquire(1, 1));
    assertTrue(connections.tryAcquire(2, 1));
    connections.release(1, 1);
    assertTrue(connections.tryAcquire(1, 1));
    assertFalse(connections.tryAcquire(1, 1));
    assertEquals(2, connections.held(1));
  }

  @Test
  void exemptHoldersAreNeverRefused() {
    for (int user : new int[] {1, 1, 2, 2}) {
      assertTrue(connections.tryAcquire(user, 1));
    }
    assertFalse(connections.tryAcquire(3, 1));
    assertTrue(connections.tryAcquire(0, 1));
    connections.release(0, 1);
    assertFalse(connections.tryAcquire(3, 1));
    connections.release(1, 1);
    assertTrue(connections.tryAcquire(3, 1));
  }

  @Test
  void theShareMayBeLessThanHalf() {
    Quota<Integer> few = new Quota<>(8, 1);
    assertTrue(few.tryAcquire(1, 1));
    assertFalse(few.tryAcquire(1, 1));
    assertTrue(few.tryAcquire(2, 1));
  }

  @Test
  void amountsAreCountedForEachAndInAll() {
    assertTrue(memory.tryAcquire(1, 30));
    assertFalse(memory.tryAcquire(1, 11));
    assertTrue(memory.tryAcquire(1, 10));
    assertTrue(memory.tryAcquire(2, 40), "others have theirs");
    assertFalse(memory.tryAcquire(3, 21), "there is no more");
    memory.release(1, 40);
    assertEquals(0, memory.held(1));
    assertTrue(memory.tryAcquire(3, 40));
  }

  @Test
  void anImpossibleAmountIsNotWaitedFor() throws InterruptedException {
    assertFalse(memory.acquire(1, 41, Duration.ofDays(1)));
  }

  @Test
  void waitingEndsWhenItIsGivenBack() throws InterruptedException {
    assertTrue(memory.tryAcquire(1, 40));
    awaitGrant(1, () -> memory.release(1, 40));
    assertEquals(40, memory.held(1));
  }

  @Test
  void waitingForOthersEndsLikewise() throws InterruptedException {
    for (int holder : new int[] {1, 2}) {
      assertTrue(memory.tryAcquire(holder, 40));
    }
    awaitGrant(3, () -> memory.release(2, 40));
    assertEquals(40, memory.held(3));
  }

  @Test
  void waitingInVainLeavesNothingHeld() throws InterruptedException {
    for (int holder : new int[] {1, 2}) {
      assertTrue(memory.tryAcquire(holder, 40));
    }
    assertFalse(memory.acquire(3, 40, Duration.ofMillis(1)));
    assertFalse(memory.acquire(1, 1, Duration.ofMillis(1)));
    assertEquals(0, memory.held(3));
    assertEquals(40, memory.held(1));
    assertTrue(memory.tryAcquire(3, 20));
  }

  private void awaitGrant(int holder, Runnable release) throws InterruptedException {
    boolean[] granted = new boolean[1];
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                granted[0] = memory.acquire(holder, 40, Duration.ofSeconds(60));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    release.run();
    waiting.join();
    assertTrue(granted[0]);
  }
}
