package io.dure.bench.explanations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.testkit.Cases;
import io.dure.virtual.VirtualCluster;
import io.dure.virtual.VirtualClusterOptions;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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

  private int compared;

  @Test
  void futuresAreTheClustersOwn() {
    for (long seed = FIRST; seed < FIRST + CLUSTERS; seed++) {
      ReferenceCluster course = RandomCluster.of(seed);
      compare("cluster " + seed, course);
      List<Job> active = course.state().active().values();
      if (!active.isEmpty()) {
        Job gone = active.get((int) (seed % active.size()));
        ReferenceCluster without = new ReferenceCluster(course.state(), course.now());
        without.over(gone);
        without.tick();
        compare("cluster " + seed + " without " + gone.id(), without);
      }
    }
    assertTrue(compared > 10 * CLUSTERS, "only " + compared + " starts");
  }

  private void compare(String name, ReferenceCluster from) {
    Map<String, Instant> real = real(from);
    Map<String, Instant> imagined = imagined(from);
    TreeSet<String> all = new TreeSet<>(real.keySet());
    all.addAll(imagined.keySet());
    for (String job : all) {
      Instant its = real.get(job);
      Instant said = imagined.get(job);
      assertEquals(its, said, name + ": job " + job);
      compared++;
    }
  }

  private static Map<String, Instant> real(ReferenceCluster from) {
    Map<String, Instant> starts = new TreeMap<>();
    ReferenceCluster course = new ReferenceCluster(from.state(), from.now());
    see(starts, from.state().active().values());
    course.settle();
    for (int i = 0; i == 0 || i < MOST_STEPS && course.next(); i++) {
      see(starts, course.state().active().values());
    }
    return starts;
  }

  private static Map<String, Instant> imagined(ReferenceCluster from) {
    Map<String, Instant> starts = new TreeMap<>();
    VirtualClusterOptions limits =
        VirtualClusterOptions.toTheLimits(from.state().settings())
            .withFidelity(VirtualClusterOptions.Fidelity.SETTLED);
    VirtualCluster rollout = new VirtualCluster(from.state(), from.now(), limits);
    see(starts, from.state().active().values());
    for (int i = 0; i < MOST_STEPS && rollout.step(); i++) {
      see(starts, rollout.view().active().values());
    }
    return starts;
  }

  /** The first start of each job, of an array's task by its array and index. */
  private static void see(Map<String, Instant> starts, Collection<Job> active) {
    for (Job job : active) {
      JobState.Running run = job.state().runningOrSuspended();
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
