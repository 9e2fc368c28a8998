package io.dure.node.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.protocol.step.GpuFigures;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lines of a profile. */
@Tag("pure")
class ProfileTableTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_250L);

  private final ProfileTable table = new ProfileTable();

  /** That of a task which began ten seconds after the machine. */
  private static TaskPoint task(int rank, long seconds, long memory, long bytes) {
    return new TaskPoint(
        rank,
        1000,
        seconds * 1_000_000,
        memory,
        2 * memory,
        seconds,
        bytes,
        2 * bytes,
        2600,
        rank == 3 ? null : new GpuFigures(40, 3 << 20));
  }

  @Test
  void aLineSaysWhatWasUsedSinceTheOneBefore() {
    assertEquals(
        """
        1700000000.250,4.00,0,2600,2.00,50.0,10,20,2,1.000,2.000,3,40
        1700000000.250,4.00,3,2600,0.00,0.0,0,0,0,0.000,0.000,0,0
        """,
        table.lines(List.of(task(0, 2, 10_240, 1 << 20), task(3, 0, 0, 0)), NOW, 14));
    assertEquals(
        "1700000005.250,9.00,0,2600,5.00,100.0,5,10,5,0.500,1.000,3,40\n",
        table.lines(List.of(task(0, 7, 5_120, 3 << 19)), NOW.plusSeconds(5), 19));
  }

  @Test
  void aTaskOfThisMomentHasUsedNothingYet() {
    assertEquals(
        "1700000000.250,0.00,0,2600,0.00,0.0,0,0,0,0.000,0.000,3,40\n",
        table.lines(List.of(task(0, 0, 0, 0)), NOW, 10));
  }
}
