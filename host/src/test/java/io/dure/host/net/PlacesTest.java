package io.dure.host.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody takes all connections. */
@Tag("pure")
final class PlacesTest {
  private final Places<Integer> places = new Places<>("user", 4, Set.of(0));

  @Test
  void oneCallerHasHalfOfThem() {
    assertTrue(places.take(1));
    assertTrue(places.take(1));
    assertFalse(places.take(1));
    assertTrue(places.take(2));
    places.giveBack(1);
    assertTrue(places.take(1));
    assertFalse(places.take(1));
  }

  @Test
  void rootGetsInWhateverUsersDo() {
    for (int user : new int[] {1, 1, 2, 2}) {
      assertTrue(places.take(user));
    }
    assertFalse(places.take(3));
    assertTrue(places.take(0));
    places.giveBack(0);
    assertFalse(places.take(3));
    places.giveBack(1);
    assertTrue(places.take(3));
  }

  @Test
  void fewDescriptorsAreFewPlaces() {
    assertEquals(768, Places.affordable(1024, 16_384));
    assertEquals(16_384, Places.affordable(Long.MAX_VALUE, 16_384));
    assertEquals(64, Places.affordable(100, 16_384));
  }

  @Test
  void oneCallerMayHaveLessThanHalf() {
    Places<Integer> few = new Places<>("user", 8, 1, Set.of());
    assertTrue(few.take(1));
    assertFalse(few.take(1));
    assertTrue(few.take(2));
  }
}
