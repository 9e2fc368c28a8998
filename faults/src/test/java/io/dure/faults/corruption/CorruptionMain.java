package io.dure.faults.corruption;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/** {@code ./dure bench corruption}. */
public final class CorruptionMain {
  private static final String USAGE = "corruption [COUNT [SEED]]";
  private static final int COUNT = 100;

  private CorruptionMain() {}

  /** Exit code 0 if all damage was met as promised, 1 if not, 2 for wrong usage. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try {
      int count = args.length > 0 ? Integer.parseInt(args[0]) : COUNT;
      long seed =
          args.length > 1 ? Long.parseLong(args[1]) : new SecureRandom().nextInt(1_000_000_000);
      if (count < 1) {
        throw new IllegalArgumentException("a count of at least 1");
      }
      return new CorruptionBench(out).run(seed, count) == 0 ? 0 : 1;
    } catch (IllegalArgumentException e) {
      System.err.println("usage: " + USAGE + " (" + e.getMessage() + ")");
      return 2;
    } catch (Exception e) {
      System.err.println("corruption: " + e);
      return 1;
    }
  }
}
