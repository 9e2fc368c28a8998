package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.rules.SchedulerView;
import io.dure.testkit.Await;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a planner remembers from one pass to the next, and what it does not. */
@Tag("pure")
class PlannerMemoryTest {
  private final TestCluster cluster = TestCluster.nodes(1, 4).backfill();
  private final Planner planner = new Planner();
  private Planner.Memory memory = Planner.Memory.none();

  private WeakReference<SchedulerView> pass() {
    SchedulerView view = cluster.view();
    memory = planner.plan(view, cluster.now, ArrayTaskGate.OPEN, memory).memory();
    return new WeakReference<>(view);
  }

  /** A view holds all jobs of its time and their scripts, though they were forgotten long since. */
  @Test
  void aViewIsNotKeptOnceTheNextWasPlanned() {
    cluster.submit(j -> j.tasks(4));
    assertEquals("1", cluster.starts());
    cluster.submit(j -> j.tasks(4));
    cluster.submit(j -> j.tasks(1).user(2));
    WeakReference<SchedulerView> first = pass();
    cluster.submit(j -> j.tasks(2));
    var _ = pass();
    Await.seconds(60)
        .until(
            "the first view is collected",
            () -> {
              System.gc();
              return first.refersTo(null);
            });
  }
}
