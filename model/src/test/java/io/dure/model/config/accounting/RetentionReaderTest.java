package io.dure.model.config.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.config.slurmconf.ConfigReport;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** For how long slurmdbd.conf has which records kept. */
@Tag("pure")
class RetentionReaderTest {
  private static RetentionReader.Found read(String text) {
    Map<String, String> files = Map.of("/etc/slurm/slurmdbd.conf", text);
    return RetentionReader.read("/etc/slurm/slurmdbd.conf", files::get);
  }

  @Test
  void whatASiteWritesIsRead() {
    RetentionReader.Found found =
        read(
            """
            StorageType=accounting_storage/mysql
            ArchiveDir="/var/archive"
            ArchiveJobs=yes
            ArchiveEvents=no
            ArchiveSteps=yes
            PurgeEventAfter=1month
            purgejobafter=12
            PurgeResvAfter=30days
            PurgeTXNAfter=48hours
            """);
    assertEquals(0, found.diagnostics().size());
    RetentionSettings settings = found.settings();
    assertEquals("/var/archive", settings.directory());
    assertNull(settings.script());
    assertEquals(
        Map.of(
            RecordKind.EVENTS, rule(1, RetentionAge.Unit.MONTHS, false),
            RecordKind.JOBS, rule(12, RetentionAge.Unit.MONTHS, true),
            RecordKind.RESERVATIONS, rule(30, RetentionAge.Unit.DAYS, false),
            RecordKind.TRANSACTIONS, rule(48, RetentionAge.Unit.HOURS, false)),
        settings.rules());
    assertEquals(RetentionSettings.KEEP_ALL, read("StorageUser=x\n").settings());
  }

  private static RetentionSettings.Rule rule(int count, RetentionAge.Unit unit, boolean archived) {
    return new RetentionSettings.Rule(new RetentionAge(count, unit), archived);
  }

  @Test
  void whatIsWrongIsSaidWithItsLine() {
    RetentionReader.Found found =
        read("PurgeJobAfter=soon\nArchiveJobs=perhaps\nArchiveDir=here\nPurgeStepAfter=0\n");
    assertEquals(4, found.diagnostics().size());
    assertEquals(
        "/etc/slurm/slurmdbd.conf:1: error: PurgeJobAfter: value (soon) is none. Write a number"
            + " from 1 with hours, days or months, such as 12months.",
        ConfigReport.line(found.diagnostics().getFirst()));
    assertEquals(Map.of(), found.settings().rules());
  }

  @Test
  void whatEndedBeforeWholeHoursDaysOrMonthsGoes() {
    Instant now = Instant.parse("2026-03-15T12:34:56Z");
    assertEquals(Instant.parse("2026-01-01T00:00:00Z"), cutoff("2", now, ZoneOffset.UTC));
    assertEquals(Instant.parse("2026-03-13T00:00:00Z"), cutoff("2days", now, ZoneOffset.UTC));
    assertEquals(Instant.parse("2026-03-15T10:00:00Z"), cutoff("2hours", now, ZoneOffset.UTC));
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    Instant summer = Instant.parse("2026-03-30T12:00:00Z");
    assertEquals(Instant.parse("2026-03-27T23:00:00Z"), cutoff("2days", summer, berlin));
    assertEquals(Instant.parse("2026-01-31T23:00:00Z"), cutoff("1months", summer, berlin));
  }

  private static Instant cutoff(String age, Instant now, ZoneId zone) {
    RetentionAge read = RetentionAge.of(age);
    return read == null ? Instant.EPOCH : read.cutoff(now, zone);
  }

  @Test
  void everySpanEndsWhereTheNextBegins() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    for (RetentionAge.Unit unit : RetentionAge.Unit.values()) {
      Instant at = unit.begin(Instant.parse("2026-10-20T00:00:00Z"), berlin);
      for (int i = 0; i < 500; i++) {
        Instant end = unit.end(at, berlin);
        assertEquals(at, unit.begin(end.minusSeconds(1), berlin), unit + " " + at);
        at = end;
      }
    }
  }
}
