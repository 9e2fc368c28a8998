package io.dure.simulator.twin;

/** Hears how far a replay is. */
@FunctionalInterface
public interface Progress {
  /** Nobody listens. */
  Progress SILENT = (_, _) -> {};

  /** So many of all jobs are over. Called often. */
  void at(int done, int all);
}
