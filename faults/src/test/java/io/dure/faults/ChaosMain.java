package io.dure.faults;

import java.security.SecureRandom;

/** {@code ./dure chaos}. */
public final class ChaosMain {
  private ChaosMain() {}

  /** Exit code 0 if every promise was kept, 1 if not, 2 for wrong usage. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    if (args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"))) {
      System.out.print(ChaosOptions.USAGE);
      return 0;
    }
    try {
      ChaosOptions options = ChaosOptions.of(args, new SecureRandom().nextInt(1_000_000_000));
      ChaosRunner chaos = new ChaosRunner(options, System.out);
      int failures = options.mutations() ? chaos.mutations() : chaos.run();
      return failures == 0 ? 0 : 1;
    } catch (IllegalArgumentException e) {
      System.err.println("chaos: " + e.getMessage());
      System.err.print(ChaosOptions.USAGE);
      return 2;
    }
  }
}
