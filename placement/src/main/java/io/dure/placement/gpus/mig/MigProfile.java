package io.dure.placement.gpus.mig;

import java.util.List;

/** Instances of a GPU with seven compute and eight memory slices (A100, H100 with 80 GB). */
public enum MigProfile {
  ONE("1g.10gb", 1, 1),
  TWO("2g.20gb", 2, 2),
  THREE("3g.40gb", 3, 4),
  FOUR("4g.40gb", 4, 4),
  SEVEN("7g.80gb", 7, 8);

  /** Memory slices of a GPU. */
  public static final int SLICES = 8;

  private static final int COMPUTE_SLICES = 7;

  private static final List<Integer> EACH = List.of(0, 1, 2, 3, 4, 5, 6);
  private static final List<Integer> PAIRS = List.of(0, 2, 4);
  private static final List<Integer> HALVES = List.of(0, 4);
  private static final List<Integer> FIRST = List.of(0);

  private final String word;
  private final int compute;
  private final int memory;

  MigProfile(String word, int compute, int memory) {
    this.word = word;
    this.compute = compute;
    this.memory = memory;
  }

  /** As its maker names it. */
  public String word() {
    return word;
  }

  /** Memory slices that it takes. */
  public int slices() {
    return memory;
  }

  /** The memory slices at which it may begin. */
  public List<Integer> starts() {
    return switch (this) {
      case ONE -> EACH;
      case TWO -> PAIRS;
      case THREE -> HALVES;
      case FOUR, SEVEN -> FIRST;
    };
  }

  /** The slices that it takes from a start on, a bit for each. */
  int bits(int start) {
    return ((1 << memory) - 1) << start;
  }

  /** The smallest that has so many thousandths of a GPU's compute slices. */
  public static MigProfile of(int milli) {
    for (MigProfile one : values()) {
      if (one.compute * 1000 >= milli * COMPUTE_SLICES) {
        return one;
      }
    }
    return SEVEN;
  }
}
