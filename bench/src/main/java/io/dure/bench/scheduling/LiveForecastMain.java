package io.dure.bench.scheduling;

import java.util.Map;
import java.util.TreeMap;

/** {@code ./dure bench forecast-live}. */
public final class LiveForecastMain {
  private static final String USAGE =
      """
      usage: ./dure bench forecast-live [NODES=1000] [JOBS=10000] [RATE=200] [SECONDS=300]
         [SUBMISSIONS=2000] [RUSHES=40] [SEED=1] [PAST=200] [CONTROL=0]
      """;

  private static final int LEAST_SECONDS = 60;
  private static final int LEAST_RUSHES = 5;

  private LiveForecastMain() {}

  /**
   * Arguments: NAME=VALUE; exit code 2 for others, 1 if forecasts slow the controller down. CONTROL
   * 1 has nothing run in any turn, more a loop that does nothing, instead of forecasts.
   */
  public static void main(String[] args) throws Exception {
    Map<String, Integer> values = new TreeMap<>();
    values.put("NODES", 1000);
    values.put("JOBS", 10_000);
    values.put("SUBMISSIONS", 2000);
    values.put("RATE", 200);
    values.put("SECONDS", 300);
    values.put("RUSHES", 40);
    values.put("PAST", 200);
    values.put("CONTROL", 0);
    values.put("SEED", 1);
    for (String arg : args) {
      String[] word = arg.split("=", 2);
      if (word.length < 2 || !values.containsKey(word[0]) || !word[1].matches("[0-9]{1,8}")) {
        System.err.print("bench forecast-live: not NAME=VALUE: " + arg + "\n" + USAGE);
        System.exit(2);
      }
      values.put(word[0], Integer.valueOf(word[1]));
    }
    if (values.get("SECONDS") < LEAST_SECONDS || values.get("RUSHES") < LEAST_RUSHES) {
      System.err.printf(
          "bench forecast-live: SECONDS of at least %d and RUSHES of at least %d tell something%n",
          LEAST_SECONDS, LEAST_RUSHES);
      System.exit(2);
    }
    System.exit(new LiveForecastBench(System.out, values).run() ? 0 : 1);
  }
}
