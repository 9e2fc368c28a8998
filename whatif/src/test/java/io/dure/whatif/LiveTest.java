package io.dure.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.twin.simulate.SimulateUsageException;
import io.dure.twin.trace.WrittenJournal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What-ifs that begin from the journal of a controller. */
@Tag("pure")
class LiveTest {
  @TempDir Path folder;

  @BeforeEach
  void aCluster() throws Exception {
    Files.createDirectory(folder.resolve("state"));
    WrittenJournal.write(folder.resolve("state"));
    Files.writeString(
        folder.resolve("slurm.conf"),
        "ClusterName=site\nSlurmctldHost=head\nStateSaveLocation="
            + folder.resolve("state")
            + "\n");
  }

  private WhatIfComparison answer(long second, String... words) throws Exception {
    PrintStream silent = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    WhatIfCommand.WhatIfEnvironment around =
        new WhatIfCommand.WhatIfEnvironment(
            folder,
            folder.resolve("slurm.conf"),
            "ann",
            () -> WrittenJournal.at(second),
            ZoneOffset.UTC,
            () -> 1L,
            false);
    List<String> all = new ArrayList<>(Arrays.asList(words));
    return new WhatIfCommand(silent, silent, around)
        .compare(new WhatIfOptionReader(folder).read(all));
  }

  private static List<String> starts(ScenarioResult outcome) {
    List<String> starts = new ArrayList<>();
    for (WhatIfJobResult fate : outcome.fates()) {
      Long start = fate.start();
      String at =
          start == null ? "-" : Long.toString(start - WrittenJournal.BEGIN.getEpochSecond());
      starts.add(fate.who().name() + " " + at);
    }
    return starts;
  }

  @Test
  void theClusterNowGoesOnWithWhatRunsAndWaits() throws Exception {
    WhatIfComparison answer = answer(1000, "--drain", "n1", "--or", "--submit", "-n 4 -t 10");
    assertEquals(1, answer.running());
    assertEquals(2, answer.waiting());
    // 5 holds n2 since second 430; the tasks of 7, two at a time at most, find n1 free.
    assertEquals(List.of("5 430", "7_4 1000"), starts(answer.base()).subList(0, 2));
    WhatIfJobResult second = answer.base().fates().get(2);
    assertTrue(second.start() > WrittenJournal.at(1000).getEpochSecond(), second.toString());
    // With n1 drained both wait for the end of 5, whose limit is in second 4030.
    List<String> drained = starts(answer.outcomes().get(1));
    assertEquals("5 430", drained.getFirst());
    assertTrue(
        answer.outcomes().get(1).fates().get(1).start() > answer.base().fates().get(1).start());
    assertEquals(1, answer.outcomes().get(2).submitted().size());
  }

  @Test
  void aDayOfThePastHasItsArrivalsAndItsRunTimes() throws Exception {
    WhatIfComparison answer =
        answer(90_000, "--from", "2026-11-20T00:01:40", "--for", "2h", "--drain", "n2");
    // 2 asks for eight cores and waits for 1 to end in second 310; 4 might have held it up, and
    // follows it.
    assertEquals(List.of("1 10", "2 310", "4 360", "5 360", "7_3 600"), starts(answer.base()));
    assertEquals(1, answer.running());
    assertEquals(1, answer.waiting());
    assertEquals("2 -", starts(answer.outcomes().get(1)).get(1));
    answer = answer(90_000, "--day", "2026-11-20", "--drain", "n2");
    assertEquals(0, answer.running());
  }

  /** 5 runs from second 430 on, and still does when the journal ends in second 1000. */
  @Test
  void whatStillRunsAtTheEndHasRunThatLongWheneverItIsLookedAt() throws Exception {
    String before = "2026-11-20T00:06:40";
    WhatIfComparison answer = answer(1000, "--from", before, "--for", "2h", "--drain", "n1");
    WhatIfJobResult five = answer.base().fates().stream().filter(is("5")).findFirst().orElseThrow();
    assertTrue(five.run() >= 570, five.toString());
    answer =
        answer(1000, "--from", before, "--for", "2h", "--drain", "n1", "--run-times", "predicted");
    five = answer.base().fates().stream().filter(is("5")).findFirst().orElseThrow();
    assertTrue(five.run() < 570, "who knows nothing of what came is not wiser: " + five);
    answer = answer(1000, "--from", "2026-11-20T00:07:20", "--for", "2h", "--drain", "n1");
    five = answer.base().fates().stream().filter(is("5")).findFirst().orElseThrow();
    assertTrue(five.run() >= 570, "it ran for ten seconds then: " + five);
  }

  private static Predicate<WhatIfJobResult> is(String name) {
    return fate -> fate.who().name().equals(name);
  }

  @Test
  void anOldJournalIsTakenAsItEnds() throws Exception {
    WhatIfComparison answer = answer(900_000, "--drain", "n1");
    assertEquals(WrittenJournal.at(1000), answer.base().window().from());
    assertTrue(answer.heading().moment().contains("as its journal leaves it"));
  }

  @Test
  void aDayThatHasNotComeIsRefused() {
    SimulateUsageException refused =
        assertThrows(
            SimulateUsageException.class,
            () -> answer(90_000, "--day", "2027-01-01", "--drain", "n2"));
    assertTrue(refused.getMessage().startsWith("that time has not come"), refused.getMessage());
  }
}
