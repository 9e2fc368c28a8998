package io.dure.node.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many processes a job may have. */
@Tag("pure")
class ProcessBoundTest {
  private final ProcessBound bound = new ProcessBound(100_000);

  @Test
  void jobsTogetherCannotTakeAll() {
    assertEquals(90_000, bound.of(null, 32, 32));
    assertEquals(45_000, bound.of(null, 16, 32));
    assertEquals(1_024, bound.of(null, 1, 128), "the least");
    assertEquals(90_000, bound.of(null, 64, 32), "no more than the node");
    assertEquals(90_000, bound.of(null, 0, 0));
  }

  @Test
  void theConfigurationDecides() {
    assertEquals(500, bound.of(500, 1, 2));
    assertNull(bound.of(Integer.MAX_VALUE, 1, 2));
    assertNull(new ProcessBound(Long.MAX_VALUE).of(null, 1, 2), "the kernel does not tell");
  }
}
