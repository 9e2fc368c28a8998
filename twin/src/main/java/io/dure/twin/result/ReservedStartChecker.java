package io.dure.twin.result;

import io.dure.model.job.JobState;
import io.dure.virtual.VirtualClusterObserver.Ended;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks of each job that waited beyond its bound whether it started by the time that was reserved
 * for it first. A run that goes on beyond its limit, and a node that fails, may delay what is
 * reserved; such a delay is counted apart. One thread.
 */
final class ReservedStartChecker {
  private final Map<Integer, Reserved> open = new TreeMap<>();
  private Instant disturbed = Instant.MIN;
  private int reserved;
  private int late;
  private int lateForCause;

  /** A start that was reserved, and when. */
  private record Reserved(Instant start, Instant at) {}

  void reserved(Map<Integer, Long> starts, Instant at) {
    starts.forEach(
        (job, start) -> open.putIfAbsent(job, new Reserved(Instant.ofEpochSecond(start), at)));
  }

  void started(int job, Instant at) {
    Reserved promise = open.remove(job);
    if (promise == null) {
      return;
    }
    reserved++;
    if (at.isAfter(promise.start)) {
      boolean cause = !disturbed.isBefore(promise.at);
      late += cause ? 0 : 1;
      lateForCause += cause ? 1 : 0;
    }
  }

  void ended(Ended over, boolean failed) {
    JobState.Running run = over.run();
    if (failed || over.at().isAfter(run.latestEnd())) {
      disturbed = over.at();
    }
  }

  ReplayResult.ReservedStarts counts() {
    return new ReplayResult.ReservedStarts(reserved, late, lateForCause);
  }
}
