package io.dure.rest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class FreshValueTest {
  private long now = 1000;
  private int made;
  private long costs;
  private boolean broken;

  private final FreshValue<Integer> value =
      new FreshValue<>(Duration.ofNanos(100), () -> now, this::make);

  private Integer make() throws IOException {
    if (broken) {
      throw new IOException("no controller");
    }
    now += costs;
    return ++made;
  }

  @Test
  void itIsMadeOnceForAllWhileItIsFresh() throws Exception {
    assertEquals(1, value.get());
    now += 99;
    assertEquals(1, value.get());
    now += 1;
    assertEquals(2, value.get());
  }

  @Test
  void whatTakesLongIsMadeSeldom() throws Exception {
    costs = 50;
    assertEquals(1, value.get());
    now += 499;
    assertEquals(1, value.get());
    now += 1;
    assertEquals(2, value.get());
  }

  @Test
  void aFailureIsNotKept() throws Exception {
    broken = true;
    assertThrows(IOException.class, value::get);
    broken = false;
    assertEquals(1, value.get());
  }
}
