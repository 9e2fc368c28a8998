package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class BindOptionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none|quiet,none",
        "v,cores|verbose,cores",
        "verbose,map_cpu:0,2*3,0x4|verbose,map_cpu:0,2*3,0x4",
        "mask_cpu:0x1,FF|quiet,mask_cpu:1,ff",
        "verbose|verbose",
      })
  void theVariableSaysWhatWasAsked(String argument, String variable) throws CommandException {
    assertEquals(
        variable, BindOption.cpu(argument).variables("SLURM_CPU_BIND").get("SLURM_CPU_BIND"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing|unrecognized --cpu-bind argument \"nothing\"",
        "map_cpu|missing list for \"--cpu-bind=map_cpu:<list>\"",
        "map_cpu:x|Failed to validate number: x, the offending character is x",
        "mask_cpu:xyz|Failed to validate number: xyz, the offending character is x",
        "map_cpu:1*|Failed to validate number: 1*, the offending character is ",
        "cores:1|unrecognized --cpu-bind argument \"cores:1\"",
      })
  void aMistakeIsNamed(String argument, String text) {
    CommandException e = assertThrows(CommandException.class, () -> BindOption.cpu(argument));
    assertEquals(1, e.exitCode());
    assertEquals(
        List.of(text.strip(), "Failed to parse --cpu-bind= values."),
        e.messages().stream().map(StderrMessage::text).map(String::strip).toList());
  }

  @Test
  void memoryHasItsOwnWords() throws CommandException {
    assertEquals(
        List.of("quiet,map_mem:0", "0", "map_mem:", "quiet"),
        List.copyOf(BindOption.memory("map_mem:0").variables("SLURM_MEM_BIND").values()));
    assertThrows(CommandException.class, () -> BindOption.memory("cores"));
  }
}
