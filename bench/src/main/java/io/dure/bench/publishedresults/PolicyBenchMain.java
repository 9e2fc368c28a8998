package io.dure.bench.publishedresults;

import io.dure.twin.trace.TraceException;
import java.nio.file.Path;

/** {@code ./dure bench policy --traces DIR}. */
public final class PolicyBenchMain {
  private PolicyBenchMain() {}

  /** Exit code 0 if all figures hold, 1 if not, 2 for wrong usage or a log that is not there. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    if (arguments.length != 2 || !arguments[0].equals("--traces")) {
      System.err.println("Usage: ./dure bench policy --traces DIR");
      return 2;
    }
    try {
      return new PolicyBench(System.out, Path.of(arguments[1])).compare() == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench policy: " + e.text());
      return 2;
    }
  }
}
