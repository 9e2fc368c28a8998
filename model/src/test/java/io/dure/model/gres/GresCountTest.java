package io.dure.model.gres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Words for numbers of generic resources. */
@Tag("pure")
class GresCountTest {
  @Test
  void aTypeMayBeginWithADigitButIsNoNumber() {
    assertEquals(
        List.of(
            new GresCount("gpu", "1g.5gb", 2),
            new GresCount("gpu", "3g.20gb", 1),
            new GresCount("gpu", "a100", 1),
            new GresCount("gpu", null, 4)),
        GresCount.list("gpu:1g.5gb:2,gpu:3g.20gb,gpu:a100:1,gpu:4"));
    assertEquals(List.of(new GresCount("shard", null, 4L << 30)), GresCount.list("shard:4G"));
    for (String wrong : List.of("gpu:2:2", "gpu:4G:1", "gpu:1g.5gb:x", "4:2", "1g.5gb")) {
      assertNull(GresCount.list(wrong), wrong);
    }
  }
}
