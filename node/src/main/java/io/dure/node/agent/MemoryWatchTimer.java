package io.dure.node.agent;

import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.node.job.NodeLocalConfig;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When the memory of steps is to be looked at, where the site wants that. One thread. */
final class MemoryWatchTimer {
  /** When it was last looked at. */
  private Instant watched = Instant.EPOCH;

  /** Whether it is time to look; if so, the next time counts from now. */
  boolean isDue(Instant now, NodeLocalConfig setup) {
    MemoryWatch watch = setup.settings().steps().memory();
    boolean due = watch.isOn() && !now.isBefore(watched.plus(watch.every()));
    watched = due ? now : watched;
    return due;
  }

  /** When it is time again, null for never. */
  @Nullable Instant next(NodeLocalConfig setup) {
    MemoryWatch watch = setup.settings().steps().memory();
    return watch.isOn() ? watched.plus(watch.every()) : null;
  }
}
