package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.UnwrittenJournalDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who only looks at a journal sees what a controller would, and leaves no trace. */
@Tag("process")
class UnwrittenDiskTest {
  @TempDir Path scratch;
  private Path directory;

  @BeforeEach
  void write() throws Exception {
    directory = scratch.resolve("journal");
    RecoveredJournal made =
        RecoveredJournal.open(directory, Fixtures.settings(4096), new Fixtures.Heard());
    try (Journal journal = made.journal()) {
      for (int i = 1; i <= 100; i++) {
        journal.append(List.of(Fixtures.bytes("record " + i + " ".repeat(100)))).get();
      }
      journal.snapshot(50, Fixtures.bytes("older"));
      journal.snapshot(60, Fixtures.bytes("newer"));
    }
  }

  private RecoveredJournal look() throws IOException {
    return RecoveredJournal.openStepped(
        new UnwrittenJournalDisk(),
        directory,
        Fixtures.settings(4096),
        new Fixtures.Heard(),
        () -> 0);
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private void unchanged(Map<String, byte[]> before) throws IOException {
    Map<String, byte[]> after = files();
    assertEquals(before.keySet(), after.keySet());
    for (String name : before.keySet()) {
      assertArrayEquals(before.get(name), after.get(name), name);
    }
  }

  @Test
  void allIsSeenAndNothingWritten() throws Exception {
    Map<String, byte[]> before = files();
    RecoveredJournal seen = look();
    assertEquals(60, seen.snapshotSequence());
    assertEquals(40, Fixtures.texts(seen).size());
    var kept = seen.journal().append(List.of(new byte[10]));
    assertTrue(seen.journal().step());
    assertEquals(101, kept.get());
    seen.journal().close();
    unchanged(before);
    assertEquals(100, look().journal().lastAppended());
  }

  @Test
  void whatRecoveryWouldRepairIsSeenRepairedAndLeft() throws Exception {
    Path newest = directory.resolve("snapshot-%019d".formatted(60));
    try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
      file.seek(22);
      file.write('X');
    }
    Files.writeString(directory.resolve("spare.tmp"), "left behind");
    Map<String, byte[]> before = files();
    RecoveredJournal seen = look();
    assertEquals(50, seen.snapshotSequence());
    assertEquals(50, Fixtures.texts(seen).size());
    assertTrue(seen.damagedSnapshots().contains(60L), "it is set aside for the one that looks");
    seen.journal().close();
    unchanged(before);
  }

  @Test
  void aJournalInUseIsNotLookedAt() throws Exception {
    RecoveredJournal used =
        RecoveredJournal.open(directory, Fixtures.settings(4096), new Fixtures.Heard());
    try (Journal _ = used.journal()) {
      assertThrows(Exception.class, this::look);
    }
    assertThrows(
        IOException.class,
        () ->
            RecoveredJournal.openStepped(
                new UnwrittenJournalDisk(),
                scratch.resolve("none"),
                Fixtures.settings(4096),
                new Fixtures.Heard(),
                () -> 0));
    assertTrue(Files.notExists(scratch.resolve("none")));
  }
}
