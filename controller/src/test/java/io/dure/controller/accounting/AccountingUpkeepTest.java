package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.RecordWriter;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sacctmgr archives and loads. */
@Tag("process")
class AccountingUpkeepTest {
  private static final Instant NOW = Instant.parse("2026-06-15T12:00:00Z");
  private static final RetentionAge MONTH = new RetentionAge(1, RetentionAge.Unit.MONTHS);
  private static final ArchiveOrder AS_CONFIGURED = new ArchiveOrder(List.of(), null, null);

  @TempDir Path folder;
  private AccountingDatabase database;

  @BeforeEach
  void fill() throws Exception {
    database = AccountingDatabase.inFile(folder.resolve("accounting.db"));
    var _ = database.migrate();
    RecordWriter writer =
        new RecordWriter(database, "main", "first", ZoneId.systemDefault(), row -> {});
    AccountingRecord old =
        new AccountingRecord.AccountsChange(
            Instant.parse("2026-03-10T00:00:00Z"), "root", "Add Users", "u", "x");
    AccountingRecord young =
        new AccountingRecord.AccountsChange(NOW.minusSeconds(60), "root", "Add Users", "v", "x");
    writer.store(writer.position(), List.of(old, old, young), 1);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private int lines() {
    return new ClusterLines(database, "main")
        .find(
            new ClusterHistoryQuery(
                ClusterHistoryQuery.Part.TRANSACTIONS, Instant.EPOCH, NOW.plusSeconds(1)))
        .transactions()
        .size();
  }

  private AccountingUpkeep upkeep(@Nullable String script, boolean commands) {
    return new AccountingUpkeep(
        database,
        "main",
        new RetentionSettings(
            Map.of(RecordKind.TRANSACTIONS, new RetentionSettings.Rule(MONTH, true)),
            folder.resolve("archives").toString(),
            script,
            commands),
        () -> true,
        InstantSource.fixed(NOW),
        new KeptLog());
  }

  private static List<String> moved(Response answer) {
    return assertInstanceOf(Response.Text.class, answer).lines();
  }

  private static String refusal(Response answer) {
    return assertInstanceOf(Response.Failed.class, answer).detail();
  }

  @Test
  void whatWentIntoAFileComesBackFromIt() throws IOException {
    try (AccountingUpkeep upkeep = upkeep(null, true)) {
      List<String> went = moved(ArchiveWork.archive(upkeep, AS_CONFIGURED));
      assertTrue(went.getFirst().startsWith("txn: 2 into " + folder), went.toString());
      assertEquals(1, lines());
      String file = went.getFirst().substring("txn: 2 into ".length());
      assertEquals(List.of("txn: 2 of 2"), moved(ArchiveWork.load(upkeep, file)));
      assertEquals(List.of("txn: 0 of 2"), moved(ArchiveWork.load(upkeep, file)));
      assertEquals(3, lines());
      assertTrue(refusal(ArchiveWork.load(upkeep, file + "x")).contains(file + "x"));
    }
  }

  @Test
  void whatIsAskedComesBeforeWhatIsConfigured() {
    try (AccountingUpkeep upkeep = upkeep(null, true)) {
      RetentionAge year = new RetentionAge(12, RetentionAge.Unit.MONTHS);
      ArchiveOrder.Kind txn = new ArchiveOrder.Kind(RecordKind.TRANSACTIONS, year, false);
      assertEquals(
          List.of(),
          moved(ArchiveWork.archive(upkeep, new ArchiveOrder(List.of(txn), null, null))));
      txn = new ArchiveOrder.Kind(RecordKind.TRANSACTIONS, null, false);
      assertEquals(
          List.of("txn: 2"),
          moved(ArchiveWork.archive(upkeep, new ArchiveOrder(List.of(txn), null, null))));
      ArchiveOrder.Kind jobs = new ArchiveOrder.Kind(RecordKind.JOBS, null, true);
      assertEquals(
          "say how old: PurgeJobAfter=",
          refusal(ArchiveWork.archive(upkeep, new ArchiveOrder(List.of(jobs), null, null))));
    }
  }

  private String script(String text) throws IOException {
    Path file =
        Files.createFile(
            folder.resolve("archive.sh"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    return file.toString();
  }

  @Test
  void aProgramArchivesInstead() throws IOException {
    Path told = folder.resolve("told");
    String program = script("env | grep SLURM_ARCHIVE | sort > " + told);
    try (AccountingUpkeep upkeep = upkeep(program, true)) {
      assertEquals(List.of("txn: 2"), moved(ArchiveWork.archive(upkeep, AS_CONFIGURED)));
      assertEquals(1, lines());
      long cutoff = MONTH.cutoff(NOW, ZoneId.systemDefault()).getEpochSecond();
      List<String> variables = Files.readAllLines(told);
      assertTrue(variables.contains("SLURM_ARCHIVE_TXN=1"), variables.toString());
      assertTrue(variables.contains("SLURM_ARCHIVE_LAST_TXN=" + cutoff), variables.toString());
      assertTrue(variables.contains("SLURM_ARCHIVE_JOBS=0"), variables.toString());
    }
  }

  @Test
  void nothingGoesIfTheProgramFails() throws IOException {
    try (AccountingUpkeep upkeep = upkeep(script("exit 3"), true)) {
      assertTrue(refusal(ArchiveWork.archive(upkeep, AS_CONFIGURED)).contains("ArchiveScript"));
      assertEquals(3, lines());
    }
  }

  @Test
  void itCanBeForbidden() {
    try (AccountingUpkeep upkeep = upkeep(null, false)) {
      assertTrue(
          refusal(ArchiveWork.archive(upkeep, AS_CONFIGURED)).contains("DisableArchiveCommands"));
      assertTrue(refusal(ArchiveWork.load(upkeep, "/x")).contains("DisableArchiveCommands"));
      assertEquals(3, lines());
    }
  }
}
