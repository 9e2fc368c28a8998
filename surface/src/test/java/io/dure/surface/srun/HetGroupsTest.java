package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class HetGroupsTest {
  private static final Map<String, String> TWO =
      Map.of(
          "SLURM_HET_SIZE", "2",
          "SLURM_JOB_ID", "7",
          "SLURM_NTASKS", "3",
          "SLURM_NTASKS_HET_GROUP_1", "2",
          "SLURM_JOB_NUM_NODES_HET_GROUP_1", "4");

  @Test
  void aColonPartsTheArguments() {
    assertEquals(
        List.of(List.of("-n1", "a"), List.of("-n2", "b")),
        HetGroups.parts(List.of("-n1", "a", ":", "-n2", "b")));
  }

  @Test
  void groupsAreChosenByNumberOrPlace() throws CommandException {
    HetGroups groups = new HetGroups(TWO);
    assertEquals(List.of(1), groups.chosen(null, 1));
    assertEquals(List.of(0, 1), groups.chosen("1,0", 0));
    assertEquals(List.of(0, 1), groups.chosen("0-1", 0));
  }

  @ParameterizedTest
  @CsvSource({
    "2,'Requested het-group offset exceeds highest hetjob index (2 > 1)'",
    "x,_parse_single_range: Invalid range: `x'",
    "1-x,_parse_single_range: Invalid range: `1-x'",
  })
  void aGroupThatThereIsNotIsRefused(String asked, String text) {
    CommandException e =
        assertThrows(CommandException.class, () -> new HetGroups(TWO).chosen(asked, 0));
    assertEquals(text, first(e));
  }

  private static String first(CommandException e) {
    return e.messages().stream().map(StderrMessage::text).findFirst().orElse("");
  }

  @Test
  void aComponentSeesItsOwnNumbers() {
    HetGroups groups = new HetGroups(TWO);
    assertEquals("2", groups.environment(1).get("SLURM_NTASKS"));
    assertEquals("4", groups.environment(1).get("SLURM_NNODES"));
    assertNull(groups.environment(0).get("SLURM_NTASKS"));
    assertEquals(Map.of("A", "b"), new HetGroups(Map.of("A", "b")).environment(0));
  }
}
