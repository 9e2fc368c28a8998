package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.controller.accounting.RecordSeeker.Given;
import io.dure.controller.accounting.RecordSeeker.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which answer is good enough. */
@Tag("pure")
class RecordSeekerTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final Duration AGAIN = Duration.ofSeconds(2);
  private static final Given PART = new Given(10, 15, 20, List.of());
  private static final Given WHOLE = new Given(10, 10, 20, List.of());

  private final List<String> asked = new ArrayList<>();
  private final RecordSeeker seeker =
      new RecordSeeker((host, _) -> asked.add(host), List.of("b", "c"), new Patience(4, 6));

  private Instant asks(Instant from, int times) {
    Instant now = from;
    for (int i = 0; i < times; i++) {
      seeker.ask(10, now);
      now = now.plus(AGAIN);
    }
    return now;
  }

  @Test
  void asksTheOthersInTurn() {
    seeker.begin();
    var _ = asks(NOW, 4);
    assertEquals(List.of("b", "c", "b", "c"), asked);
  }

  @Test
  void leavesSomeOutOnlyOnceEachWasAskedOften() {
    seeker.begin();
    Instant now = asks(NOW, 3);
    assertFalse(seeker.takes(PART, 10));
    var _ = asks(now, 1);
    assertTrue(seeker.takes(PART, 10));
  }

  @Test
  void aClockThatIsSetForwardCostsNoPatience() {
    seeker.begin();
    seeker.ask(10, NOW);
    Instant later = NOW.plus(Duration.ofDays(1));
    seeker.ask(10, later);
    seeker.ask(10, later);
    assertFalse(seeker.takes(PART, 10));
    assertFalse(seeker.isHopeless());
    assertTrue(seeker.takes(WHOLE, 10));
  }

  @Test
  void whatBringsItFurtherGivesNewPatience() {
    seeker.begin();
    Instant now = asks(NOW, 5);
    assertTrue(seeker.takes(WHOLE, 10));
    now = asks(now, 3);
    assertFalse(seeker.takes(PART, 10));
    assertFalse(seeker.isHopeless());
    var _ = asks(now, 3);
    assertTrue(seeker.isHopeless());
  }
}
