package io.dure.placement.nodeselection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.topology.Topology;
import io.dure.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is chosen is what was wished, and where something can be chosen, something is. */
@Tag("pure")
class ChooserPropertyTest {
  private static final int NODES = 48;

  private static TopologyTree tree(int nodes, int each) {
    List<Topology.Switch> switches = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (int first = 0; first < nodes; first += each) {
      List<String> names = new ArrayList<>();
      for (int node = first; node < Math.min(nodes, first + each); node++) {
        names.add(Integer.toString(node));
      }
      String name = "s" + first;
      all.add(name);
      switches.add(new Topology.Switch(name, 1, 0, names, List.of()));
    }
    List<String> halves = new ArrayList<>();
    int half = (all.size() + 1) / 2;
    for (int first = 0; first < all.size(); first += half) {
      halves.add("h" + first);
      List<String> below = all.subList(first, Math.min(all.size(), first + half));
      switches.add(new Topology.Switch("h" + first, 1, 1, List.of(), below));
    }
    switches.add(new Topology.Switch("top", 1, 2, List.of(), halves));
    return TopologyTree.of(new Topology.Tree(switches), nodes, Integer::parseInt);
  }

  private static WeightedCandidates offer(Random random, int nodes) {
    WeightedCandidates offer = new WeightedCandidates(nodes);
    for (int node = 0; node < nodes; node++) {
      if (random.nextInt(3) > 0) {
        int room = 1 + random.nextInt(8);
        offer.add(node, room, room, 0, random.nextInt(2));
      }
    }
    return offer;
  }

  private static NodeSelectionRequest wish(Random random, WeightedCandidates offer) {
    int min = 1 + random.nextInt(10);
    int max = min + random.nextInt(6);
    int tasks = min + random.nextInt(24);
    boolean grows = random.nextInt(5) == 0;
    boolean wide = random.nextBoolean();
    TreeSet<Integer> required = new TreeSet<>();
    if (random.nextInt(4) == 0 && offer.count() > 0) {
      required.add(offer.index(random.nextInt(offer.count())));
    }
    return new NodeSelectionRequest(
        min,
        max,
        wide ? Math.max(min, Math.min(max, grows ? max : tasks)) : min,
        grows ? min : tasks,
        grows ? 1 : 0,
        0,
        random.nextInt(6) == 0,
        1,
        false,
        random.nextInt(4) == 0 ? 1 + random.nextInt(3) : null,
        List.copyOf(required));
  }

  /** What a choice must be in any case. */
  private static void check(
      NodeSelection choice, WeightedCandidates offer, NodeSelectionRequest wish, String story) {
    List<Integer> places = choice.places();
    int[] tasks = choice.tasks();
    assertTrue(places.size() >= wish.min() && places.size() <= wish.max(), story);
    int sum = 0;
    for (int i = 0; i < tasks.length; i++) {
      assertTrue(tasks[i] <= offer.room(places.get(i)), story);
      assertTrue(tasks[i] > 0 || places.size() > wish.tasks(), story);
      sum += tasks[i];
    }
    assertEquals(wish.each() > 0 ? places.size() : wish.tasks(), sum, story);
    TreeSet<Integer> nodes = new TreeSet<>();
    places.forEach(place -> nodes.add(choice.index(place)));
    assertTrue(nodes.containsAll(wish.required()), story);
    if (wish.contiguous()) {
      assertEquals(nodes.size(), nodes.last() - nodes.first() + 1, story);
    }
  }

  @Test
  void choicesAreWhatWasWished() {
    TopologyTree forest = tree(NODES, 6);
    for (int seed = 0; seed < Cases.of(20_000); seed++) {
      Random random = new Random(seed + Cases.seeds());
      WeightedCandidates offer = offer(random, NODES);
      NodeSelectionRequest wish = wish(random, offer);
      String story = "seed " + seed + ": " + wish;
      NodeSelection flat = NodeSelector.choose(offer, wish, null);
      NodeSelection joined = NodeSelector.choose(offer, wish, forest);
      if (flat != null) {
        check(flat, offer, wish, story);
      }
      if (joined != null) {
        check(joined, offer, wish, story);
        if (wish.switches() != null && !wish.contiguous()) {
          TreeSet<Integer> leaves = new TreeSet<>();
          joined.places().forEach(place -> leaves.add(forest.leafOf(joined.index(place))));
          assertTrue(leaves.size() <= wish.switches(), story);
        }
      }
      if (wish.switches() == null && !wish.contiguous()) {
        assertEquals(flat == null, joined == null, story);
      }
    }
  }

  @Test
  void theSameIsChosenAgain() {
    TopologyTree forest = tree(NODES, 5);
    for (int seed = 0; seed < Cases.of(500); seed++) {
      Random random = new Random(seed + Cases.seeds());
      WeightedCandidates offer = offer(random, NODES);
      NodeSelectionRequest wish = wish(random, offer);
      NodeSelection one = NodeSelector.choose(offer, wish, forest);
      NodeSelection other = NodeSelector.choose(offer, wish, forest);
      assertEquals(one == null ? null : one.places(), other == null ? null : other.places());
    }
  }

  @Test
  void tenThousandNodesBelowSwitchesAreChosenFromQuickly() {
    TopologyTree forest = tree(10_000, 24);
    WeightedCandidates offer = offer(new Random(1), 10_000);
    List<Integer> sizes = List.of(1, 8, 24, 100, 1000);
    long start = System.nanoTime();
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      int size = sizes.get(round % sizes.size());
      NodeSelectionRequest wish =
          new NodeSelectionRequest(size, size, size, size, 0, 0, false, 1, false, null, List.of());
      assertNotNull(NodeSelector.choose(offer, wish, forest));
    }
    long millis = (System.nanoTime() - start) / 1_000_000 / rounds;
    assertTrue(millis < 50, millis + " ms each");
    NodeSelectionRequest wide =
        new NodeSelectionRequest(9000, 9000, 9000, 9000, 0, 0, false, 1, false, null, List.of());
    assertNull(NodeSelector.choose(offer, wide, forest));
  }
}
