package io.dure.bench.families;

import io.dure.twin.trace.TraceException;
import java.nio.file.Path;
import java.util.List;

/** {@code ./dure bench policy --families --traces DIR [--half tune]}. */
public final class PolicyFamilyMain {
  private PolicyFamilyMain() {}

  /** Exit code 0 if all bounds hold, 1 if not, 2 for wrong usage or a log that is not there. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) throws InterruptedException {
    boolean tune =
        arguments.size() == 4 && arguments.subList(2, 4).equals(List.of("--half", "tune"));
    if (!tune && arguments.size() != 2 || !arguments.getFirst().equals("--traces")) {
      System.err.println("Usage: ./dure bench policy --families --traces DIR [--half tune]");
      return 2;
    }
    try {
      PolicyFamilies families = PolicyFamilies.read(Path.of(arguments.get(1)));
      List<FamilyTrace> logs =
          families.of(tune ? PolicyFamilies.Half.TUNE : PolicyFamilies.Half.REPORT);
      return new PolicyFamilyBench(System.out).compare(logs) == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench policy: " + e.text());
      return 2;
    }
  }
}
