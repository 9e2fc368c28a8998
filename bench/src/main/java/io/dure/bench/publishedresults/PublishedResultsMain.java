package io.dure.bench.publishedresults;

import io.dure.twin.trace.TraceException;
import java.nio.file.Path;

/** {@code ./dure bench published --traces DIR}. */
public final class PublishedResultsMain {
  private PublishedResultsMain() {}

  /** Exit code 0 if all values agree, 1 if not, 2 for wrong usage or a log that is not there. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    if (arguments.length != 2 || !arguments[0].equals("--traces")) {
      System.err.println("Usage: ./dure bench published --traces DIR");
      return 2;
    }
    try {
      PublishedResultsBench published =
          new PublishedResultsBench(System.out, Path.of(arguments[1]), System::nanoTime);
      return published.compare(PublishedResults.all()) == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench published: " + e.text());
      return 2;
    }
  }
}
