package io.dure.preemption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
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
 * Which jobs make room for which, and what becomes of them: one rule for each case of {@code
 * preemption/cases.txt} and {@code turns.txt}.
 *
 * <p>A case names its rule, tells a cluster of nodes with four cores ({@code nodes}, {@code set},
 * {@code part}, {@code qos}), then what happens: {@code job: NAME WORDS}, {@code wait: SECONDS},
 * {@code suspend: NAME} and other deeds of root, with {@code -> CODE} where they are refused,
 * {@code restart:}, and what is seen, {@code see: NAME STATE, NAME STATE/REASON}.
 */
@Tag("pure")
class PreemptionCasesTest {
  @TestFactory
  Stream<DynamicTest> theRulesHold() throws IOException {
    return cases("/preemption/cases.txt", 40);
  }

  @TestFactory
  Stream<DynamicTest> turnsAreTaken() throws IOException {
    return cases("/preemption/turns.txt", 30);
  }

  private Stream<DynamicTest> cases(String name, int least) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (InputStream in = getClass().getResourceAsStream(name)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      for (int at = 0; at < lines.size(); at++) {
        if (lines.get(at).startsWith("# ")) {
          int end = at + 1;
          while (end < lines.size() && !lines.get(end).isBlank()) {
            end++;
          }
          List<String> body = lines.subList(at + 1, end);
          tests.add(DynamicTest.dynamicTest((at + 1) + " " + lines.get(at), () -> play(body)));
          at = end;
        }
      }
    }
    assertTrue(tests.size() >= least, "cases");
    return tests.stream();
  }

  private static void play(List<String> lines) {
    int nodes = 1;
    for (String line : lines) {
      nodes = line.startsWith("nodes: ") ? Integer.parseInt(line.substring(7)) : nodes;
    }
    Stage stage = new Stage(nodes);
    for (String line : lines) {
      int colon = line.indexOf(':');
      step(stage, line, line.substring(0, colon), line.substring(colon + 1).strip());
    }
    stage.cluster().checkReplay();
  }

  private static void step(Stage stage, String line, String key, String rest) {
    switch (key) {
      case "nodes" -> {}
      case "set" -> stage.set(rest);
      case "part" -> stage.partition(rest);
      case "qos" -> stage.qos(rest);
      case "job" -> stage.job(rest);
      case "wait" -> stage.cluster().seconds(Long.parseLong(rest));
      case "restart" -> {
        stage.cluster().restartController();
        stage.cluster().connectAll();
      }
      case "see" -> {
        for (String one : rest.split(", ", -1)) {
          int blank = one.indexOf(' ');
          String name = one.substring(0, blank);
          assertEquals(one.substring(blank + 1), stage.state(name), line + ": " + name);
        }
      }
      default -> {
        String[] arrow = rest.split(" -> ", -1);
        ErrorCode expected = arrow.length > 1 ? ErrorCode.valueOf(arrow[1]) : null;
        assertEquals(expected, stage.act(key, arrow[0]), line);
      }
    }
  }
}
