package io.dure.insight.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.Cases;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The few among many that it takes. */
@Tag("pure")
final class MinimalSubsetSearchTest {
  private static final List<Integer> FORTY = IntStream.range(0, 40).boxed().toList();

  @Test
  void thoseThatAreNeededAreFound() {
    Random random = new Random(7 + Cases.seeds());
    for (int i = 0; i < Cases.of(200); i++) {
      TreeSet<Integer> needed = new TreeSet<>();
      int count = 1 + random.nextInt(6);
      for (int k = 0; k < count; k++) {
        needed.add(random.nextInt(40));
      }
      MinimalSubsetSearch.MinimalSubset<Integer> rest =
          MinimalSubsetSearch.of(FORTY, free(some -> some.containsAll(needed)));
      assertEquals(List.copyOf(needed), rest.kept());
      assertTrue(rest.least());
    }
  }

  @Test
  void eachThatIsKeptIsNeededWhereOnlyTheirNumberMatters() {
    for (int enough = 1; enough < 40; enough++) {
      int least = enough;
      MinimalSubsetSearch.MinimalSubset<Integer> rest =
          MinimalSubsetSearch.of(FORTY, free(some -> some.size() >= least));
      assertEquals(enough, rest.kept().size());
    }
  }

  @Test
  void withoutEffortThereAreMoreAndItIsSaid() {
    int[] asked = {0};
    MinimalSubsetSearch.MinimalSubset<Integer> rest =
        MinimalSubsetSearch.of(
            FORTY,
            some ->
                ++asked[0] > 3
                    ? MinimalSubsetSearch.Answer.NOT_ASKED
                    : some.contains(3)
                        ? MinimalSubsetSearch.Answer.YES
                        : MinimalSubsetSearch.Answer.NO);
    assertFalse(rest.least());
    assertTrue(rest.kept().contains(3));
    assertTrue(rest.kept().size() < 40, rest::toString);
  }

  private static <T> MinimalSubsetSearch.SufficiencyTest<T> free(Predicate<List<T>> enough) {
    return these ->
        enough.test(these) ? MinimalSubsetSearch.Answer.YES : MinimalSubsetSearch.Answer.NO;
  }
}
