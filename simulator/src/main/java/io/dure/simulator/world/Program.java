package io.dure.simulator.world;

import org.jspecify.annotations.Nullable;

/** The controller's process on one machine, from its start to its end. */
interface Program {
  /** What it does as the one that leads, null in standby. */
  @Nullable Leading leading();
}
