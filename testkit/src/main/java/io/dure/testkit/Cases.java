package io.dure.testkit;

/**
 * How many random cases a property test looks at, and from which seed on.
 *
 * <p>A build runs every test with the same seeds and all of its cases. {@code
 * -Ddure.effort=PERCENT} runs more or fewer of them: {@code ./dure test --quick} runs a twentieth.
 * {@code -Ddure.seeds=N} shifts all seeds by N: {@code ./dure test --soak} draws that number,
 * prints it, and runs it again when it is given.
 */
public final class Cases {
  /** The property that says how many of a hundred cases run. */
  public static final String EFFORT_PROPERTY = "dure.effort";

  /** The property that is added to every first seed. */
  public static final String SEEDS_PROPERTY = "dure.seeds";

  private Cases() {}

  /**
   * The number of cases to run.
   *
   * @param all how many a build runs, at least 1
   * @return at least 1
   */
  public static int of(int all) {
    return Math.toIntExact(of((long) all));
  }

  /** The same for larger numbers, such as steps of a simulation. */
  public static long of(long all) {
    return Math.max(1, all * Integer.getInteger(EFFORT_PROPERTY, 100) / 100);
  }

  /** What is added to each seed: 0 in a build. */
  public static long seeds() {
    return Long.getLong(SEEDS_PROPERTY, 0);
  }
}
