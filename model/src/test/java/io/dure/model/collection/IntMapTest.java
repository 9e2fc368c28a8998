package io.dure.model.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class IntMapTest {
  @Test
  void agreesWithATreeMapThroughRandomChangesAndKeepsOldVersions() {
    for (long seed = 0; seed < Cases.of(50); seed++) {
      Random random = new Random(seed + Cases.seeds());
      TreeMap<Integer, Integer> model = new TreeMap<>();
      IntMap<Integer> map = IntMap.empty();
      List<IntMap<Integer>> versions = new ArrayList<>();
      List<TreeMap<Integer, Integer>> models = new ArrayList<>();
      int bound = 1 << random.nextInt(1, 31);
      for (int step = 0; step < 400; step++) {
        int key = random.nextInt(bound);
        if (random.nextInt(3) == 0) {
          map = map.without(key);
          model.remove(key);
        } else {
          map = map.with(key, step);
          model.put(key, step);
        }
        versions.add(map);
        models.add(new TreeMap<>(model));
      }
      for (int i = 0; i < versions.size(); i += 37) {
        assertEquals(
            new ArrayList<>(models.get(i).keySet()), versions.get(i).keys(), "seed " + seed);
        assertEquals(new ArrayList<>(models.get(i).values()), versions.get(i).values());
        assertEquals(models.get(i).size(), versions.get(i).size());
      }
    }
  }

  @Test
  void aKeyOutsideTheTreeHasNoValue() {
    IntMap<String> map = IntMap.<String>empty().with(3, "a");
    assertNull(map.get(40_000_000));
    assertNull(map.get(-1));
    assertEquals(map, IntMap.<String>empty().with(70, "b").with(3, "a").without(70));
  }
}
