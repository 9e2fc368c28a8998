package io.dure.journal;

import static io.dure.journal.Fixtures.bytes;
import static io.dure.journal.Fixtures.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.JournalRefusedException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a journal's files in their place is known, however it came there. */
@Tag("process")
class JournalOriginTest {
  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("journal");
  }

  private RecoveredJournal open() throws Exception {
    return RecoveredJournal.open(directory(), Fixtures.settings(4096), new Fixtures.Heard());
  }

  /** One process: what shows a copy, and one more record. */
  private String live(String record) throws Exception {
    RecoveredJournal found = open();
    try (Journal journal = found.journal()) {
      found.origin().renew(journal.lastAppended());
      journal.append(List.of(bytes(record))).get();
    }
    return found.origin().copied();
  }

  private static void copy(Path from, Path to, CopyOption... options) throws Exception {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), options);
      }
    }
  }

  private void delete() throws Exception {
    try (Stream<Path> files = Files.list(directory())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory());
  }

  @Test
  void whatWasWrittenHereIsNoCopy() throws Exception {
    for (String record : List.of("a", "b", "c")) {
      assertNull(live(record));
    }
    Files.move(directory(), temp.resolve("elsewhere"));
    Files.move(temp.resolve("elsewhere"), directory());
    assertNull(live("d"));
  }

  @Test
  void aCopyInPlaceOfTheDirectoryIsOne() throws Exception {
    live("a");
    copy(directory(), temp.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
    live("b");
    delete();
    copy(temp.resolve("copy"), directory(), StandardCopyOption.COPY_ATTRIBUTES);
    String copied = live("c");
    assertNotNull(copied);
    assertTrue(copied.contains("origin-"), copied);
    assertNull(live("d"), "what was taken over is the original");
  }

  @Test
  void aDirectoryThatWasMovedInPlaceIsOne() throws Exception {
    live("a");
    copy(directory(), temp.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
    delete();
    Files.move(temp.resolve("copy"), directory());
    assertNotNull(live("b"));
  }

  /** As tools do that leave alone what has the same size and time. */
  @Test
  void aReplacedSegmentIsOne() throws Exception {
    live("a");
    live("b");
    Path segment;
    try (Stream<Path> files = Files.list(directory())) {
      segment =
          files
              .filter(f -> f.getFileName().toString().startsWith("journal-"))
              .findFirst()
              .orElseThrow();
    }
    Path copy = Files.copy(segment, temp.resolve("copy"));
    Files.move(copy, segment, StandardCopyOption.REPLACE_EXISTING);
    String copied = live("c");
    assertNotNull(copied);
    assertTrue(copied.contains(segment.toString()), copied);
  }

  /** The bytes of an earlier process in the very same files. */
  @Test
  void filesThatWereWrittenOverAreOne() throws Exception {
    live("a");
    copy(directory(), temp.resolve("copy"));
    live("b");
    try (Stream<Path> files = Files.list(temp.resolve("copy"))) {
      for (Path file : files.toList()) {
        Files.write(directory().resolve(file.getFileName()), Files.readAllBytes(file));
      }
    }
    assertNotNull(live("c"));
  }

  @Test
  void withoutAMarkNothingIsKnown() throws Exception {
    RecoveredJournal found = open();
    found.journal().append(List.of(bytes("a"))).get();
    found.journal().close();
    copy(directory(), temp.resolve("copy"));
    delete();
    copy(temp.resolve("copy"), directory());
    assertNull(live("b"));
  }

  @Test
  void aMarkThatWasNotWrittenToItsEndSaysNothing() throws Exception {
    live("a");
    try (Stream<Path> files = Files.list(directory())) {
      Path mark =
          files
              .filter(f -> f.getFileName().toString().startsWith("origin-"))
              .findFirst()
              .orElseThrow();
      Files.writeString(mark, mark.getFileName() + " 17/4");
    }
    assertNull(live("b"));
  }

  @Test
  void aMissingJournalIsNotANewOne() throws Exception {
    live("a");
    Path segment = directory().resolve("journal-0000000000000000001");
    Files.delete(segment);
    JournalRefusedException refused = assertThrows(JournalRefusedException.class, this::open);
    assertTrue(refused.isDamage());
    String text = refused.getMessage();
    assertTrue(text.contains(segment + " is missing"), text);
    assertTrue(text.contains(directory().resolve("give-up-from-1").toString()), text);
    Files.createFile(directory().resolve("give-up-from-1"));
    RecoveredJournal found = open();
    try (Journal journal = found.journal()) {
      assertEquals(0, journal.lastAppended());
      assertEquals(List.of(), texts(found));
      assertEquals(1, found.notes().size(), found.notes().toString());
      found.origin().renew(0);
    }
    assertNull(live("b"));
  }
}
