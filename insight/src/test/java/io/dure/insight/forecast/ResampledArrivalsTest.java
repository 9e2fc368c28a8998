package io.dure.insight.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.model.TaskIndices;
import io.dure.model.UserIdentity;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.history.RecordedArrival;
import io.dure.model.history.RunHistory;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.virtual.ArrivalSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs come in a future as they came, but no more often than the cluster has known. */
@Tag("pure")
class ResampledArrivalsTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000_000);
  private static final Instant NOW = BEGIN.plusSeconds(1_000_000);
  private static final ResampledArrivals.Stand STAND = new ResampledArrivals.Stand(7, 100);
  private static final SchedulerView VIEW =
      ClusterState.initial(SlurmConfParser.parse("/slurm.conf", _ -> null).config());
  private static final JobSpec SPEC =
      JobSpec.of("job", List.of("all"), ResourceRequest.of(1, 1, 1), TimeLimit.minutes(60));

  /** A past with an end each thousand seconds, whose last jobs came so far from each other. */
  private static RunHistory book(long... gaps) {
    List<RecordedArrival> recent = new ArrayList<>();
    Instant at = NOW.minusSeconds(100);
    for (long gap : gaps) {
      recent.add(new RecordedArrival(at, new UserIdentity(1, 1, "ann", "ann"), SPEC, null));
      at = at.minusSeconds(gap);
    }
    return RunHistory.EMPTY.withEnds(1000).withSince(BEGIN).withRecent(recent);
  }

  private static List<Long> come(ArrivalSource arrivals, int count) {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seconds.add(arrivals.next() - NOW.getEpochSecond());
      int id = 100 + i;
      Job job = arrivals.take(VIEW, () -> id).getFirst();
      assertEquals(100 + i, job.id());
      assertEquals(7, job.priority());
    }
    assertEquals(PlannerTime.NEVER, arrivals.next());
    return seconds;
  }

  @Test
  void aBurstDoesNotComeAgainAtOnce() {
    RunHistory burst = book(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (double where = 0; where < 1; where += 0.1) {
      List<Long> seconds = come(ResampledArrivals.of(burst, NOW, STAND, where), 100);
      assertTrue(seconds.getLast() >= 90_000, where + ": " + seconds);
      assertTrue(seconds.getFirst() <= 10_001, where + ": " + seconds);
    }
  }

  @Test
  void whoCameSeldomComesSeldom() {
    RunHistory seldom = book(5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000);
    List<Long> seconds = come(ResampledArrivals.of(seldom, NOW, STAND, 0.5), 100);
    assertTrue(seconds.getLast() >= 400_000, seconds.toString());
  }

  /** An array of a hundred tasks ends a hundred times, so it comes a hundredth as often. */
  @Test
  void anArrayComesAsSeldomAsItsTasksEnd() {
    TaskIndices tasks = TaskIndices.of(IntStream.rangeClosed(1, 100).boxed().toList());
    ArrayPart array = new ArrayPart.Waiting(1, new ArrayPart.Shape(100, 1, 100, 1), tasks, 0);
    RunHistory single = book(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    List<RecordedArrival> arrays =
        single.recent().stream()
            .map(one -> new RecordedArrival(one.at(), one.owner(), one.spec(), array))
            .toList();
    RunHistory burst = RunHistory.EMPTY.withEnds(1000).withSince(BEGIN).withRecent(arrays);
    List<Long> seconds = come(ResampledArrivals.of(burst, NOW, STAND, 0.5), 100);
    assertTrue(seconds.getLast() >= 9_000_000, seconds.toString());
  }

  @Test
  void whoKnowsNothingImaginesNobody() {
    assertSame(ArrivalSource.NONE, ResampledArrivals.of(RunHistory.EMPTY, NOW, STAND, 0.5));
    assertSame(ArrivalSource.NONE, ResampledArrivals.of(book(9, 9, 9), NOW, STAND, 0.5));
  }
}
