package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.AccountingLog;
import io.dure.journal.JournalSettings;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

/** How much goes to the books at once. */
@Tag("process")
class AccountingReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");
  private static final int LONG = 200_000;
  private static final int EVENTS = 300;

  @TempDir Path temp;

  private static AccountingRecord line(long position) {
    return new AccountingRecord.AccountsChange(
        NOW, "root", "Add Users", "id=" + position, "x".repeat(LONG));
  }

  /** What came while the books were away may be more than slurmdbd takes in one request. */
  @Test
  void recordsThatAreLongGoInSeveralBatches() throws Exception {
    List<Integer> sizes = new ArrayList<>();
    List<AccountingRecord> stored = new ArrayList<>();
    try (AccountingLog records =
        AccountingLog.open(temp.resolve("log"), JournalSettings.defaults(), new SoundDisk())) {
      for (long position = 1; position <= EVENTS; position++) {
        records.append(NOW, List.of(new AccountingLog.Entry(position, line(position))));
      }
      records.sync();
      AccountingReader.Release release =
          new AccountingReader.Release(InstantSource.fixed(NOW), () -> 0);
      AccountingReader.Books books =
          (expected, batch, position) -> {
            sizes.add(
                WireCodecs.slurmdbdRequests()
                    .encode(
                        new SlurmdbdRequest.StoreRecords(
                            "main", "first", expected, batch, position))
                    .length);
            stored.addAll(batch);
          };
      try (AccountingReader reader =
          new AccountingReader(records, books, 0, release, NOPLogger.NOP_LOGGER)) {
        while (reader.deliver()) {
          assertTrue(sizes.getLast() <= (16 << 20) + 2 * LONG, sizes + " bytes");
        }
      }
    }
    assertEquals(EVENTS, stored.size());
    assertTrue(sizes.size() < 10, sizes + " bytes");
  }
}
