package io.dure.bench.families;

import io.dure.twin.trace.TraceException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ./dure bench policy --families --traces DIR [--half tune | --numbers FROM-TO]}. */
public final class PolicyFamilyMain {
  private static final Pattern NUMBERS = Pattern.compile("--numbers (\\d{1,6})-(\\d{1,6})");

  private PolicyFamilyMain() {}

  /** Exit code 0 if all bounds hold, 1 if not, 2 for wrong usage or a log that is not there. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) throws InterruptedException {
    List<String> which = arguments.size() < 2 ? arguments : arguments.subList(2, arguments.size());
    boolean tune = which.equals(List.of("--half", "tune"));
    Matcher numbers = NUMBERS.matcher(String.join(" ", which));
    int from = numbers.matches() ? Integer.parseInt(numbers.group(1)) : 0;
    int to = numbers.matches() ? Integer.parseInt(numbers.group(2)) : -1;
    boolean known = which.isEmpty() || tune || from <= to;
    if (arguments.size() < 2 || !arguments.getFirst().equals("--traces") || !known) {
      System.err.println(
          "Usage: ./dure bench policy --families --traces DIR [--half tune | --numbers FROM-TO]");
      return 2;
    }
    try {
      PolicyFamilies families = PolicyFamilies.read(Path.of(arguments.get(1)));
      List<FamilyTrace> logs =
          from <= to
              ? PolicyFamilies.generated(from, to)
              : families.of(tune ? PolicyFamilies.Half.TUNE : PolicyFamilies.Half.REPORT);
      return new PolicyFamilyBench(System.out).compare(logs) == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench policy: " + e.text());
      return 2;
    }
  }
}
