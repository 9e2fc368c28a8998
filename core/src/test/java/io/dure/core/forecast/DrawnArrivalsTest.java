package io.dure.core.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.collection.IntMap;
import io.dure.core.history.Arrival;
import io.dure.core.history.RunBook;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Identity;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.TaskIndices;
import io.dure.core.model.TimeLimit;
import io.dure.core.rollout.Arrivals;
import io.dure.core.scheduler.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs come in a future as they came, but no more often than the cluster has known. */
@Tag("pure")
class DrawnArrivalsTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000_000);
  private static final Instant NOW = BEGIN.plusSeconds(1_000_000);
  private static final DrawnArrivals.Stand STAND = new DrawnArrivals.Stand(7, 100);
  private static final JobSpec SPEC =
      JobSpec.of("job", List.of("all"), ResourceRequest.of(1, 1, 1), TimeLimit.minutes(60));

  /** A past with an end each thousand seconds, whose last jobs came so far from each other. */
  private static RunBook book(long... gaps) {
    List<Arrival> recent = new ArrayList<>();
    Instant at = NOW.minusSeconds(100);
    for (long gap : gaps) {
      recent.add(new Arrival(at, new Identity(1, 1, "ann", "ann"), SPEC, null));
      at = at.minusSeconds(gap);
    }
    return new RunBook(IntMap.empty(), IntMap.empty(), 1000, 0, 0, null, BEGIN, recent);
  }

  private static List<Long> come(Arrivals arrivals, int count) {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seconds.add(arrivals.next() - NOW.getEpochSecond());
      Job job = arrivals.take(100 + i);
      assertEquals(100 + i, job.id());
      assertEquals(7, job.priority());
    }
    assertEquals(Times.NEVER, arrivals.next());
    return seconds;
  }

  @Test
  void aBurstDoesNotComeAgainAtOnce() {
    RunBook burst = book(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (double where = 0; where < 1; where += 0.1) {
      List<Long> seconds = come(DrawnArrivals.of(burst, NOW, STAND, where), 100);
      assertTrue(seconds.getLast() >= 90_000, where + ": " + seconds);
      assertTrue(seconds.getFirst() <= 10_001, where + ": " + seconds);
    }
  }

  @Test
  void whoCameSeldomComesSeldom() {
    RunBook seldom = book(5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000);
    List<Long> seconds = come(DrawnArrivals.of(seldom, NOW, STAND, 0.5), 100);
    assertTrue(seconds.getLast() >= 400_000, seconds.toString());
  }

  /** An array of a hundred tasks ends a hundred times, so it comes a hundredth as often. */
  @Test
  void anArrayComesAsSeldomAsItsTasksEnd() {
    TaskIndices tasks = TaskIndices.of(IntStream.rangeClosed(1, 100).boxed().toList());
    ArrayPart array = new ArrayPart.Waiting(1, new ArrayPart.Shape(100, 1, 100, 1), tasks, 0);
    RunBook single = book(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    List<Arrival> arrays =
        single.recent().stream()
            .map(one -> new Arrival(one.at(), one.owner(), one.spec(), array))
            .toList();
    RunBook burst = new RunBook(IntMap.empty(), IntMap.empty(), 1000, 0, 0, null, BEGIN, arrays);
    List<Long> seconds = come(DrawnArrivals.of(burst, NOW, STAND, 0.5), 100);
    assertTrue(seconds.getLast() >= 9_000_000, seconds.toString());
  }

  @Test
  void whoKnowsNothingImaginesNobody() {
    assertSame(Arrivals.NONE, DrawnArrivals.of(RunBook.EMPTY, NOW, STAND, 0.5));
    assertSame(Arrivals.NONE, DrawnArrivals.of(book(9, 9, 9), NOW, STAND, 0.5));
  }
}
