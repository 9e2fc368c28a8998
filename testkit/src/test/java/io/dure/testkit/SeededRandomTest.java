package io.dure.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SeededRandomTest {
  @Test
  void theSameSeedGivesTheSameValues() {
    assertEquals(sample(SeededRandom.of(7)), sample(SeededRandom.of(7)));
    assertNotEquals(sample(SeededRandom.of(7)), sample(SeededRandom.of(8)));
  }

  private static List<String> sample(SeededRandom random) {
    return random.list(20, 20, any -> any.hostName() + any.between(1, 1000) + any.text(10));
  }

  @Test
  void everyRunOfAPropertySeesTheSameSeeds() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();
    SeededRandom.check("same", 5, random -> first.add(random.seed()));
    SeededRandom.check("same", 5, random -> second.add(random.seed()));
    assertEquals(Cases.of(5), new TreeSet<>(first).size());
    assertEquals(first, second);
  }

  @Test
  void aFailureNamesItsSeedAndTheSeedShowsItAgain() {
    List<Long> seeds = new ArrayList<>();
    SeededRandom.Property smallOnly =
        random -> {
          seeds.add(random.seed());
          assertTrue(random.between(0, 9) < 8);
        };
    AssertionError error =
        assertThrows(AssertionError.class, () -> SeededRandom.check("small", 1000, smallOnly));
    long failing = seeds.getLast();
    assertTrue(error.getMessage().startsWith("does not hold: small; "), error.getMessage());
    assertTrue(error.getMessage().contains("-Ddure.seed=" + failing + ";"), error.getMessage());
    assertThrows(AssertionError.class, () -> smallOnly.check(SeededRandom.of(failing)));
  }

  @Test
  void numbersReachBothEndsAndNoFurther() {
    TreeSet<Integer> seen = new TreeSet<>();
    SeededRandom random = SeededRandom.of(1);
    for (int i = 0; i < 1000; i++) {
      seen.add(random.between(-3, 3));
    }
    assertEquals(List.of(-3, -2, -1, 0, 1, 2, 3), List.copyOf(seen));
    assertEquals(Long.MAX_VALUE, random.between(Long.MAX_VALUE, Long.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> random.between(2, 1));
  }

  @Test
  void hostNamesAreHostNames() {
    SeededRandom.check(
        "a host name is letters, digits and dashes, and starts with a letter",
        500,
        random -> assertTrue(random.hostName().matches("[a-z][a-z0-9-]*[a-z0-9]|[a-z]")));
  }

  @Test
  void textSurvivesEncodingAndKeepsItsLength() {
    SeededRandom.check(
        "text is at most as long as asked and has no half surrogates",
        500,
        random -> {
          String text = random.text(40);
          assertTrue(text.length() <= 40);
          byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
          assertEquals(text, new String(encoded, StandardCharsets.UTF_8));
        });
  }

  @Test
  void shufflingKeepsTheElements() {
    List<Integer> numbers = List.of(1, 2, 3, 4, 5, 6, 7, 8);
    List<Integer> shuffled = SeededRandom.of(3).shuffled(numbers);
    assertNotEquals(numbers, shuffled);
    assertEquals(numbers, shuffled.stream().sorted().toList());
    assertFalse(SeededRandom.of(3).list(0, 0, SeededRandom::coin).iterator().hasNext());
  }
}
