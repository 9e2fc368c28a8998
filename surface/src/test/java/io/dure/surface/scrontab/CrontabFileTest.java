package io.dure.surface.scrontab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the lines of a crontab are. */
@Tag("pure")
class CrontabFileTest {
  private static List<String> entries(String text) {
    CrontabFile file = CrontabFile.read(text);
    assertEquals(List.of(), file.problems());
    return file.entries().stream()
        .map(one ->
            one.time().firstLine()
                + "-"
                + one.time().lastLine()
                + " "
                + one.time().schedule().text()
                + "|"
                + one.command()
                + "|"
                + one.options()
                + one.variables())
        .toList();
  }

  private static List<String> problems(String text) {
    return CrontabFile.read(text).problems().stream()
        .map(one -> one.firstLine() + "-" + one.lastLine() + " " + one.text())
        .toList();
  }

  @Test
  void optionsAreOfTheNextEntryAndSettingsOfAllBehind() {
    assertEquals(
        List.of(
            "5-7 */5 1-2 * * mon|echo \"$A\" # not a comment|[-t, 5, --comment=a b][A=1]",
            "10-10 @daily|true|[][B=x y, A=2 # b]"),
        entries(
            """
            # first

             A = 1\s
            # SCRON -t 7
            #SCRON -t 5 # minutes
            #SCRON --comment="a b"
              */5  1-2\t* * mon   echo "$A" # not a comment
            B='x y'
            A=2 # b
            @daily true\
            """));
  }

  @Test
  void eachWrongLineIsNamed() {
    assertEquals(
        List.of(
            "1-1 an entry has five fields and a command",
            "2-2 an entry has a command behind its time",
            "3-4 bad minute '61': it is from 0 to 59",
            "5-5 there is no '@reboot'",
            "6-6 an entry has a command behind its time",
            "7-8 Unmatched `\"` in [#SCRON \"a]",
            "7-8 no heterogeneous job here",
            "7-8 no entry stands behind these options"),
        problems(
            """
            * * * true
            * * * * *
            #SCRON -t 5
            61 * * * * true
            @reboot true
            @daily
            #SCRON "a
            #SCRON -t 1 hetjob -t 2
            """));
  }

  @Test
  void theLinesOfProblemsAreMarked() {
    CrontabFile file = CrontabFile.read("#SCRON -t 5\n61 * * * * true\n@daily true");
    assertEquals(
        "#BAD: #SCRON -t 5\n#BAD: 61 * * * * true\n@daily true\n", file.marked(file.problems()));
    assertEquals(List.of(), CrontabFile.read(file.marked(file.problems())).problems());
  }

  @Test
  void anEntryWithoutSomeOfItsOptionsIsNone() {
    CrontabFile file =
        CrontabFile.read("#SCRON -t 5\n#SCRON \"a\nA=b\n0 * * * * one\n5 * * * * two\n");
    assertEquals(
        List.of(new CrontabFile.Problem(1, 4, "Unmatched `\"` in [#SCRON \"a]")), file.problems());
    assertEquals(
        List.of("5 * * * *"),
        file.entries().stream().map(one -> one.time().schedule().text()).toList());
    String marked = file.marked(file.problems());
    assertEquals(
        "#BAD: #SCRON -t 5\n#BAD: #SCRON \"a\nA=b\n#BAD: 0 * * * * one\n5 * * * * two\n", marked);
    assertEquals(List.of("5-5 5 * * * *|two|[][A=b]"), entries(marked));
  }

  @Test
  void optionsWithoutAnEntryAreAProblem() {
    CrontabFile file = CrontabFile.read("@daily true\n#SCRON -t 5\n# more\n#SCRON -p a\n\nA=b\n");
    assertEquals(
        List.of(new CrontabFile.Problem(2, 4, "no entry stands behind these options")),
        file.problems());
    String marked = file.marked(file.problems());
    assertEquals("@daily true\n#BAD: #SCRON -t 5\n# more\n#BAD: #SCRON -p a\n\nA=b\n", marked);
    assertEquals(List.of(), CrontabFile.read(marked).problems());
  }

  @Test
  void bytesOfOtherAlphabetsStayAsTheyAre() {
    String korean = new String("두레".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    CrontabFile file = CrontabFile.read("A=" + korean + "\n* * * * * echo " + korean + "\n");
    assertEquals("echo " + korean, file.entries().getFirst().command());
    assertEquals(List.of("A=두레"), file.entries().getFirst().variables());
    assertEquals(
        List.of("1-1 bad minute '두레': '두레' is not a value of it"),
        problems(korean + " * * * * true\n"));
  }

  @Test
  void anEmptyOneHasNothing() {
    assertEquals(new CrontabFile("", List.of(), List.of()), CrontabFile.read(""));
    assertEquals(List.of(), entries("\n\n#\n"));
  }

  @Test
  void aWordThatOnlyBeginsLikeOptionsIsAComment() {
    assertEquals(
        List.of("2-4 @daily|true|[-t, 5][]"),
        entries("#SCRONTAB of all\n#SCRON\t-t 5\n#SCRON\n@daily true\n"));
  }

  @Test
  void onlyTheLinesOfAWrongEntryAreMarked() {
    CrontabFile file =
        CrontabFile.read("#SCRON -t 5\nFOO=bar\n#SCRONTAB\n61 * * * * a\n5 * * * * b\n");
    assertEquals(
        "#BAD: #SCRON -t 5\nFOO=bar\n#SCRONTAB\n#BAD: 61 * * * * a\n5 * * * * b\n",
        file.marked(file.problems()));
  }
}
