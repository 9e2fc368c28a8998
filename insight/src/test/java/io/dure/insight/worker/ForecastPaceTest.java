package io.dure.insight.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often forecasts are made anew. */
@Tag("pure")
class ForecastPaceTest {
  private static double pause(double work, int share) {
    return ForecastLoop.pause(Duration.ofMillis((long) (work * 1000)), share).toMillis() / 1000.0;
  }

  @Test
  void aShareOfAProcessorIsUsedButNoForecastIsOld() {
    assertEquals(2, pause(0.01, 25), "a short look");
    assertEquals(8, pause(2, 25), "a quarter of the time");
    assertEquals(20, pause(2, 10));
    assertEquals(30, pause(13, 25), "half of the time, or they would be a minute old");
    assertEquals(30, pause(60, 25), "one after the other");
    assertEquals(4, pause(4, 100));
  }

  private static long whileUnchanged(double work) {
    return ForecastLoop.whileUnchanged(Duration.ofMillis((long) (work * 1000))).toSeconds();
  }

  @Test
  void whereNothingChangesAFiftiethOfAProcessorIsUsed() {
    assertEquals(30, whileUnchanged(0.01));
    assertEquals(50, whileUnchanged(1));
    assertEquals(500, whileUnchanged(10));
    assertEquals(1800, whileUnchanged(60), "half an hour at most");
  }
}
