package io.dure.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.cluster.Event;
import io.dure.cluster.RecentReplies;
import io.dure.cluster.RequestId;
import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.model.job.Hold;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events go in and come back, or are refused with the reason. */
@Tag("process")
class EventJournalTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.5Z");

  @TempDir Path directory;

  private RecoveredJournal open() throws Exception {
    return RecoveredJournal.open(directory, Fixtures.settings(4096), new Fixtures.Heard());
  }

  @Test
  void eventsComeBackWithTheirTime() throws Exception {
    List<Event> events = List.of(new Event.ControllerStarted(AT), new Event.JobHeld(7, Hold.USER));
    try (Journal journal = open().journal()) {
      assertEquals(1, append(journal, events));
      journal.snapshot(1, new byte[] {1}); // alone it deletes nothing
    }
    try (Journal journal = open().journal()) {
      append(journal, List.of(new Event.NodeDeleted("n1\nn2", AT)));
    }
    RecoveredJournal found = open();
    try (Journal journal = found.journal()) {
      List<EventJournal.Timed> read = new ArrayList<>();
      for (JournalRecord record : found.records()) {
        read.addAll(EventJournal.decode(directory, record));
      }
      assertEquals(List.of(new EventJournal.Timed(AT, new Event.NodeDeleted("n1\nn2", AT))), read);
      assertEquals(2, journal.lastDurable());
      assertEquals(
          """
          1 2026-03-01T12:00:00.500Z ControllerStarted[at=2026-03-01T12:00:00.500Z]
          1 2026-03-01T12:00:00.500Z JobHeld[jobId=7, hold=USER]
          2 2026-03-01T12:00:00.500Z NodeDeleted[node=n1\\u000an2, at=2026-03-01T12:00:00.500Z]
          """,
          dump());
    }
  }

  private static long append(Journal journal, List<Event> events) throws Exception {
    return journal.append(EventJournal.records(AT, events)).get();
  }

  @Test
  void anAnswerComesBackAsItWas() throws Exception {
    RequestId id = new RequestId(-1, 7);
    Reply refused = new Reply.Refused(ErrorCode.JOB_PENDING, "some");
    List<Event> events =
        Stream.of(new Reply.Done(), refused)
            .<Event>map(reply ->
                new Event.ChangeAnswered(
                    new RecentReplies.Entry(id, 1001, "RequeueJob", reply, AT)))
            .toList();
    try (Journal journal = open().journal()) {
      append(journal, events);
    }
    RecoveredJournal found = open();
    try (Journal _ = found.journal()) {
      List<Event> read = new ArrayList<>();
      for (JournalRecord record : found.records()) {
        EventJournal.decode(directory, record).forEach(timed -> read.add(timed.event()));
      }
      assertEquals(events, read);
    }
  }

  private String dump() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JournalDump.print(directory, new PrintStream(bytes, false, Fixtures.UTF_8));
    return bytes.toString(Fixtures.UTF_8);
  }

  @Test
  void aDumpEndsAtDamage() throws Exception {
    try (Journal journal = open().journal()) {
      append(journal, List.of(new Event.NodeDeleted("n1", AT)));
      journal.append(List.of(new byte[] {9, 9, 9})).get();
      append(journal, List.of(new Event.NodeDeleted("n3", AT)));
    }
    Path file = Fixtures.segments(directory).getFirst();
    assertEquals("2 - 3 bytes of an unknown kind", dump().lines().toList().get(1));
    JournalFrame third = Fixtures.frames(file).get(2);
    Fixtures.flipBit(file, third.offset() + 25);
    IOException ended = assertThrows(IOException.class, this::dump);
    assertEquals(
        file
            + ":"
            + third.offset()
            + ": record 3 cannot be read; restore the whole directory from a backup",
        ended.getMessage());
  }

  @Test
  void unknownKindsAndVersionsAreRefused() throws Exception {
    byte[] good = EventJournal.records(AT, List.of(new Event.NodeDeleted("n1", AT))).getFirst();
    byte[] ofGroup = good.clone();
    ofGroup[0] = 2;
    JournalRefusedException refused =
        assertThrows(
            JournalRefusedException.class,
            () -> EventJournal.decode(directory, new JournalRecord(5, ofGroup)));
    assertEquals(directory + EventJournal.OF_GROUP, refused.getMessage());
    byte[] kind = good.clone();
    kind[0] = 9;
    byte[] version = good.clone();
    version[1] = 2;
    byte[] cut = Arrays.copyOf(good, good.length - 3);
    for (byte[] bytes : List.of(kind, version, cut, new byte[0])) {
      String said =
          assertThrows(
                  JournalRefusedException.class,
                  () -> EventJournal.decode(directory, new JournalRecord(5, bytes)))
              .getMessage();
      assertEquals(directory + ": record 5 ", said.substring(0, said.indexOf("record 5 ") + 9));
    }
  }
}
