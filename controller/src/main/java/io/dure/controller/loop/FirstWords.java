package io.dure.controller.loop;

import io.dure.core.collection.IntMap;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.records.ForecastTrack;
import io.dure.core.history.forecast.Forecast;
import io.dure.core.history.forecast.Foretold;
import io.dure.core.model.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * What was first told of jobs, until it is handed on to be remembered. Of many that came together
 * some are chosen by their ids alone: whoever chose by what became of them would learn from those
 * that wait long. One thread.
 */
final class FirstWords {
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** How many are chosen about, at a time. */
  private static final int MANY = 200;

  private final List<Foretold> waiting = new ArrayList<>();
  private final BitSet told = new BitSet();
  private long handedOn = System.nanoTime() - EVERY.toNanos();

  /** Nothing that was told counts any more. */
  void clear() {
    waiting.clear();
  }

  /** That was told of those that wait; of whom something was told before keeps his first word. */
  void told(IntMap<Job> pending, Map<Integer, Forecast> starts) {
    for (int id = told.nextSetBit(0); id >= 0; id = told.nextSetBit(id + 1)) {
      if (!pending.contains(id)) {
        told.clear(id);
      }
    }
    starts.forEach((id, forecast) -> {
      Job job = pending.get(id);
      if (!told.get(id) && job != null) {
        told.set(id);
        if (ForecastTrack.isEarly(job, forecast.made())) {
          waiting.add(new Foretold(id, forecast));
        }
      }
    });
  }

  /** What is to be remembered now; nothing if some was handed on just before. */
  List<Foretold> due(ClusterState state) {
    long clock = System.nanoTime();
    if (waiting.isEmpty() || clock - handedOn < EVERY.toNanos()) {
      return List.of();
    }
    handedOn = clock;
    int every = Math.ceilDiv(waiting.size(), MANY);
    List<Foretold> chosen =
        waiting.stream().filter(one -> Math.floorMod(mix(one.jobId()), every) == 0).toList();
    waiting.clear();
    return state.forecasts().wanted(state::job, chosen);
  }

  /** Ids that are neighbours have nothing in common. */
  private static int mix(int id) {
    int bits = id * 0x9E3779B9;
    return bits ^ bits >>> 15;
  }
}
