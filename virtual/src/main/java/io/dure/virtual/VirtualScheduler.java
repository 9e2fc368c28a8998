package io.dure.virtual;

import io.dure.rules.SchedulerView;
import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.SchedulingPlan;
import java.time.Instant;

/**
 * The scheduler of one virtual cluster. It is called by one thread with views that follow each
 * other, so it may remember what it saw; every view is whole, so it need not.
 */
@FunctionalInterface
public interface VirtualScheduler {
  /** What starts now, and why the rest waits. */
  SchedulingPlan plan(SchedulerView view, Instant now, ArrayTaskGate gate);
}
