package io.dure.simulator.twin;

import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.SchedulerView;
import java.time.Instant;

/**
 * The scheduler of one replay. It is called by one thread with views that follow each other, so it
 * may remember what it saw; every view is whole, so it need not.
 */
@FunctionalInterface
public interface Engine {
  /** What starts now, and why the rest waits. */
  Plan plan(SchedulerView view, Instant now);
}
