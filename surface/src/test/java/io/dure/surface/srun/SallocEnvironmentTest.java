package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.CallerFiles;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchEnvironment;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.WallClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Variables in the place of options of {@code salloc}. */
@Tag("pure")
class SallocEnvironmentTest {
  private static final WallClock CLOCK = new WallClock.Fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final SallocSettings settings = new SallocSettings(new SbatchOptionCheck(CLOCK));

  @ParameterizedTest
  @CsvSource({
    "SALLOC_ACCOUNT,physics,ACCOUNT",
    "SALLOC_BURST_BUFFER,capacity=1,BB",
    "SLURM_CLUSTERS,east,CLUSTERS",
    "SLURM_HINT,nomultithread,HINT",
    "SALLOC_MEM_PER_NODE,2G,MEM",
    "SALLOC_PARTITION,long,PARTITION",
    "SALLOC_TIMELIMIT,10,TIME",
    "SALLOC_REQ_SWITCH,2,SWITCHES",
    "SALLOC_EXCLUSIVE,user,EXCLUSIVE",
    "SALLOC_NO_KILL,off,NO_KILL",
    "SALLOC_IMMEDIATE,30,IMMEDIATE",
    "SALLOC_IMMEDIATE,1,IMMEDIATE",
    "SALLOC_KILL_CMD,INT,KILL_COMMAND",
  })
  void aVariableGivesAnOptionItsArgument(String name, String text, SallocOption option)
      throws CommandException {
    SallocEnvironment.apply(Map.of(name, text), settings);
    assertEquals(text, settings.value(option));
  }

  @Test
  void aVariableThatSaysYesSetsAnOptionWithoutAnArgument() throws CommandException {
    SallocEnvironment.apply(
        Map.of(
            "SALLOC_EXCLUSIVE", "yes",
            "SALLOC_OVERCOMMIT", "1",
            "SALLOC_KILL_CMD", "",
            "SALLOC_PARTITION", ""),
        settings);
    assertTrue(settings.has(SallocOption.EXCLUSIVE));
    assertNull(settings.value(SallocOption.EXCLUSIVE));
    assertTrue(settings.has(SallocOption.OVERCOMMIT));
    assertEquals("", settings.value(SallocOption.KILL_COMMAND));
    assertFalse(settings.has(SallocOption.PARTITION));
  }

  @Test
  void theWaitForSwitchesHasAVariableOfItsOwn() throws CommandException {
    SallocEnvironment.apply(
        Map.of("SALLOC_REQ_SWITCH", "1", "SALLOC_WAIT4SWITCH", "0:30"), settings);
    assertEquals(Duration.ofSeconds(30), switchWait(settings.shared()));
    SbatchSettings.Source line = SbatchSettings.Source.COMMAND_LINE;
    settings.set(SallocOption.SWITCHES, "--switches", "2", line);
    assertEquals(Duration.ofSeconds(30), switchWait(settings.shared()));
    settings.set(SallocOption.SWITCHES, "--switches", "2@5", line);
    assertEquals(Duration.ofMinutes(5), switchWait(settings.shared()));
  }

  @Test
  void sbatchAndSrunHaveSuchVariablesToo() throws CommandException {
    SbatchSettings sbatch = new SbatchSettings((option, name, value) -> {});
    SbatchEnvironment.apply(Map.of("SBATCH_REQ_SWITCH", "1", "SBATCH_WAIT4SWITCH", "0"), sbatch);
    assertEquals(Duration.ZERO, switchWait(sbatch));
    SrunSettings srun = new SrunSettings((option, name, value) -> {});
    SrunEnvironment.apply(Map.of("SLURM_REQ_SWITCH", "1", "SLURM_WAIT4SWITCH", "1-0"), srun);
    assertEquals(Duration.ofDays(1), switchWait(srun.shared()));
    SrunEnvironment.apply(Map.of("SLURM_WAIT4SWITCH", "soon"), srun);
    assertNull(switchWait(srun.shared()));
  }

  private static final CallerFiles NO_FILES =
      new CallerFiles() {
        @Override
        public InputStream read(Path file) throws IOException {
          throw new IOException("No such file or directory");
        }

        @Override
        public boolean hasFile(Path file) {
          return false;
        }
      };

  private static @Nullable Duration switchWait(SbatchSettings settings) throws CommandException {
    return new JobSpecBuilder(settings, CLOCK, new NodeListOptions(Path.of("/"), NO_FILES))
        .spec("true")
        .resources()
        .reach()
        .switchWait();
  }

  @Test
  void theCommandLineWins() throws CommandException {
    SallocEnvironment.apply(
        Map.of("SALLOC_MEM_PER_CPU", "1G", "SALLOC_BELL", "1", "SALLOC_DEBUG", "2"), settings);
    SbatchSettings.Source line = SbatchSettings.Source.COMMAND_LINE;
    settings.set(SallocOption.MEM, "--mem", "4G", line);
    settings.set(SallocOption.NO_BELL, "--no-bell", null, line);
    assertEquals("4G", settings.value(SallocOption.MEM));
    assertFalse(settings.has(SallocOption.MEM_PER_CPU));
    assertFalse(settings.has(SallocOption.BELL));
    assertEquals(2, settings.shared().verbosity());
  }

  @Test
  void aVariableIsRefusedAsItsOptionIs() {
    CommandException e =
        assertThrows(
            CommandException.class,
            () -> SallocEnvironment.apply(Map.of("SALLOC_TIMELIMIT", "soon"), settings));
    assertEquals("Invalid --time specification", e.messages().getFirst().text());
    assertThrows(
        CommandException.class,
        () -> SallocEnvironment.apply(Map.of("SALLOC_IMMEDIATE", "soon"), settings));
  }
}
