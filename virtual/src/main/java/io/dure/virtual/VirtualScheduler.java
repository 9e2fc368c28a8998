package io.dure.virtual;

import io.dure.rules.SchedulerView;
import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.Planner;
import java.time.Instant;

/** The scheduler of a virtual cluster, which holds the memory of the pass before. */
@FunctionalInterface
public interface VirtualScheduler {
  /** What starts now, and why the rest waits. */
  Planner.Planned plan(SchedulerView view, Instant now, ArrayTaskGate gate, Planner.Memory memory);
}
