package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

@Tag("process")
final class CommandRehearsalTest {
  /** What fails early compiles nothing of what comes after. */
  @Test
  void eachCallGetsToItsAnswer() {
    CommandRehearsal rehearsal =
        new CommandRehearsal(Map.of("SBATCH_PARTITION", "main"), NOPLogger.NOP_LOGGER);
    assertEquals(CommandRehearsal.TIMES, rehearsal.run());
  }
}
