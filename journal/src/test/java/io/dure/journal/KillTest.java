package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real process that appends, snapshots and is killed: what it printed as acknowledged is there.
 */
@Tag("process")
class KillTest {
  private static final int KILLS = 10;

  @TempDir Path temp;

  @Test
  void acknowledgedRecordsSurviveKill9() throws Exception {
    Random random = new Random(3);
    Path directory = temp.resolve("journal");
    TreeMap<Long, String> acknowledged = new TreeMap<>();
    for (int kill = 0; kill < KILLS; kill++) {
      run(directory, acknowledged, 100 + random.nextInt(3000));
      RecoveredJournal found =
          RecoveredJournal.open(directory, Fixtures.settings(64 * 1024), new Fixtures.Heard());
      try (Journal journal = found.journal()) {
        check(found, acknowledged);
        assertTrue(journal.lastDurable() >= acknowledged.lastKey());
      }
    }
    System.out.println(
        "journal: "
            + KILLS
            + " kills, "
            + acknowledged.size()
            + " acknowledged records, none lost");
  }

  private static void run(Path directory, Map<Long, String> acknowledged, int lines)
      throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process child =
        new ProcessBuilder(
                java,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledAppender.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      int seen = 0;
      while (true) {
        String line = out.readLine();
        if (line == null) {
          break;
        }
        if (line.endsWith(".")) { // else the kill cut the line
          String[] words = line.substring(0, line.length() - 1).split(" ", 2);
          acknowledged.put(Long.parseLong(words[0]), words[1]);
        }
        if (++seen == lines) {
          child.destroyForcibly();
        }
      }
    } catch (IOException e) {
      assertEquals("Stream closed", e.getMessage());
    }
    assertEquals(137, child.waitFor());
  }

  private static void check(RecoveredJournal found, NavigableMap<Long, String> acknowledged) {
    long at = found.snapshotSequence();
    for (JournalRecord record : found.records()) {
      assertEquals(++at, record.sequence());
      String promised = acknowledged.get(at);
      String text = new String(record.payload(), StandardCharsets.UTF_8);
      assertTrue(promised == null || promised.equals(text), at + ": " + promised + " / " + text);
    }
    assertTrue(at >= acknowledged.lastKey(), "lost records after " + at);
  }
}
