package io.dure.faults;

/**
 * What is asked of chaos.
 *
 * @param seed the first seed
 * @param seeds how many
 * @param millis virtual time until the faults stop, milliseconds
 * @param nodes nodes of the cluster, 1 to 1000
 * @param controllers how many controllers, 1 to 9; 0 for what each seed says
 * @param mutations whether bugs are planted
 * @param stories whether their stories are told
 * @param threads worlds at a time
 */
record ChaosOptions(
    long seed,
    int seeds,
    long millis,
    int nodes,
    int controllers,
    boolean mutations,
    boolean stories,
    int threads) {
  static final String USAGE =
      """
      Usage: ./dure chaos [--seed S] [--seeds N] [--hours H] [--nodes N] [--controllers N] [--threads N]
             ./dure chaos --mutations [--stories] [--seed S] [--hours H] [--nodes N] [--controllers N]

        --seed S      first seed; a random one where none is given
        --seeds N     so many seeds, one after the other (100)
        --hours H     virtual hours until the faults stop (1)
        --nodes N     nodes of the cluster (20)
        --controllers N  controllers of the cluster; where none is given each seed says: half of
                      them one, most others three, some five
        --threads N   worlds at a time (as many as there are processors)
        --mutations   plants bugs, one at a time, and says after how many seeds each is found
        --stories     and tells the story of each
      """;

  /**
   * Reads arguments.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static ChaosOptions of(String[] args, long randomSeed) {
    long seed = randomSeed;
    int seeds = 100;
    double hours = 1;
    int nodes = 20;
    int controllers = 0;
    boolean mutations = false;
    boolean stories = false;
    int threads = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--mutations" -> mutations = true;
        case "--stories" -> stories = true;
        case "--seed" -> seed = (long) number(args, ++i, Long.MIN_VALUE);
        case "--seeds" -> seeds = (int) number(args, ++i, 1);
        case "--hours" -> hours = number(args, ++i, 0.01);
        case "--threads" -> threads = (int) number(args, ++i, 1);
        case "--controllers" -> controllers = (int) number(args, ++i, 1);
        case "--nodes" -> nodes = (int) number(args, ++i, 1);
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    if (nodes > 1000) {
      throw new IllegalArgumentException("--nodes " + nodes + ": at most 1000");
    }
    if (controllers > 9) {
      throw new IllegalArgumentException("--controllers " + controllers + ": at most 9");
    }
    return new ChaosOptions(
        seed,
        seeds,
        Math.round(hours * 3_600_000),
        nodes,
        controllers,
        mutations,
        stories,
        threads);
  }

  private static double number(String[] args, int at, double least) {
    if (at >= args.length) {
      throw new IllegalArgumentException("option " + args[at - 1] + " requires a number");
    }
    double value;
    try {
      value = Double.parseDouble(args[at]);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(args[at - 1] + " " + args[at] + ": give a number", e);
    }
    if (!(value >= least)) {
      throw new IllegalArgumentException(args[at - 1] + " " + args[at] + ": at least " + least);
    }
    return value;
  }
}
