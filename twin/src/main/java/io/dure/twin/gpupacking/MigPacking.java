package io.dure.twin.gpupacking;

import io.dure.placement.gpus.mig.MigLayoutValues;
import io.dure.placement.gpus.mig.MigLayouts;
import io.dure.placement.gpus.mig.MigProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Instances of GPUs come and go. A task that asks for a part of one GPU asks for the smallest
 * profile that has as much; those that need a whole GPU all the same are no instances and are left
 * out. Tasks ask for as many slices at a time as there are, times a factor; what finds no legal
 * slot is refused.
 */
final class MigPacking {
  /** In lifetimes: until it is as full as it gets, and as long as it is looked at then. */
  private static final int WARM = 4;

  private static final int LOOKED_AT = 4;

  private final int gpus;
  private final List<MigProfile> profiles;
  private final double offered;
  private final MigLayoutValues values;

  /** An instance that ends. */
  private record End(double at, int gpu, int start) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int order = Double.compare(at, other.at);
      return order == 0 ? Integer.compare(gpu * 8 + start, other.gpu * 8 + other.start) : order;
    }
  }

  /** What came of one seed. */
  record Result(long seed, long asked, long accepted) {
    double percent() {
      return 100.0 * accepted / Math.max(1, asked);
    }
  }

  /**
   * An experiment.
   *
   * @param list of which tasks are drawn
   * @param offered slices asked for at a time, in parts of those that there are
   */
  MigPacking(int gpus, List<GpuTask> list, double offered) {
    this.gpus = gpus;
    this.offered = offered;
    profiles =
        list.stream()
            .filter(task -> task.shape().isShared())
            .map(task -> MigProfile.of(task.shape().milli()))
            .filter(profile -> profile != MigProfile.SEVEN)
            .toList();
    Map<MigProfile, Double> counts = new EnumMap<>(MigProfile.class);
    profiles.forEach(profile -> counts.merge(profile, 1.0, Double::sum));
    values = MigLayoutValues.of(counts);
  }

  /** Whether any task of the list asks for a part of a GPU. */
  boolean hasRequests() {
    return !profiles.isEmpty();
  }

  Result run(GpuPlacementPolicy placing, long seed) {
    Random random = new Random(seed);
    Gpus cut = new Gpus(gpus);
    PriorityQueue<End> ends = new PriorityQueue<>();
    double mean = profiles.stream().mapToInt(MigProfile::slices).average().orElse(1);
    double lifetime = offered * MigProfile.SLICES * gpus / mean;
    long asked = 0;
    long accepted = 0;
    for (long at = 0; at < (WARM + LOOKED_AT) * lifetime; at++) {
      for (End end = ends.peek(); end != null && end.at() <= at; end = ends.peek()) {
        cut.change(end.gpu(), MigLayouts.ALL.without(cut.state[end.gpu()], end.start()));
        ends.remove();
      }
      MigProfile profile = profiles.get(random.nextInt(profiles.size()));
      double end = at - Math.log(1 - random.nextDouble()) * lifetime;
      End found = place(placing, cut, profile, end);
      boolean counts = at >= WARM * lifetime;
      asked += counts ? 1 : 0;
      if (found != null) {
        ends.add(found);
        accepted += counts ? 1 : 0;
      }
    }
    return new Result(seed, asked, accepted);
  }

  /** GPUs by the state that each is in. */
  private static final class Gpus {
    final int[] state;
    private final List<BitSet> members = new ArrayList<>();

    Gpus(int count) {
      state = new int[count];
      Arrays.fill(state, MigLayouts.ALL.empty());
      for (int i = 0; i < MigLayouts.ALL.count(); i++) {
        members.add(new BitSet());
      }
      members.get(MigLayouts.ALL.empty()).set(0, count);
    }

    void change(int gpu, int next) {
      members.get(state[gpu]).clear(gpu);
      members.get(next).set(gpu);
      state[gpu] = next;
    }

    /** The first that is in a state, -1 if none is. */
    int first(int in) {
      return members.get(in).nextSetBit(0);
    }
  }

  private @Nullable End place(
      GpuPlacementPolicy placing, Gpus cut, MigProfile profile, double end) {
    int gpu = -1;
    int where = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int state = 0; state < MigLayouts.ALL.count(); state++) {
      int first = cut.first(state);
      for (int start : first < 0 ? List.<Integer>of() : profile.starts()) {
        int after = MigLayouts.ALL.with(state, profile, start);
        double cost = after < 0 ? least : cost(placing, first, state, after);
        if (after >= 0 && (cost < least || cost == least && first < gpu)) {
          least = cost;
          gpu = first;
          where = start;
        }
      }
    }
    if (gpu < 0) {
      return null;
    }
    cut.change(gpu, MigLayouts.ALL.with(cut.state[gpu], profile, where));
    return new End(end, gpu, where);
  }

  private double cost(GpuPlacementPolicy placing, int gpu, int before, int after) {
    return switch (placing) {
      case FIRST_FIT, RANDOM, FGD -> gpu;
      case BEST_FIT -> MigLayouts.ALL.free(before);
      case DURE -> values.cost(before, after);
    };
  }
}
