package io.dure.twin.result;

/** Hears how far a replay is. */
@FunctionalInterface
public interface ReplayProgressListener {
  /** Ignores all reports. */
  ReplayProgressListener SILENT = (_, _) -> {};

  /** So many of all jobs are over. Called often. */
  void at(int done, int all);
}
