package io.dure.placement.gpus.mig;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a cut of a GPU is worth: how many more requests it will take in the long run than an empty
 * one, if requests come as they came and stay alike long. An instance is put where it costs least.
 */
public final class MigLayoutValues {
  private static final int ROUNDS = 2000;

  private final double[] value;

  private MigLayoutValues(double[] value) {
    this.value = value;
  }

  /**
   * Values.
   *
   * @param counts how often each profile is asked for
   */
  public static MigLayoutValues of(Map<MigProfile, Double> counts) {
    double slices = 0;
    for (Map.Entry<MigProfile, Double> one : counts.entrySet()) {
      slices += one.getValue() * one.getKey().slices();
    }
    Map<MigProfile, Double> rates = new EnumMap<>(MigProfile.class);
    double arrivals = 0;
    for (Map.Entry<MigProfile, Double> one : counts.entrySet()) {
      // Requests for as much as there is: each GPU is asked for all of its slices at a time.
      double rate = slices == 0 ? 0 : one.getValue() * MigProfile.SLICES / slices;
      rates.put(one.getKey(), rate);
      arrivals += rate;
    }
    double[] value = new double[MigLayouts.ALL.count()];
    for (int round = 0; round < ROUNDS; round++) {
      value = improved(value, rates, arrivals + MigProfile.SLICES);
    }
    return new MigLayoutValues(value);
  }

  /** One step of value iteration; events come at the same rate in all states. */
  private static double[] improved(double[] value, Map<MigProfile, Double> rates, double events) {
    MigLayouts states = MigLayouts.ALL;
    double[] next = new double[value.length];
    for (int state = 0; state < next.length; state++) {
      double sum = 0;
      double used = 0;
      for (Map.Entry<MigProfile, Double> one : rates.entrySet()) {
        MigProfile profile = one.getKey();
        double best = Double.NEGATIVE_INFINITY;
        for (int start : profile.starts()) {
          int after = states.with(state, profile, start);
          best = after < 0 ? best : Math.max(best, value[after]);
        }
        if (best > Double.NEGATIVE_INFINITY) {
          sum += one.getValue() * (1 + best);
          used += one.getValue();
        }
      }
      for (int start = 0; start < MigProfile.SLICES; start++) {
        int after = states.without(state, start);
        sum += after < 0 ? 0 : value[after];
        used += after < 0 ? 0 : 1;
      }
      next[state] = (sum + (events - used) * value[state]) / events;
    }
    double zero = next[states.empty()];
    for (int state = 0; state < next.length; state++) {
      next[state] -= zero;
    }
    return next;
  }

  /** What it costs to go from one state to another. */
  public double cost(int before, int after) {
    return value[before] - value[after];
  }
}
