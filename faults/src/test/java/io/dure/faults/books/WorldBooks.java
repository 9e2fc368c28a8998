package io.dure.faults.books;

import io.dure.model.config.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** The accounting databases of a world: one that all controllers share, or one for each. */
public final class WorldBooks {
  private static final long OF_BOOKS = 0xB00C5;

  private final long seed;
  private final RecordTruth truth;
  private final LongSupplier time;
  private final List<SimulatedBooks> all = new ArrayList<>();

  /**
   * None yet.
   *
   * @param violate told which promise is broken, and how
   * @param time the moment in microseconds
   */
  public WorldBooks(
      long seed, ClusterConfig config, BiConsumer<String, String> violate, LongSupplier time) {
    this.seed = seed;
    this.truth = new RecordTruth(config, violate);
    this.time = time;
  }

  /** What the journal's events make. */
  public RecordTruth truth() {
    return truth;
  }

  /** Whether all controllers share one. */
  boolean shared() {
    return (seed & 1) == 0;
  }

  /** The chance of a controller's accounting, apart from that of all else. */
  public SplittableRandom chance(String host) {
    return new SplittableRandom(seed ^ OF_BOOKS ^ host.hashCode());
  }

  /** The books that a controller writes. */
  public SimulatedBooks of(String host, SplittableRandom random) {
    if (all.isEmpty() || !shared()) {
      String name = shared() ? "the books" : "the books of " + host;
      all.add(new SimulatedBooks(name, !shared(), truth, time, random));
    }
    return all.getLast();
  }

  /** The faults stop. */
  public void mend() {
    all.forEach(SimulatedBooks::mend);
  }

  /** Whether they have as many records as there are. */
  public boolean areWhole() {
    return all.stream().allMatch(SimulatedBooks::isWhole);
  }

  /** Whether they are just what the journal says. */
  public void check() {
    all.forEach(SimulatedBooks::check);
  }
}
