package io.dure.bench.forecast;

import io.dure.twin.trace.TraceException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code ./dure bench forecast --traces DIR [--every N]}. */
public final class TraceForecastMain {
  private static final int USUAL = 6;

  private TraceForecastMain() {}

  /** Exit code 0 if all figures hold, 1 if not, 2 for wrong usage or a log that is not there. */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) {
    boolean usual = arguments.size() == 2;
    boolean thinned =
        arguments.size() == 4
            && arguments.get(2).equals("--every")
            && arguments.get(3).matches("[1-9][0-9]{0,5}");
    if (!usual && !thinned || !arguments.getFirst().equals("--traces")) {
      System.err.println("Usage: ./dure bench forecast --traces DIR [--every N]");
      return 2;
    }
    int every = usual ? USUAL : Integer.parseInt(arguments.get(3));
    try {
      Path traces = Path.of(arguments.get(1));
      return new TraceForecastBench(System.out, traces, every).compare() == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench forecast: " + e.text());
      return 2;
    } catch (IOException e) {
      System.err.println("bench forecast: " + e.getMessage());
      return 2;
    }
  }
}
