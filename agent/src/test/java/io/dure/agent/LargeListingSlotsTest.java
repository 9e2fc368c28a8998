package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class LargeListingSlotsTest {
  private final LargeListingSlots turns = new LargeListingSlots(1);

  private static Thread taking(LargeListingSlots.Turn turn, CountDownLatch taken) {
    return Thread.ofPlatform()
        .start(() -> {
          turn.take();
          taken.countDown();
        });
  }

  @Test
  void oneAtATime() throws InterruptedException {
    LargeListingSlots.Turn first = turns.turn();
    first.take();
    CountDownLatch taken = new CountDownLatch(1);
    Thread second = taking(turns.turn(), taken);
    while (second.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertFalse(taken.await(0, TimeUnit.SECONDS));
    first.leave();
    assertTrue(taken.await(60, TimeUnit.SECONDS), "while the first writes");
    second.join();
  }

  @Test
  void whoIsInterruptedLeavesNoGap() throws InterruptedException {
    LargeListingSlots.Turn first = turns.turn();
    first.take();
    Thread.currentThread().interrupt();
    assertThrows(CallerDisconnectedException.class, turns.turn()::take);
    assertTrue(Thread.interrupted());
    first.end();
    CountDownLatch taken = new CountDownLatch(1);
    taking(turns.turn(), taken).join();
    assertTrue(taken.await(60, TimeUnit.SECONDS));
  }
}
