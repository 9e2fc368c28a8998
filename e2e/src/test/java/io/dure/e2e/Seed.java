package io.dure.e2e;

import io.dure.testkit.Cases;
import java.util.Random;

/** Chance that can be had again: {@code -Ddure.e2e.seed=N}. */
final class Seed {
  private Seed() {}

  /** A source of chance whose seed is printed. */
  static Random random() {
    long seed = Long.getLong("dure.e2e.seed", 1 + Cases.seeds());
    System.out.println("-Ddure.e2e.seed=" + seed);
    return new Random(seed);
  }
}
