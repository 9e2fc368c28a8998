package io.dure.bench.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code ./dure bench scheduler}. */
public final class SchedulerBenchMain {
  private static final String USAGE =
      """
      usage: ./dure bench scheduler [NODES="100 1000 10000"] [JOBS="1000 10000 100000 1000000"]
               [EVENTS=1000] [SUBMISSIONS=2000] [SEED=1] [OWN=0]
      """;

  private SchedulerBenchMain() {}

  /** Arguments: NAME=VALUE; exit code 2 for others. */
  public static void main(String[] args) throws Exception {
    Map<String, List<Integer>> values = new TreeMap<>();
    values.put("NODES", List.of(100, 1000, 10_000));
    values.put("JOBS", List.of(1000, 10_000, 100_000, 1_000_000));
    values.put("EVENTS", List.of(1000));
    values.put("SUBMISSIONS", List.of(2000));
    values.put("SEED", List.of(1));
    values.put("OWN", List.of(0));
    for (String arg : args) {
      String[] word = arg.split("=", 2);
      if (word.length < 2 || !values.containsKey(word[0]) || !word[1].matches("[0-9 ]*[0-9]")) {
        System.err.print("bench scheduler: not NAME=VALUE: " + arg + "\n" + USAGE);
        System.exit(2);
      }
      List<Integer> numbers = new ArrayList<>();
      for (String number : word[1].trim().split(" +", -1)) {
        numbers.add(Integer.valueOf(number));
      }
      values.put(word[0], numbers);
    }
    new SchedulerBench(System.out, values).run();
  }
}
