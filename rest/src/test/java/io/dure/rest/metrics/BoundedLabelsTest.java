package io.dure.rest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class BoundedLabelsTest {
  private static Map<String, Long> most(int most, Map<String, Long> all) {
    return BoundedLabels.of(new TreeMap<>(all), most, count -> count, Long::sum);
  }

  @Test
  void withinTheBoundNothingIsSummed() {
    Map<String, Long> all = Map.of("a", 1L, "b", 2L);
    assertEquals(all, most(2, all));
    assertEquals(Map.of(), most(2, Map.of()));
  }

  @Test
  void beyondItTheSmallestAreOne() {
    assertEquals(
        Map.of("b", 5L, "d", 4L, "other", 5L), most(2, Map.of("a", 3L, "b", 5L, "c", 2L, "d", 4L)));
  }

  @Test
  void ofEqualOnesTheFirstByNameIsKept() {
    assertEquals(Map.of("a", 1L, "other", 2L), most(1, Map.of("c", 1L, "b", 1L, "a", 1L)));
  }

  @Test
  void whoIsNamedLikeTheSumBelongsToIt() {
    assertEquals(
        Map.of("a", 1L, "other", 12L), most(1, Map.of("other", 10L, "a", 1L, "b", 1L, "c", 1L)));
    assertEquals(Map.of("other", 10L, "a", 1L), most(5, Map.of("other", 10L, "a", 1L)));
  }
}
