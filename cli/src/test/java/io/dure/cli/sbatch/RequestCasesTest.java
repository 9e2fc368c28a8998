package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What a request means and what it gets, one rule for each case of the files in {@code cases}.
 *
 * <p>A case names its rule and tells a cluster ({@code conf}: lines of slurm.conf, {@code gres}: of
 * gres.conf, {@code topology}: of topology.conf, {@code missing}: device files that are not there),
 * then what happens: {@code job: OPTIONS -> RESULT} ({@code USER job:} for another user), {@code
 * end: ID}, {@code wait: SECONDS}, {@code seen: ID -> RESULT}, {@code planned: ID -> SECONDS
 * NODES}, {@code drained: NODE -> REASON}, {@code scontrol: WORDS -> WHAT IT SAYS}, {@code
 * reserved: NAME -> NODES AND CORES}; {@code create} and {@code update} of reservations begin now,
 * last an hour and are alice's. A result is {@code waits REASON}, {@code refused TEXT}, or the
 * nodes set apart by semicolons, each with words that must be among those that it shows.
 */
@Tag("pure")
class RequestCasesTest {
  private static final String USUAL = "reservation=r starttime=now duration=60 users=alice ";

  private record Case(String file, int line, String rule, List<String> lines) {
    String name() {
      return file + ":" + line + " " + rule;
    }
  }

  @TestFactory
  Stream<DynamicTest> theRulesHold() throws IOException {
    List<Case> cases = new ArrayList<>();
    List<String> files =
        List.of(
            "cores.txt",
            "gpus.txt",
            "nodes.txt",
            "packing.txt",
            "reserved.txt",
            "shapes.txt",
            "sharing.txt",
            "topology.txt");
    for (String file : files) {
      cases.addAll(read(file));
    }
    return cases.stream().map(one -> DynamicTest.dynamicTest(one.name(), () -> play(one)));
  }

  private static List<Case> read(String file) throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in = RequestCasesTest.class.getResourceAsStream("/cases/" + file)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      for (int at = 0; at < lines.size(); at++) {
        if (lines.get(at).startsWith("# ")) {
          int end = at + 1;
          while (end < lines.size() && !lines.get(end).isBlank()) {
            end++;
          }
          cases.add(new Case(file, at + 1, lines.get(at).substring(2), lines.subList(at + 1, end)));
          at = end;
        }
      }
    }
    return cases;
  }

  private static void play(Case one) {
    Site site =
        new Site(of(one, "conf: "), of(one, "gres: "), of(one, "topology: "), of(one, "missing: "));
    int steps = 0;
    for (String line : one.lines()) {
      int colon = line.indexOf(": ");
      String[] who = line.substring(0, colon).split(" ", -1);
      String what = line.substring(colon + 2);
      int arrow = what.indexOf("->");
      String left = arrow < 0 ? what : what.substring(0, arrow).strip();
      String right = arrow < 0 ? "" : what.substring(arrow + 2).strip();
      switch (who[who.length - 1]) {
        case "job" -> expect(line, right, site.submit(who.length > 1 ? who[0] : "alice", left));
        case "end" -> {
          site.end(Integer.parseInt(left));
          site.schedule();
        }
        case "seen" -> expect(line, right, site.seen(Integer.parseInt(left)));
        case "planned" -> assertEquals(right, site.planned(Integer.parseInt(left)), line);
        case "create" ->
            assertEquals(right, site.scontrol("create reservation " + USUAL + left), line);
        case "scontrol" -> assertEquals(right, site.scontrol(left), line);
        case "reserved" -> assertEquals(right, site.reserved(left), line);
        case "drained" -> assertEquals(right, site.drained(left), line);
        case "down" -> site.drain(left);
        case "wait" -> site.pass(Integer.parseInt(left));
        case "conf", "gres", "missing", "topology" -> steps--;
        default -> throw new IllegalArgumentException(line);
      }
      steps++;
    }
    assertTrue(steps > 0, "nothing happens in this case");
  }

  private static List<String> of(Case one, String key) {
    return one.lines().stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .toList();
  }

  private static void expect(String line, String expected, List<String> found) {
    String all = String.join("; ", found);
    if (expected.startsWith("refused") || expected.startsWith("waits")) {
      assertEquals(expected, all, line);
      return;
    }
    List<String> nodes = List.of(expected.split(";", -1));
    assertEquals(nodes.size(), found.size(), line + ": " + all);
    for (int i = 0; i < nodes.size(); i++) {
      List<String> words = List.of(found.get(i).split(" ", -1));
      for (String word : nodes.get(i).strip().split(" ", -1)) {
        boolean none = word.equals("nogres") && words.stream().noneMatch(w -> w.contains(":"));
        assertTrue(none || words.contains(word), line + ": " + word + " is not in " + all);
      }
    }
  }
}
