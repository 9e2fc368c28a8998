package io.dure.simulator.corruption;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** A part of {@code ./dure bench corruption}, which plants more. */
class CorruptionTest {
  private static final int COUNT = 18;

  @Test
  void theSameDamageIsMetAsPromised() throws Exception {
    assertEquals(0, new Corruption(System.out).run(7, COUNT), "see above");
  }

  @Test
  void freshDamageIsMetAsPromised() throws Exception {
    long seed = Long.getLong("dure.corruption.seed", new SecureRandom().nextInt(1_000_000_000));
    System.out.println("corruption: -Ddure.corruption.seed=" + seed + " for the same again");
    assertEquals(0, new Corruption(System.out).run(seed, COUNT), "see above");
  }
}
