package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class MemoryTest {
  private final Memory memory = new Memory(100, 40);

  @Test
  void aUserHasHisShareAndNoMore() {
    assertTrue(memory.take(1, 30));
    assertFalse(memory.take(1, 11));
    assertTrue(memory.take(1, 10));
    assertTrue(memory.take(2, 40), "others have theirs");
    assertFalse(memory.take(3, 21), "there is no more");
    memory.giveBack(1, 40);
    assertTrue(memory.take(3, 40));
  }

  @Test
  void whatCannotBeIsNotWaitedFor() {
    assertFalse(memory.await(1, 41, Duration.ofDays(1)));
  }

  @Test
  void whoWaitsGetsWhatIsGivenBack() throws InterruptedException {
    assertTrue(memory.take(1, 40));
    boolean[] got = new boolean[1];
    Thread waiting =
        Thread.ofPlatform().start(() -> got[0] = memory.await(1, 40, Duration.ofSeconds(60)));
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    memory.giveBack(1, 40);
    waiting.join();
    assertTrue(got[0]);
  }

  @Test
  void aCallOfManyShortWordsCountsForWhatItBecomes() {
    assertEquals(0, Budget.ofCall(5_000, 100), "usual");
    assertTrue(Budget.ofCall(1 << 20, 1 << 20) > 100L << 20);
    Budget budget = Budget.of(512L << 20);
    assertTrue(budget.calls().take(1, Budget.ofCall(700_000, 100_000)), "many jobs to cancel");
    assertFalse(budget.calls().take(2, Budget.ofCall(1 << 20, 1 << 20)));
  }

  @Test
  void theLongestScriptHasRoomInASmallHeap() {
    Budget budget = Budget.of(64L << 20);
    assertTrue(budget.input().take(1, Budget.ofInput(Budget.MOST_INPUT)));
  }
}
