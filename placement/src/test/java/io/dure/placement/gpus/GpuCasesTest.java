package io.dure.placement.gpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.report.GpuTaskShape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code cases/gpus.txt}, each of them also with its nodes the other way round. */
@Tag("pure")
class GpuCasesTest {
  record Case(String rule, List<String> seen, List<String> nodes, String task) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static List<Case> cases() throws IOException {
    try (InputStream in = GpuCasesTest.class.getResourceAsStream("/cases/gpus.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      List<Case> cases = new ArrayList<>();
      for (String block : text.split("\n\n", -1)) {
        if (block.startsWith("# ")) {
          List<String> lines = block.lines().toList();
          cases.add(
              new Case(
                  lines.get(0).substring(2),
                  List.of(after(lines.get(1), "seen: ").split(", ", -1)),
                  List.of(after(lines.get(2), "nodes: ").split(", ", -1)),
                  after(lines.get(3), "task: ")));
        }
      }
      return cases;
    }
  }

  private static String after(String line, String word) {
    assertEquals(word, line.substring(0, word.length()));
    return line.substring(word.length());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theTaskGetsTheNode(Case one) {
    check(one, one.nodes());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theOrderOfTheNodesDoesNotMatter(Case one) {
    check(one, one.nodes().reversed());
  }

  private static void check(Case one, List<String> described) {
    TreeSet<String> types = new TreeSet<>();
    described.forEach(node -> types.add(type(node)));
    List<String> order = List.copyOf(types);
    SequencedMap<GpuTaskShape, Double> seen = new LinkedHashMap<>();
    for (String shape : one.seen()) {
      String[] parts = shape.split(" x ", -1);
      seen.merge(shape(parts[1], order), Double.parseDouble(parts[0]), Double::sum);
    }
    List<GpuNode> nodes = described.stream().map(node -> node(node, order)).toList();
    long[] gpus = new long[order.size()];
    nodes.forEach(node -> gpus[node.type()] += node.gpus());
    String[] task = one.task().split(" -> ", -1);
    GpuTaskShape shape = shape(task[0], order);
    GpuPool.Chosen chosen =
        new GpuPool(nodes, new GpuPlacementCost(seen, 100, gpus, GpuCostWeights.USUAL))
            .choose(shape);
    String told =
        chosen == null
            ? "none"
            : described.get(chosen.node()).split(" ", -1)[0]
                + (shape.isShared() ? " gpu " + chosen.gpu() : "");
    assertEquals(task[1], told, one.rule());
  }

  private static String type(String described) {
    return Stream.of(described.split(" ", -1))
        .filter(word -> word.startsWith("="))
        .findFirst()
        .orElse("=");
  }

  private static double amount(String described, char unit) {
    for (String word : described.split(" ", -1)) {
      if (word.matches("[0-9.]+" + unit)) {
        return Double.parseDouble(word.substring(0, word.length() - 1));
      }
    }
    return 0;
  }

  private static GpuTaskShape shape(String described, List<String> types) {
    double gpus = amount(described, 'g');
    String type = type(described);
    int known = types.indexOf(type);
    return new GpuTaskShape(
        Math.round(amount(described, 'c') * 1000),
        Math.round(amount(described, 'm')),
        (int) Math.ceil(gpus),
        gpus == 0 ? 0 : (int) Math.round(gpus * 1000 / Math.ceil(gpus)),
        type.equals("=") ? GpuTaskShape.ANY_TYPE : known < 0 ? 0 : 1L << known);
  }

  /** What is not free is held: of each GPU its part, and the CPUs by the first that has one. */
  private static GpuNode node(String described, List<String> types) {
    String[] parts = described.split(" free ", -1);
    int gpus = (int) amount(parts[0], 'g');
    long cpus = Math.round(amount(parts[0], 'c') * 1000);
    GpuNode node =
        new GpuNode(types.indexOf(type(described)), cpus, Math.round(amount(parts[0], 'm')), gpus);
    if (parts.length > 1) {
      String[] free = parts[1].split(" ", -1);
      String[] left = free[1].split("\\+", -1);
      for (int i = 0; i < gpus; i++) {
        int held =
            i < left.length ? 1000 - (int) Math.round(1000 * Double.parseDouble(left[i])) : 1000;
        if (held > 0) {
          node.take(new GpuTaskShape(0, 0, 1, Math.min(held, 999), GpuTaskShape.ANY_TYPE), i);
          if (held == 1000) {
            node.take(new GpuTaskShape(0, 0, 1, 1, GpuTaskShape.ANY_TYPE), i);
          }
        }
      }
      long cpusHeld = cpus - Math.round(amount(free[0], 'c') * 1000);
      node.take(new GpuTaskShape(cpusHeld, 0, 0, 0, GpuTaskShape.ANY_TYPE), 0);
    }
    return node;
  }
}
