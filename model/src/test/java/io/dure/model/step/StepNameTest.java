package io.dure.model.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class StepNameTest {
  @Test
  void eachIsReadAsItIsWritten() {
    for (StepName name :
        List.of(
            Step.BATCH,
            new StepName.ExternStep(),
            new StepName.InteractiveStep(),
            new StepName.NumberedStep(0),
            new StepName.NumberedStep(42))) {
      assertEquals(name, StepName.parse(name.text()));
      assertEquals(name, StepName.of(name.number()));
    }
  }

  @Test
  void thoseWithNamesHaveTheHighestNumbers() {
    assertEquals("4294967290", new StepName.InteractiveStep().id());
    assertEquals("4294967291", Step.BATCH.id());
    assertEquals("4294967292", Step.EXTERN.id());
    assertEquals("7", new StepName.NumberedStep(7).id());
  }

  @Test
  void whatIsNoStepIsNone() {
    for (String text : List.of("", "Batch", "-1", "+1", "01", "1.0", "99999999999")) {
      assertNull(StepName.parse(text), text);
    }
  }
}
