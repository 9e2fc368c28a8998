package io.dure.conventions.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class RatchetTest {
  private static final Finding LONG =
      new Finding("file-lines", "A.java", 510, "A.java", "510 lines, at most 500");
  private static final Finding BARE =
      new Finding("public-javadoc", "A.java", 1, "A.java:3", "no Javadoc");

  private static List<String> judge(String exceptions, Finding... findings) {
    return Ratchet.read(exceptions).judge(List.of(findings));
  }

  @Test
  void aFindingWithoutAnExceptionFails() {
    assertEquals(
        List.of("A.java: 510 lines, at most 500 [file-lines]"), judge("# nothing\n", LONG));
  }

  @Test
  void anExactExceptionHoldsAndSeveralFindingsAddUp() {
    assertEquals(
        List.of(),
        judge(
            "file-lines A.java 510 # one table\npublic-javadoc A.java 2 # later\n",
            LONG,
            BARE,
            BARE));
  }

  @Test
  void whatGrewFails() {
    assertEquals(
        List.of("A.java: 510 lines, at most 500 [file-lines]"),
        judge("file-lines A.java 505 # a table", LONG));
  }

  @Test
  void whatShrankMustBeLowered() {
    assertEquals(
        List.of(
            "exceptions, line 2: lower 520 to 510: A.java: 510 lines, at most 500 [file-lines]"),
        judge("# first\nfile-lines A.java 520 # a table", LONG));
  }

  @Test
  void whatIsMendedMustGo() {
    assertEquals(
        List.of("exceptions, line 1: no longer needed, take it out: file-lines A.java"),
        judge("file-lines A.java 520 # a table"));
  }

  @Test
  void everyEntryIsWellFormedOnceAndHasAReason() {
    assertEquals(
        List.of(
            "exceptions, line 2: listed twice",
            "exceptions, line 3: no reason",
            "exceptions, line 4: not RULE SUBJECT AMOUNT # REASON"),
        judge(
            "file-lines A.java 510 # a table\nfile-lines A.java 510 # again\nfile-lines B.java 510\nfile-lines # what\n",
            LONG));
  }
}
