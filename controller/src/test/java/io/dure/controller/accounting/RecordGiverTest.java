package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.AccountingLog;
import io.dure.journal.JournalSettings;
import io.dure.model.accounting.record.AccountingRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a controller gives of its records to another. */
@Tag("process")
class RecordGiverTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final int EVENTS = 10;

  @TempDir Path temp;

  /** A log of several files, as each record takes most of one. */
  private AccountingLog log() throws IOException, InterruptedException {
    JournalSettings settings = new JournalSettings(4096, 1 << 20, Duration.ofSeconds(1));
    AccountingLog log = AccountingLog.open(temp, settings, new SoundDisk());
    for (long position = 1; position <= EVENTS; position++) {
      AccountingRecord record =
          new AccountingRecord.AccountsChange(
              NOW, "root", "Add Users", "id=" + position, "x".repeat(3000));
      log.append(NOW, List.of(new AccountingLog.Entry(position, record)));
      log.sync();
    }
    return log;
  }

  private static byte[] question(long after) {
    List<byte[]> sent = new ArrayList<>();
    new RecordSeeker((_, frame) -> sent.add(frame), List.of("b")).ask(after, NOW);
    return sent.getFirst();
  }

  private static RecordSeeker.Given given(RecordGiver giver, long after) throws IOException {
    byte[] answer = Objects.requireNonNull(giver.answer(question(after), EVENTS));
    return Objects.requireNonNull(RecordSeeker.answer(answer));
  }

  private static void assertAll(RecordSeeker.Given part, long after) {
    assertEquals(after, part.previous());
    assertEquals(EVENTS, part.upTo());
    assertEquals(
        LongStream.rangeClosed(after + 1, EVENTS).boxed().toList(),
        part.entries().stream().map(AccountingLog.Entry::position).toList());
  }

  @Test
  void givesWhatIsBehindAPosition() throws Exception {
    try (AccountingLog log = log();
        RecordGiver giver = new RecordGiver(log)) {
      assertAll(given(giver, 0), 0);
      assertAll(given(giver, 4), 4);
      assertNull(giver.answer(question(EVENTS), EVENTS));
    }
  }

  /** The disk refuses once some records were read. */
  @Test
  void givesAllAgainOnceTheDiskDoes() throws Exception {
    try (AccountingLog log = log();
        RecordGiver giver = new RecordGiver(log)) {
      List<Path> files;
      try (Stream<Path> all = Files.list(temp)) {
        files =
            all.filter(file -> file.getFileName().toString().startsWith("journal-"))
                .sorted()
                .toList();
      }
      assertTrue(files.size() > 3, files.toString());
      Path middle = files.get(files.size() / 2);
      Path away = temp.resolve("away");
      Files.move(middle, away);
      assertThrows(IOException.class, () -> given(giver, 0));
      Files.move(away, middle);
      assertAll(given(giver, 0), 0);
    }
  }
}
