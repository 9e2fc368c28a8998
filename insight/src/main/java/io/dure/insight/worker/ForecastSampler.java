package io.dure.insight.worker;

import io.dure.cluster.ClusterState;
import io.dure.cluster.derived.ForecastTracker;
import io.dure.model.collection.IntMap;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.job.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Collects the first forecast of each job until it is stored, from where forecasts learn how
 * accurate they are. Of many jobs a sample is taken by job id alone, for a sample by outcome would
 * favour jobs that wait long. One thread.
 */
final class ForecastSampler {
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** Approximate size of a sample. */
  private static final int SAMPLE = 200;

  private final List<FirstForecast> waiting = new ArrayList<>();
  private final BitSet seen = new BitSet();
  private long stored = System.nanoTime() - EVERY.toNanos();

  /** Discards all that was collected. */
  void clear() {
    waiting.clear();
  }

  /** Adds forecasts of pending jobs; a job for which there was one already keeps the first. */
  void add(IntMap<Job> pending, Map<Integer, JobStartForecast> starts) {
    for (int id = seen.nextSetBit(0); id >= 0; id = seen.nextSetBit(id + 1)) {
      if (!pending.contains(id)) {
        seen.clear(id);
      }
    }
    starts.forEach((id, forecast) -> {
      Job job = pending.get(id);
      if (!seen.get(id) && job != null) {
        seen.set(id);
        if (ForecastTracker.isEarly(job, forecast.made())) {
          waiting.add(new FirstForecast(id, forecast));
        }
      }
    });
  }

  /** The sample to be stored now; empty if the previous one is less than {@link #EVERY} ago. */
  List<FirstForecast> due(ClusterState state) {
    long clock = System.nanoTime();
    if (waiting.isEmpty() || clock - stored < EVERY.toNanos()) {
      return List.of();
    }
    stored = clock;
    int every = Math.ceilDiv(waiting.size(), SAMPLE);
    List<FirstForecast> chosen =
        waiting.stream().filter(one -> Math.floorMod(mix(one.jobId()), every) == 0).toList();
    waiting.clear();
    return state.forecasts().wanted(state::job, chosen);
  }

  /** A hash: neighbouring ids are sampled independently. */
  private static int mix(int id) {
    int bits = id * 0x9E3779B9;
    return bits ^ bits >>> 15;
  }
}
