package io.dure.twin.result;

/** Hears how far a replay is. */
@FunctionalInterface
public interface ReplayProgressListener {
  /** Nobody listens. */
  ReplayProgressListener SILENT = (_, _) -> {};

  /** So many of all jobs are over. Called often. */
  void at(int done, int all);
}
