package io.dure.insight.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A work is spread over its time, unless it is little, late, or more than it was. */
@Tag("pure")
class CpuPacerTest {
  private static final long STEP = Duration.ofMillis(7).toNanos();
  private static final double LENGTH = CpuPacer.LENGTH.toSeconds();
  private static final int SHARE = 25;

  private long clock;
  private long worked;
  private final CpuPacer work = new CpuPacer(() -> clock, () -> worked);

  /** Seconds that it takes, where a step of that length is over after so many nanoseconds. */
  private double takes(double seconds, int share, LongUnaryOperator step) {
    long before = clock;
    long until = worked + (long) (seconds * 1e9);
    work.begin(share);
    while (worked < until) {
      worked += STEP;
      clock += step.applyAsLong(clock);
      clock += work.pause();
    }
    assertEquals(seconds, work.end().toNanos() / 1e9, 0.01, "work");
    return (clock - before) / 1e9;
  }

  private double takes(double seconds) {
    return takes(seconds, SHARE, _ -> STEP);
  }

  @Test
  void whatNobodyKnowsAndWhatIsLittleIsDoneAtOnce() {
    assertEquals(12, takes(12), 0.1, "the first");
    assertEquals(1, takes(0.5), 0.1, "after a long one");
    assertEquals(0.5, takes(0.5), 0.01, "after a short one");
  }

  @Test
  void aLongWorkIsSpread() {
    takes(12);
    assertEquals(LENGTH, takes(12), 0.6, "but for the last rest");
    assertEquals(12, takes(12, 100, _ -> STEP), 0.1, "a whole processor may be taken");
    takes(6);
    assertEquals(12, takes(6, 50, _ -> STEP), 0.6, "no slower than its share");
  }

  @Test
  void whatIsMoreThanItWasGetsAllThereIs() {
    takes(2);
    double first = 4 * 1.1 * 2;
    assertEquals(first + 13 - 1.1 * 2, takes(13), 0.6);
    takes(26);
    assertEquals(30, takes(30), 0.1, "a processor is not enough");
  }

  @Test
  void whatOthersTakeIsMadeUpFor() {
    takes(12);
    assertEquals(LENGTH, takes(12, SHARE, _ -> 2 * STEP), 0.6, "they take half");
    assertEquals(72, takes(12, SHARE, _ -> 6 * STEP), 0.1, "they take nearly all");
  }

  @Test
  void whoStoodStillForSecondsDoesNotMakeUpForIt() {
    takes(12);
    long second = Duration.ofSeconds(1).toNanos();
    double took = takes(12, SHARE, at -> at / second % 2 == 0 ? STEP + second - at % second : STEP);
    assertTrue(took > 1.6 * LENGTH, took + " s");
    assertTrue(took < 2 * LENGTH, took + " s");
  }
}
