package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class MemoryBudgetTest {
  @Test
  void aCallOfManyShortWordsCountsForWhatItBecomes() {
    assertEquals(0, MemoryBudget.ofCall(5_000, 100), "usual");
    assertTrue(MemoryBudget.ofCall(1 << 20, 1 << 20) > 100L << 20);
    MemoryBudget budget = MemoryBudget.of(512L << 20);
    assertTrue(
        budget.calls().tryAcquire(1, MemoryBudget.ofCall(700_000, 100_000)), "many jobs to cancel");
    assertFalse(budget.calls().tryAcquire(2, MemoryBudget.ofCall(1 << 20, 1 << 20)));
  }

  @Test
  void theLongestScriptHasRoomInASmallHeap() {
    MemoryBudget budget = MemoryBudget.of(64L << 20);
    assertTrue(budget.input().tryAcquire(1, MemoryBudget.ofInput(MemoryBudget.MOST_INPUT)));
  }
}
