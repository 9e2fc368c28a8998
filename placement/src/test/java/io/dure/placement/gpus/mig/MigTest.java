package io.dure.placement.gpus.mig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class MigTest {
  private static final MigLayouts STATES = MigLayouts.ALL;

  private static int cut(String instances) {
    int state = STATES.empty();
    for (String one : instances.isEmpty() ? new String[0] : instances.split(" ", -1)) {
      String[] parts = one.split("@", -1);
      state = STATES.with(state, profile(parts[0]), Integer.parseInt(parts[1]));
      assertTrue(state >= 0, instances);
    }
    return state;
  }

  private static MigProfile profile(String word) {
    return List.of(MigProfile.values()).stream()
        .filter(one -> one.word().startsWith(word + "."))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource({
    "'',      7g, 0,       a whole GPU",
    "1g@6,    7g, '',      no whole GPU beside anything",
    "4g@0,    3g, 4,       four and three fill a GPU",
    "4g@0,    4g, '',      no two of four",
    "3g@0,    4g, '',      four begin at the first slice only",
    "3g@4,    4g, 0,       three in the upper half leave room for four",
    "3g@4,    3g, 0,       two of three",
    "2g@2,    2g, '0 4',   two begin at even slices",
    "1g@0,    2g, '2 4',   one in the first slice costs a pair",
    "1g@5,    3g, 0,       one in the upper half costs it",
    "'',      1g, '0 1 2 3 4 5 6', one begins anywhere but at the eighth slice",
  })
  void legalSlots(String held, String asked, String starts, String rule) {
    StringBuilder found = new StringBuilder();
    for (int start : profile(asked).starts()) {
      found.append(STATES.with(cut(held), profile(asked), start) < 0 ? "" : " " + start);
    }
    assertEquals(starts, found.toString().strip(), rule);
  }

  @ParameterizedTest(name = "{0} thousandths are {1}")
  @CsvSource({
    "50, 1g", "142, 1g", "143, 2g", "285, 2g", "286, 3g", "470, 4g", "571, 4g", "572, 7g"
  })
  void theSmallestProfileThatHasEnough(int milli, String word) {
    assertEquals(profile(word), MigProfile.of(milli));
  }

  @Test
  void whatWasAddedCanLeave() {
    int state = cut("3g@4 1g@2");
    assertEquals(3, STATES.free(state));
    assertEquals(cut("3g@4"), STATES.without(state, 2));
    assertEquals(-1, STATES.without(state, 0));
    assertTrue(STATES.count() < 400, "some hundreds");
  }

  @Test
  void threeGoToTheUpperHalfWhereFourAreAskedFor() {
    Map<MigProfile, Double> counts = new EnumMap<>(MigProfile.class);
    counts.put(MigProfile.THREE, 1.0);
    counts.put(MigProfile.FOUR, 2.0);
    MigLayoutValues values = MigLayoutValues.of(counts);
    int empty = STATES.empty();
    assertTrue(values.cost(empty, cut("3g@4")) < values.cost(empty, cut("3g@0")));
  }
}
