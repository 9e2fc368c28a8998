package io.dure.insight.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbers are even over the futures of a job, and follow from the seed. */
@Tag("pure")
class StratifiedRandomTest {
  private static final int FUTURES = 23;

  @Test
  void eachJobHasOneNumberInEachPart() {
    StratifiedRandom draws = new StratifiedRandom(7, FUTURES);
    for (int job = 1; job < 200; job++) {
      TreeSet<Integer> parts = new TreeSet<>();
      for (int future = 0; future < FUTURES; future++) {
        double one = draws.of(future, job);
        assertTrue(one >= 0 && one < 1);
        parts.add((int) (one * FUTURES));
      }
      assertEquals(FUTURES, parts.size(), "job " + job);
    }
  }

  @Test
  void twoJobsHaveNothingToDoWithEachOther() {
    StratifiedRandom draws = new StratifiedRandom(7, FUTURES);
    double together = 0;
    int pairs = 0;
    for (int job = 1; job < 400; job += 2) {
      for (int future = 0; future < FUTURES; future++) {
        together += (draws.of(future, job) - 0.5) * (draws.of(future, job + 1) - 0.5);
        pairs++;
      }
    }
    assertTrue(Math.abs(together / pairs) < 0.01, "covariance " + together / pairs);
  }

  @Test
  void theSeedDecides() {
    assertEquals(
        new StratifiedRandom(1, FUTURES).of(3, 5), new StratifiedRandom(1, FUTURES).of(3, 5));
    assertNotEquals(
        new StratifiedRandom(1, FUTURES).of(3, 5), new StratifiedRandom(2, FUTURES).of(3, 5));
  }
}
