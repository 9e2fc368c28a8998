package io.dure.cli.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.step.MpiInterface;
import io.dure.protocol.StepLaunchOrder.MpiService;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The types of MPI; texts are those of srun of Slurm 22.05. */
@Tag("pure")
class MpiTypeTest {
  private static final WallClock CLOCK = new WallClock.Fixed(Instant.EPOCH, ZoneOffset.UTC);

  private static SrunSettings settings(String type) throws CommandException {
    SrunSettings settings = new SrunSettings(new SbatchOptionCheck(CLOCK));
    settings.set(SrunOption.MPI, "--mpi", type, SbatchSettings.Source.COMMAND_LINE);
    return settings;
  }

  private static MpiService service(String type) throws CommandException {
    return MpiType.service(settings(type));
  }

  @Test
  void pmixHasAnyOfItsVersions() throws CommandException {
    assertEquals(MpiInterface.PMIX, service("pmix").type());
    assertEquals(MpiInterface.PMIX, service("pmix_v4").type());
    assertEquals(MpiInterface.PMI2, service("pmi2").type());
  }

  @Test
  void eachStepHasItsOwnToken() throws CommandException {
    String token = service("pmix").token();
    assertTrue(token.matches("[0-9a-f]{32}"), token);
    assertNotEquals(token, service("pmix").token());
  }

  @Test
  void whereNothingIsSaidTheNodesDecide() throws CommandException {
    assertEquals(MpiInterface.NONE, service("none").type());
    assertEquals(MpiInterface.NONE, service("openmpi").type());
    assertNull(MpiType.service(new SrunSettings(new SbatchOptionCheck(CLOCK))).type());
  }

  @Test
  void whatIsNoTypeIsRefused() {
    CommandException refused = assertThrows(CommandException.class, () -> service("foo"));
    assertEquals(1, refused.exitCode());
    assertEquals(
        List.of(
            "Couldn't find the specified plugin name for mpi/foo looking at all files",
            "cannot find mpi plugin for mpi/foo",
            "MPI: Cannot create context for mpi/foo",
            "MPI: Unable to load any plugin",
            "Invalid MPI type 'foo', --mpi=list for acceptable types"),
        refused.messages().stream().map(StderrMessage::text).toList());
  }

  @Test
  void aListIsAskedForByItsName() throws CommandException {
    assertTrue(MpiType.isListed(settings("list")));
  }
}
