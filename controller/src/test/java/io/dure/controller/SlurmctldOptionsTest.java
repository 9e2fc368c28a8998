package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command line of the controller. */
@Tag("pure")
class SlurmctldOptionsTest {
  @Test
  void optionsOfSlurmAreTaken() throws SlurmctldOptions.UsageException {
    SlurmctldOptions found = SlurmctldOptions.parse(new String[] {"-c", "-i", "-vvn", "5", "-Lx"});
    assertEquals(SlurmctldOptions.Kept.NOTHING, found.recovery());
    assertEquals(2, found.verbosity());
    assertEquals("x", found.logFile());
    assertEquals(SlurmctldOptions.Action.RUN, found.action());
  }

  @Test
  void othersAreNot() {
    assertThrows(
        SlurmctldOptions.UsageException.class, () -> SlurmctldOptions.parse(new String[] {"-Z"}));
  }
}
