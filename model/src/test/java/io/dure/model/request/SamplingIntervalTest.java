package io.dure.model.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SamplingIntervalTest {
  @Test
  void tasksAreNamedOrStandAlone() {
    assertEquals(5, SamplingInterval.ofTasks("5"));
    assertEquals(7, SamplingInterval.ofTasks("energy=60,TASK=7"));
    assertEquals(5, SamplingInterval.ofTasks("5x"));
    assertEquals(0, SamplingInterval.ofTasks("0"));
    assertNull(SamplingInterval.ofTasks("energy=60"));
    assertNull(SamplingInterval.ofTasks(null));
    assertEquals(-5, SamplingInterval.number("-5"));
    assertNull(SamplingInterval.number("x"));
  }

  @Test
  void memoryThatIsLimitedIsLookedAtAsOftenAsTheSiteWants() {
    assertTrue(SamplingInterval.mayHave(30, 30, true));
    assertFalse(SamplingInterval.mayHave(31, 30, true));
    assertFalse(SamplingInterval.mayHave(0, 30, true));
    assertFalse(SamplingInterval.mayHave(-1, 30, true));
    assertTrue(SamplingInterval.mayHave(31, 30, false));
    assertTrue(SamplingInterval.mayHave(31, 0, true));
    assertTrue(SamplingInterval.mayHave(null, 30, true));
  }
}
