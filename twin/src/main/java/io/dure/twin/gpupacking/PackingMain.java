package io.dure.twin.gpupacking;

import io.dure.twin.trace.TraceException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code ./dure bench packing --traces DIR}. */
public final class PackingMain {
  private PackingMain() {}

  /** Exit code 0 if all figures hold, 1 if not, 2 for wrong usage or a list that is not there. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    if (arguments.length != 2 || !arguments[0].equals("--traces")) {
      System.err.println("Usage: ./dure bench packing --traces DIR");
      return 2;
    }
    Path traces = Path.of(arguments[1]);
    Path lists = Files.isDirectory(traces.resolve("openb")) ? traces.resolve("openb") : traces;
    try {
      return new PackingBench(System.out, lists, System::nanoTime).compare() == 0 ? 0 : 1;
    } catch (TraceException e) {
      System.err.println("bench packing: " + e.text());
      return 2;
    }
  }
}
