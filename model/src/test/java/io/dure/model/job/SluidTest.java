package io.dure.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SluidTest {
  private static final Instant AT = Instant.parse("2026-11-20T16:00:48.123Z");

  @Test
  void itSortsBySubmissionAndThenByNumber() {
    String first = Sluid.of(AT, 7);
    assertEquals(14, first.length());
    assertTrue(first.startsWith("s"), first);
    assertTrue(first.matches("s[0-9A-HJKMNP-TV-Z]{13}"), first);
    assertTrue(first.compareTo(Sluid.of(AT, 8)) < 0);
    assertTrue(first.compareTo(Sluid.of(AT.plusMillis(1), 1)) < 0);
    assertEquals(first, Sluid.of(AT, 7));
    assertNotEquals(first, Sluid.of(AT, 9));
  }
}
