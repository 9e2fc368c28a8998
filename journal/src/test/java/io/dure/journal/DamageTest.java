package io.dure.journal;

import static io.dure.journal.Fixtures.bytes;
import static io.dure.journal.Fixtures.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SegmentHeader;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage to what was promised is refused with the place and a way out, never half read. */
@Tag("process")
class DamageTest {
  private static final int RECORDS = 120;

  @TempDir Path temp;
  private Path whole;
  private int copies;

  /** Each record a round of its own, so that each proves those before it. */
  @BeforeEach
  void write() throws Exception {
    whole = temp.resolve("whole");
    try (Journal journal = open(whole).journal()) {
      for (int i = 1; i <= RECORDS; i++) {
        journal.append(List.of(bytes("record " + i + "x".repeat(60)))).get();
      }
    }
    assertTrue(Fixtures.segments(whole).size() > 2);
  }

  private static RecoveredJournal open(Path directory) throws Exception {
    return RecoveredJournal.open(directory, Fixtures.settings(4096), new Fixtures.Heard());
  }

  private static String refusal(Path directory) {
    return assertThrows(JournalRefusedException.class, () -> open(directory)).getMessage();
  }

  private Path copy() throws Exception {
    Path copy = temp.resolve("copy" + copies++);
    Fixtures.copy(whole, copy);
    return copy;
  }

  /** A frame and the file it lies in. */
  private record Place(Path file, JournalFrame frame) {}

  private static List<Place> places(Path directory) throws Exception {
    List<Place> places = new ArrayList<>();
    for (Path file : Fixtures.segments(directory)) {
      for (JournalFrame frame : Fixtures.frames(file)) {
        places.add(new Place(file, frame));
      }
    }
    return places;
  }

  private static String remedy(Path directory, long record) {
    return "; restore the whole directory from a backup, or, to give up record "
        + record
        + " and all after it, create the empty file "
        + directory.resolve("give-up-from-" + record)
        + " and start again";
  }

  @Test
  void aFlippedBitInTheMiddleIsNamed() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 60; i++) {
      Path directory = copy();
      List<Place> places = places(directory);
      Place place = places.get(random.nextInt(places.size() - 1));
      JournalFrame frame = place.frame();
      Fixtures.flipBit(place.file(), frame.offset() + random.nextInt(frame.length()));
      assertEquals(
          place.file()
              + ":"
              + frame.offset()
              + ": record "
              + frame.sequence()
              + " is damaged though it was stored safely once"
              + remedy(directory, frame.sequence()),
          refusal(directory));
      assertEquals(refusal(directory), refusal(directory), "refusing changes nothing");
    }
  }

  @Test
  void zeroedSectorsInTheMiddleAreNamed() throws Exception {
    Path directory = copy();
    Place place = places(directory).get(10);
    try (RandomAccessFile file = new RandomAccessFile(place.file().toFile(), "rw")) {
      file.seek(place.frame().offset());
      file.write(new byte[512]);
    }
    assertTrue(
        refusal(directory)
            .startsWith(place.file() + ":" + place.frame().offset() + ": record 11 is damaged"));
  }

  @Test
  void aFlippedBitInTheHeadIsNamed() throws Exception {
    for (int at = 0; at < SegmentHeader.BYTES; at++) {
      Path directory = copy();
      Path file = Fixtures.segments(directory).get(1);
      Fixtures.flipBit(file, at);
      assertTrue(refusal(directory).startsWith(file + ":0: "), refusal(directory));
    }
  }

  @Test
  void aMissingSegmentIsNamed() throws Exception {
    Path directory = copy();
    List<Path> files = Fixtures.segments(directory);
    Place last = null;
    for (Place place : places(directory)) {
      last = place.file().equals(files.get(0)) ? place : last;
    }
    Files.delete(files.get(1));
    long next = last.frame().sequence() + 1;
    long after = Fixtures.frames(files.get(2)).getFirst().sequence() - 1;
    assertEquals(
        files.get(0)
            + ":"
            + (last.frame().offset() + last.frame().length())
            + ": records "
            + next
            + " to "
            + after
            + " are missing: this file ends before them and the next begins after them"
            + remedy(directory, next),
        refusal(directory));
  }

  @Test
  void aMissingFirstSegmentIsNamed() throws Exception {
    Path directory = copy();
    List<Path> files = Fixtures.segments(directory);
    long next = Fixtures.frames(files.get(1)).getFirst().sequence();
    Files.delete(files.getFirst());
    assertEquals(
        directory
            + ": the files with records 1 to "
            + (next - 1)
            + " are missing"
            + remedy(directory, 1),
        refusal(directory));
  }

  @Test
  void aSnapshotWithoutItsJournalIsRefused() throws Exception {
    Path directory = copy();
    try (Journal journal = open(directory).journal()) {
      journal.snapshot(RECORDS, bytes("state"));
    }
    for (Path file : Fixtures.segments(directory)) {
      Files.delete(file);
    }
    assertEquals(
        directory
            + ": the files with records 121 and all later ones are missing"
            + remedy(directory, 121),
        refusal(directory));
    Files.createFile(directory.resolve("give-up-from-121"));
    RecoveredJournal found = open(directory);
    try (Journal journal = found.journal()) {
      assertEquals(RECORDS, found.snapshotSequence());
      assertEquals(121, journal.append(List.of(bytes("n"))).get());
    }
    assertEquals(1, texts(reopened(directory)).size());
  }

  @Test
  void aRefusalLeavesDamagedSnapshotsAsTheyWere() throws Exception {
    Path directory = copy();
    try (Journal journal = open(directory).journal()) {
      journal.snapshot(RECORDS, bytes("state"));
    }
    for (Path file : Fixtures.segments(directory)) {
      Files.delete(file);
    }
    Path snapshot = directory.resolve(SegmentDirectory.numbered("snapshot-", RECORDS));
    Fixtures.flipBit(snapshot, 22);
    refusal(directory);
    assertTrue(Files.exists(snapshot));
  }

  @Test
  void aDamagedSnapshotIsNamedAtEachOpening() throws Exception {
    Path directory = copy();
    try (Journal journal = open(directory).journal()) {
      journal.snapshot(RECORDS - 10, bytes("older"));
      journal.snapshot(RECORDS, bytes("state"));
    }
    Fixtures.flipBit(directory.resolve(SegmentDirectory.numbered("snapshot-", RECORDS)), 22);
    for (int opening = 1; opening <= 2; opening++) {
      RecoveredJournal found = open(directory);
      try (Journal _ = found.journal()) {
        assertEquals(RECORDS - 10, found.snapshotSequence());
        assertEquals(Set.of((long) RECORDS), found.damagedSnapshots());
      }
    }
  }

  @Test
  void aJournalThatEndsBeforeItsSnapshotIsRefused() throws Exception {
    Path directory = copy();
    try (Journal journal = open(directory).journal()) {
      journal.snapshot(RECORDS, bytes("state"));
    }
    Place last = places(directory).getLast();
    Fixtures.flipBit(last.file(), last.frame().offset() + 30);
    assertTrue(
        refusal(directory)
            .startsWith(last.file() + ":" + last.frame().offset() + ": record 120 is damaged"));
    Files.createFile(directory.resolve("give-up-from-120"));
    RecoveredJournal found = open(directory);
    try (Journal journal = found.journal()) {
      assertEquals(List.of(), texts(found));
      assertEquals(121, journal.append(List.of(bytes("n"))).get());
    }
  }

  @Test
  void whatTheAdministratorGivesUpIsSetAside() throws Exception {
    List<Place> original = places(whole);
    for (int damaged : new int[] {0, 40, 70, RECORDS - 2}) {
      Path directory = copy();
      JournalFrame frame = original.get(damaged).frame();
      Path file = directory.resolve(original.get(damaged).file().getFileName());
      Fixtures.flipBit(file, frame.offset() + 30);
      Files.createFile(directory.resolve("give-up-from-" + (damaged + 2)));
      refusal(directory); // consent to give up less does not count
      Files.createFile(directory.resolve("give-up-from-" + (damaged + 1)));
      RecoveredJournal found = open(directory);
      try (Journal journal = found.journal()) {
        assertEquals(damaged, texts(found).size());
        assertEquals(damaged + 1, journal.append(List.of(bytes("new"))).get());
      }
      assertEquals(damaged + 1, texts(reopened(directory)).size());
      assertFalse(Files.exists(directory.resolve("give-up-from-" + (damaged + 1))));
      assertTrue(Files.exists(file.resolveSibling("given-up-" + file.getFileName())));
    }
  }

  private static RecoveredJournal reopened(Path directory) throws Exception {
    RecoveredJournal found = open(directory);
    found.journal().close();
    return found;
  }

  @Test
  void anotherFormatIsRefused() throws Exception {
    Path directory = copy();
    Path file = Fixtures.segments(directory).getFirst();
    byte[] head = new byte[SegmentHeader.BYTES];
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      raw.readFully(head);
      ByteBuffer.wrap(head).putInt(8, 2);
      CRC32C crc = new CRC32C();
      crc.update(head, 0, 12);
      crc.update(head, 16, SegmentHeader.BYTES - 16);
      ByteBuffer.wrap(head).putInt(12, (int) crc.getValue());
      raw.seek(0);
      raw.write(head);
    }
    assertEquals(
        file
            + ":8: format version 2 is not known to this program, which reads version 1; start the"
            + " newer program that wrote it, or restore the backup from before",
        refusal(directory));
    Files.writeString(file, "[Unit]\nDescription=something else entirely\n".repeat(9));
    assertEquals(
        file + ":0: not a Dure journal; restore the whole directory from a backup",
        refusal(directory));
  }

  @Test
  void aNewerSnapshotIsRefused() throws Exception {
    Path directory = copy();
    byte[] newer = ByteBuffer.allocate(24).put(bytes("DURESNAP")).putInt(9).putLong(50).array();
    CRC32C crc = new CRC32C();
    crc.update(newer, 0, 20);
    ByteBuffer.wrap(newer).putInt(20, (int) crc.getValue());
    Path file = directory.resolve("snapshot-0000000000000000050");
    Files.write(file, newer);
    assertTrue(refusal(directory).startsWith(file + ":8: format version 9 is not known"));
  }

  @Test
  void swappedNamesAreRefused() throws Exception {
    Path directory = copy();
    List<Path> files = Fixtures.segments(directory);
    long second = Fixtures.frames(files.get(1)).getFirst().sequence();
    Path aside = directory.resolve("aside");
    Files.move(files.get(0), aside);
    Files.move(files.get(1), files.get(0));
    Files.move(aside, files.get(1));
    assertEquals(
        files.get(0)
            + ":24: begins with record "
            + second
            + ", which contradicts its name; restore its name, or restore the whole directory from"
            + " a backup",
        refusal(directory));
  }

  @Test
  void damageToTheVeryLastRecordIsSeenByTheMarkBehindIt() throws Exception {
    Path directory = copy();
    Place last = places(directory).getLast();
    Fixtures.flipBit(last.file(), last.frame().offset() + 30);
    assertEquals(
        last.file()
            + ":"
            + last.frame().offset()
            + ": record 120 is damaged though it was stored safely once"
            + remedy(directory, 120),
        refusal(directory));
    Files.createFile(directory.resolve("give-up-from-120"));
    assertEquals(119, texts(reopened(directory)).size());
    assertEquals(119, texts(reopened(directory)).size());
  }

  @Test
  void aDamagedMarkCostsNothing() throws Exception {
    for (int at = 0; at < JournalFrame.HEADER; at++) {
      Path directory = copy();
      Place last = places(directory).getLast();
      Fixtures.flipBit(last.file(), last.frame().offset() + last.frame().length() + at);
      RecoveredJournal found = reopened(directory);
      assertEquals(RECORDS, texts(found).size());
      assertEquals(1, found.notes().size());
      assertEquals(List.of(), reopened(directory).notes());
    }
  }

  @Test
  void aFileThatLostItsEndIsMadeWholeOrRefused() throws Exception {
    Place last = places(whole).getLast();
    long end = last.frame().offset() + last.frame().length();
    for (long size :
        new long[] {end + JournalFrame.HEADER, end + JournalFrame.HEADER - 1, end, end - 1, 1}) {
      Path directory = copy();
      Path file = directory.resolve(last.file().getFileName());
      long made = Files.size(file);
      try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
        raw.setLength(size);
      }
      if (size < end + JournalFrame.HEADER) {
        assertTrue(refusal(directory).startsWith(file + ":"));
        assertEquals(size, Files.size(file));
      } else {
        RecoveredJournal found = reopened(directory);
        assertEquals(RECORDS, texts(found).size());
        assertEquals(1, found.notes().size());
        assertEquals(made, Files.size(file));
      }
    }
  }

  @Test
  void aMissingLastSegmentIsNamed() throws Exception {
    Path directory = copy();
    Path file = Fixtures.segments(directory).getLast();
    long first = Fixtures.frames(file).getFirst().sequence();
    Files.delete(file);
    assertTrue(
        refusal(directory)
            .contains(": record " + first + " and all later ones are missing: they began another"));
    Files.createFile(directory.resolve("give-up-from-" + first));
    assertEquals(first - 1, texts(reopened(directory)).size());
    assertEquals(first - 1, texts(reopened(directory)).size());
  }

  @Test
  void bytesThatLookLikeFramesAreNoProof() throws Exception {
    Path directory = copy();
    Place last = places(directory).getLast();
    byte[] forged = JournalFrame.header(0, RECORDS + 5, 0, true, new byte[0]);
    try (Journal journal = open(directory).journal()) {
      journal.append(List.of(forged, bytes("y"))).get();
    }
    long offset = places(directory).get(RECORDS).frame().offset();
    Fixtures.forgetMark(last.file());
    Fixtures.flipBit(places(directory).get(RECORDS).file(), offset + 5);
    RecoveredJournal found = reopened(directory);
    assertEquals(RECORDS, texts(found).size());
    assertEquals(last, places(directory).getLast());
  }
}
