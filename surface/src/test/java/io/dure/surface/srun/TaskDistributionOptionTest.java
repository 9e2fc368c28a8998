package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.step.StepSpec.Distribution;
import io.dure.model.step.StepSpec.Level;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code --distribution} says, and how Slurm 22.05 tells it its tasks. */
@Tag("pure")
final class TaskDistributionOptionTest {
  private static TaskDistributionOption read(String text) {
    return TaskDistributionOption.parse(text);
  }

  @Test
  void aStarIsTheUsualOfItsLevel() {
    assertEquals("block", read("*").text());
    assertEquals("block:cyclic", read("*:cyclic").text());
    assertEquals("block:cyclic:block", read("*:*:block").text());
    assertEquals("block:cyclic:cyclic", read("*:*:*").text());
    assertEquals("block:block:block", read("block:block:*").text());
    assertEquals(List.of(Level.CYCLIC, Level.FCYCLIC), read("block:*:FCyclic").levels());
  }

  @Test
  void nodesArePackedOrNot() {
    assertEquals(Distribution.BLOCK, read("block").nodes());
    assertEquals(Distribution.PACKED, read("block:cyclic:block,Pack").nodes());
    assertEquals("block:cyclic:block,pack", read("block:cyclic:block,Pack").text());
    assertEquals(Distribution.EVEN, read("*,NoPack").nodes());
    assertEquals(Distribution.CYCLIC, read("cyclic,NoPack").nodes());
    assertEquals("cyclic,nopack", read("cyclic,NoPack").text());
  }

  @Test
  void planesHaveASize() {
    assertEquals(new TaskDistributionOption(Distribution.PLANE, 4, List.of(), ""), read("plane=4"));
    assertEquals("plane", read("plane=4").text());
  }
}
