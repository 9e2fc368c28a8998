package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A situation of a cluster, kept as a file of lines ({@code situations/NAME.txt}), for screens that
 * are kept beside it ({@code screens/SCREEN/NAME.txt}): {@code conf}, {@code gres}, {@code
 * sacctmgr} and {@code scontrol} as an administrator says it, {@code job: USER OPTIONS}, {@code
 * down: NODE REASON}, {@code end: JOB}, {@code pass: SECONDS}, {@code ask: JOB} for whom a question
 * is about that is about one; else it is the last job.
 *
 * @param name its name
 * @param lines what makes it
 * @param site the cluster after all that
 * @param asked whom a question about one job is about
 */
record Situation(String name, List<String> lines, Site site, String asked) {
  /** The situations in which each screen is looked at. */
  static final List<String> NAMES =
      List.of(
          "full-cluster",
          "wide-ahead",
          "gpu-type",
          "account-limit",
          "licences",
          "drained-nodes",
          "maintenance",
          "held",
          "dependency",
          "array-throttle",
          "partition-limit",
          "own-order");

  /** Lets it happen. */
  static Situation of(String name) throws IOException {
    List<String> lines = text("/situations/" + name + ".txt").strip().lines().toList();
    Site site = new Site(all(lines, "conf: "), all(lines, "gres: "), List.of());
    String asked = "0";
    int jobs = 0;
    for (String line : lines) {
      String[] parts = line.split(": ", 2);
      String what = parts.length == 1 ? "" : parts[1];
      String[] words = what.split(" ", 2);
      switch (parts[0]) {
        case "sacctmgr" -> assertEquals("", site.sacctmgr(what), line);
        case "scontrol" -> site.scontrol(what);
        case "job" -> {
          List<String> seen = site.submit(words[0], words[1]);
          assertEquals(List.of(), seen.stream().filter(s -> s.startsWith("refused")).toList());
          asked = Integer.toString(++jobs);
        }
        case "down" -> site.drain(words[0], words[1]);
        case "end" -> site.end(Integer.parseInt(what));
        case "pass" -> site.pass(Integer.parseInt(what));
        case "ask" -> asked = what;
        default -> {}
      }
    }
    site.schedule();
    return new Situation(name, lines, site, asked);
  }

  private static List<String> all(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .toList();
  }

  private static String text(String resource) throws IOException {
    try (InputStream in = Situation.class.getResourceAsStream(resource)) {
      byte[] bytes = in == null ? new byte[0] : in.readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /**
   * Compares a screen with the one that is kept. {@code -Ddure.screens=DIR} writes it there.
   *
   * @param screen which screen
   * @param shown what it shows for a value of LANG
   */
  void keep(String screen, UnaryOperator<String> shown) throws IOException {
    String found =
        String.join("\n", lines)
            + "\n\n--- LANG=C\n"
            + shown.apply("C")
            + "\n--- LANG=ko_KR.UTF-8\n"
            + shown.apply("ko_KR.UTF-8");
    String folder = System.getProperty("dure.screens");
    if (folder != null) {
      Path file = Path.of(folder, screen, name + ".txt");
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, found);
    }
    assertEquals(text("/screens/" + screen + "/" + name + ".txt"), found);
  }
}
