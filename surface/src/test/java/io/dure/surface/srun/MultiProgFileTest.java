package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.model.step.TaskProgram;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class MultiProgFileTest {
  private static List<String> of(String text, int tasks, int rank) throws CommandException {
    List<TaskProgram> programs = new MultiProgFile("conf", tasks, List.of()).read(text);
    return TaskProgram.argumentsOf(programs, rank);
  }

  @Test
  void rangesSayWhichTasksRunWhat() throws CommandException {
    String text = "# a comment\n\n0,2 echo even\n1,3-4\techo %t:%o\n* echo rest %t %o\n";
    assertEquals(List.of("echo", "even"), of(text, 6, 2));
    assertEquals(List.of("echo", "4:2"), of(text, 6, 4));
    assertEquals(List.of("echo", "rest", "5", "5"), of(text, 6, 5));
  }

  @Test
  void singleQuotesHoldWordsTogetherAndDoubleOnesDoNot() throws CommandException {
    String text = "0 bash -c 'echo a  b'\n1 echo \"c  d\" e\\ f # no comment\n";
    assertEquals(List.of("bash", "-c", "echo a  b"), of(text, 2, 0));
    assertEquals(List.of("echo", "\"c", "d\"", "e", "f", "#", "no", "comment"), of(text, 2, 1));
  }

  @Test
  void aBackslashAtItsEndContinuesALine() throws CommandException {
    assertEquals(List.of("echo", "one", "", "two"), of("0 echo one \\\n  two\n", 1, 0));
    assertEquals(List.of("echo", "one"), of("0 echo one\\", 1, 0));
  }

  @Test
  void eachProgramGetsTheArgumentsBehindTheFile() throws CommandException {
    List<TaskProgram> programs =
        new MultiProgFile("conf", 2, List.of("more", "words")).read("0-1 echo base");
    assertEquals(List.of("echo", "base", "more", "words"), TaskProgram.argumentsOf(programs, 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 a;2 b|Configuration file conf invalid, no record for task id 1",
        "0-9 a|Invalid task id, 9 >= ntasks;Line 1 of configuration file conf invalid",
        "0-1 a;1 b|Duplicate record for task 1;Line 2 of configuration file conf invalid",
        "zero a|Invalid task range specification (zero);Line 1 of configuration file conf invalid",
        "2-1 a|Invalid task range specification (2-1);Line 1 of configuration file conf invalid",
        "0,,1 a|Invalid task range specification (0,,1);Line 1 of configuration file conf invalid",
        "0-2|Line 1 of configuration file conf invalid",
        "9999999999 a|Invalid task range specification (9999999999);"
            + "Line 1 of configuration file conf invalid",
      })
  void aMistakeIsNamedWithItsLine(String lines, String messages) {
    CommandException e =
        assertThrows(CommandException.class, () -> of(lines.replace(';', '\n'), 3, 0));
    assertEquals(1, e.exitCode());
    assertEquals(
        List.of(messages.split(";")), e.messages().stream().map(StderrMessage::text).toList());
  }
}
