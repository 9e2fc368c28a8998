package io.dure.simulator.explain;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.rollout.Rollout;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is imagined of random clusters is what the controller's own rules make of them: in each
 * future each job starts when it starts in the cluster that goes on.
 */
@Tag("pure")
class FuturesTest {
  private static final int CLUSTERS = Cases.of(250);
  private static final long FIRST = 31_000 + Cases.seeds();
  private static final int MOST_STEPS = 3_000;

  /** What follows from what happens in a second may follow in the next. */
  private static final long SLACK = 5;

  private int compared;

  @Test
  void futuresAreTheClustersOwn() {
    for (long seed = FIRST; seed < FIRST + CLUSTERS; seed++) {
      Course course = RandomCluster.of(seed);
      compare("cluster " + seed, course);
      List<Job> active = course.state().active().values();
      if (!active.isEmpty()) {
        Job gone = active.get((int) (seed % active.size()));
        Course without = new Course(course.state(), course.now());
        without.over(gone);
        without.tick();
        compare("cluster " + seed + " without " + gone.id(), without);
      }
    }
    assertTrue(compared > 10 * CLUSTERS, "only " + compared + " starts");
  }

  private void compare(String name, Course from) {
    Map<String, Instant> real = real(from);
    Map<String, Instant> imagined = imagined(from);
    TreeSet<String> all = new TreeSet<>(real.keySet());
    all.addAll(imagined.keySet());
    for (String job : all) {
      Instant its = real.get(job);
      Instant said = imagined.get(job);
      assertTrue(
          isNear(its, said), name + ": job " + job + " starts " + its + ", imagined " + said);
      compared++;
    }
  }

  private static boolean isNear(@Nullable Instant one, @Nullable Instant other) {
    return one != null && other != null && Duration.between(one, other).abs().toSeconds() <= SLACK;
  }

  private static Map<String, Instant> real(Course from) {
    Map<String, Instant> starts = new TreeMap<>();
    Course course = new Course(from.state(), from.now());
    see(starts, from.state().active().values());
    course.settle();
    for (int i = 0; i == 0 || i < MOST_STEPS && course.next(); i++) {
      see(starts, course.state().active().values());
    }
    return starts;
  }

  private static Map<String, Instant> imagined(Course from) {
    Map<String, Instant> starts = new TreeMap<>();
    io.dure.core.rollout.Course limits =
        io.dure.core.rollout.Course.toTheLimits(from.state().settings())
            .with(io.dure.core.rollout.Course.Detail.SETTLED);
    Rollout rollout = new Rollout(from.state(), from.now(), limits);
    see(starts, from.state().active().values());
    for (int i = 0; i < MOST_STEPS && rollout.step(); i++) {
      see(starts, rollout.view().active().values());
    }
    return starts;
  }

  /** The first start of each job, of an array's task by its array and index. */
  private static void see(Map<String, Instant> starts, Collection<Job> active) {
    for (Job job : active) {
      JobState.Running run = job.state().underWay();
      if (run != null) {
        String name =
            job.array() instanceof ArrayPart.Task task
                ? task.arrayJobId() + "_" + task.index()
                : Integer.toString(job.id());
        starts.putIfAbsent(name, run.start());
      }
    }
  }
}
