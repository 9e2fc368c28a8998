package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.CommandRegistry;
import io.dure.cli.command.FakeContext;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of Slurm's help texts by which programs find what a command can do. */
@Tag("pure")
class HelpFramesTest {

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--usage"})
  void programsFindTheFrame(String option) {
    holds(
        lines("scontrol", option),
        "scontrol [<OPTION>] [<COMMAND>]",
        "Valid <OPTION> values are:",
        "Valid <COMMAND> values are:");
    holds(
        lines("sacctmgr", option),
        "sacctmgr [<OPTION>] [<COMMAND>]",
        "Valid <OPTION> values are:",
        "Valid <COMMAND> values are:");
    holds(lines("sshare", option), "Usage:  sshare [OPTION]", "Valid OPTIONs are:");
  }

  private static List<String> lines(String command, String option) {
    FakeContext world = new FakeContext();
    assertEquals(
        0,
        Objects.requireNonNull(CommandRegistry.forUsers(command)).run(world.call(command, option)));
    assertEquals("", world.errors());
    return world.printed().lines().map(String::strip).toList();
  }

  private static void holds(List<String> lines, String... wanted) {
    assertTrue(lines.containsAll(List.of(wanted)), () -> String.join("\n", lines));
  }
}
