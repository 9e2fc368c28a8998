package io.dure.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Many submissions of jobs that each leave a line of their own, over four connections. */
public final class Load {
  private Load() {}

  /**
   * Begins to submit.
   *
   * @param printed gets the id of each job once it is acknowledged
   * @param ran gets the id of each job when it runs
   */
  public static Process begin(Session session, Path printed, Path ran, int count)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            "-c",
            "home=$1; shift; . \"$home/libexec/launcher.sh\"; run_command bench-submit \"$@\"",
            "bash",
            Checkout.root().toString(),
            "4",
            Integer.toString(count),
            "--print",
            "--parsable",
            "-o",
            "/dev/null",
            "--wrap",
            "echo $SLURM_JOB_ID >> " + ran);
    builder.environment().clear();
    builder.environment().putAll(session.environment());
    return builder
        .redirectOutput(printed.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** The last line may be half written when the client is stopped; it was not acknowledged then. */
  public static List<Integer> ids(Path printed) {
    return new ArrayList<>(
        lines(printed).stream()
            .map(line -> line.replaceAll("[^0-9]", ""))
            .filter(line -> !line.isEmpty())
            .map(Integer::valueOf)
            .toList());
  }

  /** How often each job has run. */
  public static SortedMap<Integer, Integer> runs(Path ran) {
    TreeMap<Integer, Integer> times = new TreeMap<>();
    lines(ran).forEach(line -> times.merge(Integer.valueOf(line.strip()), 1, Integer::sum));
    return times;
  }

  private static List<String> lines(Path file) {
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }
}
