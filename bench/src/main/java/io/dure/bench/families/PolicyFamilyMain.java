package io.dure.bench.families;

import io.dure.twin.trace.TraceException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ./dure bench policy --families}; its arguments are in {@link #USAGE}. */
public final class PolicyFamilyMain {
  private static final String USAGE =
      "Usage: ./dure bench policy --families --traces DIR [--half tune | --numbers FROM-TO]"
          + " [--control]";
  private static final Pattern NUMBERS = Pattern.compile("--numbers (\\d{1,6})-(\\d{1,6})");

  private PolicyFamilyMain() {}

  /** Exit code 0 if all bounds hold, 1 if not, 2 for wrong usage or a log that is not there. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) throws InterruptedException {
    boolean control = !arguments.isEmpty() && arguments.getLast().equals("--control");
    int end = control ? arguments.size() - 1 : arguments.size();
    List<String> which = end < 2 ? arguments : arguments.subList(2, end);
    boolean tune = which.equals(List.of("--half", "tune"));
    Matcher numbers = NUMBERS.matcher(String.join(" ", which));
    int from = numbers.matches() ? Integer.parseInt(numbers.group(1)) : 0;
    int to = numbers.matches() ? Integer.parseInt(numbers.group(2)) : -1;
    boolean known = which.isEmpty() || tune || from <= to;
    if (end < 2 || !arguments.getFirst().equals("--traces") || !known) {
      System.err.println(USAGE);
      return 2;
    }
    try {
      PolicyFamilies families = PolicyFamilies.read(Path.of(arguments.get(1)));
      List<FamilyTrace> logs =
          from <= to
              ? PolicyFamilies.generated(from, to)
              : families.of(tune ? PolicyFamilies.Half.TUNE : PolicyFamilies.Half.REPORT);
      return new PolicyFamilyBench(System.out, control).compare(logs) == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench policy: " + e.text());
      return 2;
    }
  }
}
