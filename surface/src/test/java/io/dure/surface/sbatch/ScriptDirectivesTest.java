package io.dure.surface.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.surface.message.CommandException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class ScriptDirectivesTest {

  private static ScriptDirectives scan(String text) throws CommandException {
    String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return ScriptDirectives.scan(new BatchScript(bytes, "job.sh", "job.sh", null));
  }

  private static List<String> line(String text) throws CommandException {
    List<List<String>> lines = scan("#!/bin/sh\n" + text + "\n").components().getFirst();
    assertEquals(1, lines.size());
    return lines.get(0);
  }

  @Test
  void onlyTheExactPrefixAtTheStartCounts() throws CommandException {
    ScriptDirectives found =
        scan(
            """
            #!/bin/bash
            #SBATCH -n 1
            ##SBATCH -n 2
            # SBATCH -n 3
             #SBATCH -n 4
            #sbatch -n 5
            #SBATCH-n6

              \t
               # indented comment
            #SBATCH --time=7
            echo
            #SBATCH -n 8
            """);
    assertEquals(
        List.of(List.of("-n", "1"), List.of("-n6"), List.of("--time=7")),
        found.components().getFirst());
  }

  @Test
  void quotesGroupAndBackslashesEscape() throws CommandException {
    assertEquals(List.of("-J", "my job", "-c", "2"), line("#SBATCH -J \"my job\"\t-c 2"));
    assertEquals(List.of("--comment=it is", "x"), line("#SBATCH --comment='it is' x"));
    assertEquals(List.of("-J", "a b#c"), line("#SBATCH -J a\\ b\\#c # a comment -n 9"));
    assertEquals(List.of("-J", "a"), line("#SBATCH -J a#b"));
    assertEquals(List.of("--comment=#1"), line("#SBATCH --comment='#1'"));
    assertEquals(List.of("-J", "\""), line("#SBATCH -J \\\""));
    assertEquals(List.of(), line("#SBATCH"));
    assertEquals(List.of("-J", "두레"), line("#SBATCH -J 두레"));
  }

  @Test
  void anOpenQuoteIsFatal() {
    CommandException refusal =
        assertThrows(CommandException.class, () -> scan("#!/bin/sh\n#SBATCH -J \"my job\n"));
    assertEquals("job.sh: line 2: Unmatched `\"` in [#SBATCH -J \"my job]", refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"#SBATCH hetjob", "#SBATCH packjob", "#SLURM hetjob"})
  void linesBehindTheSeparatorAreOfTheNextComponent(String separator) throws CommandException {
    ScriptDirectives found =
        scan("#!/bin/sh\n#SBATCH -n1\n" + separator + "\n#SBATCH -n2\n#SBATCH -c3\n");
    assertEquals(2, found.components().size());
    assertEquals(List.of(List.of("-n1"), List.of()), found.components().getFirst());
    assertEquals(List.of(List.of(), List.of("-n2"), List.of("-c3")), found.components().getLast());
    assertEquals(separator.endsWith("packjob"), found.oldSeparator());
  }

  @Test
  void aColonPartsNothingInAScript() {
    CommandException refusal =
        assertThrows(CommandException.class, () -> line("#SBATCH -c1 : -n2 --mem=70"));
    assertEquals("job.sh: line 2: Unexpected `:` in [: -n2 --mem=70]", refusal.getMessage());
  }

  @Test
  void otherDialectsAreSeen() throws CommandException {
    assertEquals(
        new ForeignDirectives("#PBS", List.of(List.of("-l", "walltime=1"), List.of("-V"))),
        scan("#!/bin/sh\n#PBS -l walltime=1\n#BSUB -n 1\n#PBS -V # all\n").foreign());
    assertEquals(
        new ForeignDirectives("#BSUB", List.of(List.of("-n", "1"))),
        scan("#!/bin/sh\n#BSUB -n 1\n").foreign());
    assertNull(scan("#!/bin/sh\n#PBSX\n# PBS -n\ntrue\n#PBS -n\n").foreign());
    ScriptDirectives old = scan("#!/bin/sh\n#SLURM -n 2\n");
    assertTrue(old.oldPrefix());
    assertEquals(List.of(List.of("-n", "2")), old.components().getFirst());
  }
}
