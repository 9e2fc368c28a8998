package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.programpath.ProgramPattern;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The paths of an administrator's programs. */
@Tag("pure")
class ProgramPatternTest {

  private static ProgramPattern pattern(String text) {
    ProgramPattern pattern = ProgramPattern.parse(text);
    assertNotNull(pattern, text);
    return pattern;
  }

  private static List<String> of(String text, String... names) {
    ProgramPattern pattern = pattern(text);
    return Stream.of(names).filter(pattern::matches).toList();
  }

  @Test
  void aPlainPathIsItself() {
    assertTrue(pattern("/etc/slurm/prolog.sh").isPath());
    assertTrue(pattern("/etc/a[b/prolog {1}.sh").isPath());
    assertEquals("/etc/slurm/", pattern("/etc/slurm/prolog.sh").directory());
    assertEquals("", pattern("prolog").directory());
    assertEquals(List.of("p+"), of("/p+", "p+", "pp", ".p+"));
  }

  @Test
  void lettersThatStandForOthers() {
    assertEquals(List.of("a.sh", "b.c.sh"), of("/d/*.sh", "a.sh", "b.c.sh", ".x.sh", "a.shx"));
    assertEquals(List.of(".x.sh"), of("/d/.*.sh", "a.sh", ".x.sh"));
    assertEquals(List.of("ab", "a."), of("/d/a?", "ab", "a.", "a", "abc"));
    assertEquals(List.of("a1", "a9", "ax"), of("/d/a[0-9x]", "a1", "a9", "ax", "a-", "ay"));
    assertEquals(List.of("a-", "ay"), of("/d/a[!0-9x]", "a1", "a9", "ax", "a-", "ay"));
    assertEquals(List.of("a]", "a-"), of("/d/a[]-]", "a]", "a-", "ab"));
    assertEquals(List.of("a*b"), of("/d/a\\*[b]", "a*b", "axb"));
    assertEquals(List.of("{a,b}&&1"), of("/d/{a,b}[&][&]?", "{a,b}&&1", "a&&1"));
  }

  @Test
  void whatCannotBeUnderstood() {
    for (String bad : List.of("/d/p[ro.sh", "/d/*[]", "/d/*[!]", "/d/*[z-a]", "/d/*\\", "/d/a\0")) {
      assertNull(ProgramPattern.parse(bad), bad);
    }
  }

  @Test
  void theFileIsRefusedWithTheLine() {
    for (String key :
        List.of("Prolog", "Epilog", "PrologSlurmctld", "EpilogSlurmctld", "HealthCheckProgram")) {
      assertEquals(
          List.of(
              "5 "
                  + key
                  + ": value (/tmp/p[ro.sh) is not the path of a program, or a pattern in which"
                  + " each [ has its ]"),
          ConfText.found(
              ConfText.with(key + "=/tmp/p[ro.sh\n" + key + "=/tmp/p[ro].sh\n"), Severity.ERROR));
    }
  }

  @Test
  void severalAreKept() {
    assertEquals(
        List.of("/a/*", "/b"),
        ConfText.with("Prolog=/a/*\nProlog=/b\n").config().settings().scripts().prolog());
  }
}
