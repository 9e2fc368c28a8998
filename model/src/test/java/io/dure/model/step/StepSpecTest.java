package io.dure.model.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
final class StepSpecTest {
  private static String kept(String line) {
    StepSpec spec = StepSpec.of("x", 1).withSubmitLine(line);
    return Objects.requireNonNull(spec.submitLine());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "é", "두", "😀"})
  void aLongCommandLineIsCutByWholeCharacters(String letter) {
    String line = letter.repeat(2000);
    String kept = kept(line);
    int bytes = kept.getBytes(StandardCharsets.UTF_8).length;
    int ofLetter = letter.getBytes(StandardCharsets.UTF_8).length;
    assertTrue(line.startsWith(kept));
    assertEquals(1000 / ofLetter * ofLetter, bytes);
    assertEquals("srun " + letter, kept("srun " + letter));
  }
}
