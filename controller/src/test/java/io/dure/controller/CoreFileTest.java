package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where the core file of a controller belongs. */
@Tag("pure")
final class CoreFileTest {
  private static final Path STATE = Path.of("/var/spool/slurmctld");
  private static final Path LAST = Path.of("/var/tmp");

  @Test
  void itLiesBesideTheLogWhereThatIsAbsolute() {
    assertEquals(
        List.of(Path.of("/var/log/slurm"), STATE, LAST),
        CoreFile.directories("/var/log/slurm/slurmctld.log", STATE.toString()));
    assertEquals(List.of(STATE, LAST), CoreFile.directories("slurmctld.log", STATE.toString()));
    assertEquals(List.of(STATE, LAST), CoreFile.directories("", STATE.toString()));
  }
}
