package io.dure.node.agent;

import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.usage.NamedStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When the memory of steps, and what they use, is to be looked at. One thread. */
final class MemoryWatchTimer {
  /** When steps that have an interval of their own are looked at next. */
  private TreeMap<String, Instant> own = new TreeMap<>();

  /** When it was last looked at. */
  private Instant watched = Instant.EPOCH;

  /** Whether it is time to look; if so, the next time counts from now. */
  boolean isDue(Instant now, NodeLocalConfig setup) {
    MemoryWatch watch = setup.settings().steps().memory();
    boolean due = watch.isOn() && !now.isBefore(watched.plus(watch.every()));
    watched = due ? now : watched;
    return due;
  }

  /**
   * The steps whose use of resources is to be looked at now.
   *
   * @param all whether it is time for those that have no interval of their own
   */
  List<NamedStep> due(Instant now, boolean all, List<NamedStep> running) {
    List<NamedStep> due = new ArrayList<>();
    TreeMap<String, Instant> next = new TreeMap<>();
    for (NamedStep step : running) {
      Duration interval = step.interval();
      if (interval == null) {
        if (all) {
          due.add(step);
        }
      } else if (!interval.isZero()) {
        String name = step.jobId() + "." + step.name();
        Instant before = own.get(name);
        boolean isTime = before != null && !now.isBefore(before);
        if (isTime) {
          due.add(step);
        }
        next.put(name, isTime || before == null ? now.plus(interval) : before);
      }
    }
    own = next;
    return due;
  }

  /** When it is time again, null for never. */
  @Nullable Instant next(NodeLocalConfig setup) {
    MemoryWatch watch = setup.settings().steps().memory();
    Instant next = watch.isOn() ? watched.plus(watch.every()) : null;
    for (Instant one : own.values()) {
      next = next == null || one.isBefore(next) ? one : next;
    }
    return next;
  }
}
