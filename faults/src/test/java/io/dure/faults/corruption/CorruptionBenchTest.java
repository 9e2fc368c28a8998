package io.dure.faults.corruption;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.testkit.Cases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A part of {@code ./dure bench corruption}, which plants more. */
@Tag("pure")
class CorruptionBenchTest {
  private static final int COUNT = Cases.of(18);

  @Test
  void theSameDamageIsMetAsPromised() throws Exception {
    assertEquals(0, new CorruptionBench(System.out).run(7, COUNT), "see above");
  }

  @Test
  void freshDamageIsMetAsPromised() throws Exception {
    long seed = Long.getLong("dure.corruption.seed", 1 + Cases.seeds());
    System.out.println("corruption: -Ddure.corruption.seed=" + seed + " for the same again");
    assertEquals(0, new CorruptionBench(System.out).run(seed, COUNT), "see above");
  }
}
