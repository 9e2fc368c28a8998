package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory is given back after work, neither in the middle of it nor again and again. */
@Tag("pure")
class MemoryUpkeepTest {
  private static final long HEAP = 6L << 20;
  private static final long GROWN = HEAP + (3L << 20);

  private final MemoryUpkeep upkeep = new MemoryUpkeep();

  private static Instant at(double seconds) {
    return Instant.EPOCH.plusMillis((long) (seconds * 1000));
  }

  @Test
  void isDueOnceAfterWork() {
    assertNull(upkeep.due());
    assertFalse(upkeep.isDue(at(100), HEAP), "nothing was done");
    upkeep.worked(at(100));
    upkeep.worked(at(102));
    assertEquals(at(105), upkeep.due());
    assertFalse(upkeep.isDue(at(104.9), HEAP));
    assertTrue(upkeep.isDue(at(105), HEAP));
    assertNull(upkeep.due());
    assertFalse(upkeep.isDue(at(1000), HEAP), "nothing was done since");
  }

  @Test
  void isDueEachMinuteOfWorkWithoutAPause() {
    int times = 0;
    for (int second = 0; second < 600; second++) {
      upkeep.worked(at(second));
      times += upkeep.isDue(at(second), HEAP) ? 1 : 0;
    }
    assertEquals(9, times);
  }

  @Test
  void isDueWhereTheHeapHasGrownMuch() {
    upkeep.worked(at(0));
    assertFalse(upkeep.isDue(at(0), HEAP));
    assertFalse(upkeep.isDue(at(1), GROWN - 1));
    assertTrue(upkeep.isDue(at(1), GROWN));
    upkeep.worked(at(2));
    assertFalse(upkeep.isDue(at(2), GROWN), "what is left then is needed");
  }
}
