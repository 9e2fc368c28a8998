package io.dure.protocol.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.GroupedShares;
import io.dure.model.gres.GresShare;
import io.dure.model.job.NodeShare;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepShareGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What nodes give to a job or a step, as groups of nodes that are alike. */
@Tag("pure")
class GroupedShapeTest {
  private static final List<GresShare> GPU = List.of(new GresShare("gpu", "a100", List.of(0), 1));

  record Steps(List<StepShare> shares) {}

  record Nodes(List<NodeShare> shares) {}

  record Groups(List<StepShareGroup> shares) {}

  private final RecordCodec<Steps> steps = RecordCodec.of(Steps.class);
  private final RecordCodec<Nodes> nodes = RecordCodec.of(Nodes.class);

  private static String name(Random random, int i) {
    return switch (random.nextInt(8)) {
      case 0 -> "gpu" + i;
      case 1 -> "n0" + i;
      case 2 -> "login";
      case 3 -> "r" + i + "-b";
      default -> "n" + i;
    };
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  @Test
  void whateverIsWrittenIsRead() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<StepShare> parts = new ArrayList<>();
      List<NodeShare> held = new ArrayList<>();
      int number = random.nextInt(120);
      int first = 0;
      int stride = random.nextInt(4);
      for (int i = random.nextInt(20); i > 0; i--) {
        String name = name(random, number++);
        List<Integer> cores = one(random, List.of(List.of(0), List.of(0), List.of(0, 1)));
        List<GresShare> gres = one(random, List.of(List.of(), List.of(), GPU));
        List<Integer> ranks =
            one(random, List.of(List.of(first), List.of(first), List.of(first, first + 9)));
        first += random.nextInt(9) == 0 ? 1 : stride;
        long memory = 100L * (1 + random.nextInt(12) / 11);
        parts.add(new StepShare(name, cores, cores.size(), memory, ranks, gres));
        held.add(new NodeShare(name, cores, cores.size(), memory, ranks.size(), gres));
      }
      assertEquals(parts, steps.decode(steps.encode(new Steps(parts))).shares(), "seed " + seed);
      assertEquals(held, nodes.decode(nodes.encode(new Nodes(held))).shares(), "seed " + seed);
      Steps read = steps.grouped().decode(steps.encode(new Steps(parts)));
      assertEquals(parts, read.shares());
      assertArrayEquals(steps.encode(new Steps(parts)), steps.encode(read));
      List<String> names = GroupedShares.names(read.shares(), StepShare::node);
      assertEquals(parts.stream().map(StepShare::node).toList(), names);
      for (StepShare part : parts) {
        assertEquals(List.copyOf(names).indexOf(part.node()), names.indexOf(part.node()));
      }
      assertEquals(
          held.stream().map(NodeShare::cpus).toList(),
          GroupedShares.numbers(
              nodes.grouped().decode(nodes.encode(new Nodes(held))).shares(), NodeShare::cpus));
    }
  }

  @Test
  void nodesThatAreAlikeTakeNoRoom() {
    List<StepShare> block = new ArrayList<>();
    List<StepShare> cyclic = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      block.add(
          new StepShare("n" + i, List.of(0, 1), 2, 100, List.of(2 * i, 2 * i + 1), List.of()));
      cyclic.add(new StepShare("n" + i, List.of(0, 1), 2, 100, List.of(i, i + 5000), List.of()));
    }
    for (List<StepShare> shares : List.of(block, cyclic)) {
      byte[] bytes = steps.encode(new Steps(shares));
      assertTrue(bytes.length < 50, bytes.length + " bytes");
      assertEquals(shares, steps.decode(bytes).shares());
    }
  }

  @Test
  void aGroupWithoutNodesIsMalformed() {
    byte[] bytes =
        RecordCodec.of(Groups.class)
            .encode(
                new Groups(
                    List.of(new StepShareGroup("n[", List.of(), 1, 0, List.of(), 0, List.of()))));
    assertThrows(MalformedMessageException.class, () -> steps.decode(bytes));
  }
}
