package io.dure.controller.accounting.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.RecordWriter;
import io.dure.controller.accounting.KeptLog;
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

  private static final BookKeeping.Asker ROOT = new BookKeeping.Asker("root", true);

  private static final AccountingRecord OLD =
      new AccountingRecord.AccountsChange(
          Instant.parse("2026-03-10T00:00:00Z"), "root", "Add Users", "u", "x");

  @TempDir Path folder;
  private AccountingDatabase database;

  @BeforeEach
  void fill() throws Exception {
    database = AccountingDatabase.inFile(folder.resolve("accounting.db"));
    var _ = database.migrate();
    RecordWriter writer = writer("main");
    AccountingRecord young =
        new AccountingRecord.AccountsChange(NOW.minusSeconds(60), "root", "Add Users", "v", "x");
    writer.store(writer.position(), List.of(OLD, OLD, young), 1);
  }

  private RecordWriter writer(String cluster) {
    return new RecordWriter(database, cluster, "first", ZoneId.systemDefault(), row -> {});
  }

  @AfterEach
  void close() {
    database.close();
  }

  private int lines() {
    return lines("main");
  }

  private int lines(String cluster) {
    return new ClusterLines(database, cluster)
        .find(
            new ClusterHistoryQuery(
                ClusterHistoryQuery.Part.TRANSACTIONS, Instant.EPOCH, NOW.plusSeconds(1)))
        .transactions()
        .size();
  }

  private static LocalBookKeeping work(AccountingUpkeep upkeep) {
    return new LocalBookKeeping(upkeep, List.of(), LocalBookKeeping.Rights.ALL);
  }

  private AccountingUpkeep upkeep(@Nullable String script, boolean commands) {
    return upkeep(script, commands, new KeptLog());
  }

  private AccountingUpkeep upkeep(@Nullable String script, boolean commands, KeptLog log) {
    return new AccountingUpkeep(
        database,
        () -> List.of("main", "second"),
        new RetentionSettings(
            Map.of(RecordKind.TRANSACTIONS, new RetentionSettings.Rule(MONTH, true)),
            folder.resolve("archives").toString(),
            script,
            commands),
        () -> false, // what is asked for is done by a backup, too
        InstantSource.fixed(NOW),
        log);
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
      List<String> went = moved(work(upkeep).archive(AS_CONFIGURED, ROOT));
      assertTrue(went.getFirst().startsWith("txn: 2 into " + folder), went.toString());
      assertEquals(1, lines());
      String file = went.getFirst().substring("txn: 2 into ".length());
      assertEquals(List.of("txn: 2 of 2"), moved(work(upkeep).load(file, ROOT)));
      assertEquals(List.of("txn: 0 of 2"), moved(work(upkeep).load(file, ROOT)));
      assertEquals(3, lines());
      assertTrue(refusal(work(upkeep).load(file + "x", ROOT)).contains(file + "x"));
    }
  }

  @Test
  void eachClusterOfADaemonHasItsOwnArchive() throws Exception {
    RecordWriter second = writer("second");
    second.store(second.position(), List.of(OLD), 1);
    try (AccountingUpkeep upkeep = upkeep(null, true)) {
      List<String> went = moved(work(upkeep).archive(AS_CONFIGURED, ROOT));
      assertEquals(2, went.size(), went.toString());
      assertTrue(went.getFirst().startsWith("txn: 2 into "), went.toString());
      assertTrue(went.getLast().contains("/second_txn_archive_"), went.toString());
      assertEquals(
          List.of("txn: 1 of 1"),
          moved(work(upkeep).load(went.getLast().substring("txn: 1 into ".length()), ROOT)));
    }
  }

  /** The database refuses it for the first cluster, as it does where a statement takes too long. */
  @Test
  void oneClusterThatFailsKeepsNoOthersRecords() throws Exception {
    RecordWriter second = writer("second");
    second.store(second.position(), List.of(OLD), 1);
    database
        .jdbi()
        .useHandle(handle ->
            handle.execute(
                "CREATE TRIGGER stays BEFORE DELETE ON txn WHEN OLD.cluster_id ="
                    + " (SELECT id FROM cluster WHERE name = 'main')"
                    + " BEGIN SELECT RAISE(ABORT, 'it takes too long'); END"));
    KeptLog log = new KeptLog();
    try (AccountingUpkeep upkeep = upkeep(null, true, log)) {
      Response.Partly told =
          assertInstanceOf(Response.Partly.class, work(upkeep).archive(AS_CONFIGURED, ROOT));
      assertEquals(1, told.lines().size(), told.toString());
      assertTrue(told.lines().getFirst().contains("/second_txn_archive_"), told.toString());
      assertEquals(1, told.failures().size(), told.toString());
      assertTrue(
          told.failures().getFirst().matches("main: .*it takes too long.*"), told.toString());
      assertEquals(1, log.with("old records of main stay").size());
    }
    assertEquals(3, lines());
    assertEquals(0, lines("second"));
  }

  @Test
  void aDamagedArchiveOfOneClusterKeepsNoOthersRecords() throws Exception {
    RecordWriter second = writer("second");
    second.store(second.position(), List.of(OLD), 1);
    try (AccountingUpkeep upkeep = upkeep(null, true)) {
      for (String went : moved(work(upkeep).archive(AS_CONFIGURED, ROOT))) {
        var _ = moved(work(upkeep).load(went.substring(went.indexOf('/')), ROOT));
        if (went.contains("/main_")) {
          Files.writeString(Path.of(went.substring(went.indexOf('/'))), "no archive");
        }
      }
      Response.Partly told =
          assertInstanceOf(Response.Partly.class, work(upkeep).archive(AS_CONFIGURED, ROOT));
      assertTrue(told.lines().getFirst().contains("/second_txn_archive_"), told.toString());
      assertTrue(told.failures().getFirst().contains("main_txn_archive_"), told.toString());
      assertEquals(3, lines());
      assertEquals(0, lines("second"));
    }
  }

  @Test
  void recordsOfClustersThatOneDoesNotAdministerStay() throws Exception {
    RecordWriter second = writer("second");
    second.store(second.position(), List.of(OLD), 1);
    BookKeeping.Asker ada = new BookKeeping.Asker("ada", false);
    try (AccountingUpkeep upkeep = upkeep(null, true)) {
      LocalBookKeeping nobodys =
          new LocalBookKeeping(
              upkeep, List.of(), (clusters, by) -> by.operator() ? clusters : List.of());
      assertEquals(
          "your user is no administrator of main, second",
          refusal(nobodys.archive(AS_CONFIGURED, ada)));
      LocalBookKeeping seconds =
          new LocalBookKeeping(
              upkeep,
              List.of(),
              (clusters, _) -> clusters.stream().filter("second"::equals).toList());
      Response.Partly told =
          assertInstanceOf(Response.Partly.class, seconds.archive(AS_CONFIGURED, ada));
      assertEquals(
          List.of("your user is no administrator of main"), told.failures(), told.toString());
      assertEquals(3, lines());
      assertEquals(0, lines("second"));
      String own = told.lines().getFirst().substring("txn: 1 into ".length());
      String other = moved(work(upkeep).archive(AS_CONFIGURED, ROOT)).getFirst();
      assertEquals(
          "your user is no administrator of main",
          refusal(seconds.load(other.substring("txn: 2 into ".length()), ada)));
      assertEquals(1, lines());
      assertEquals(List.of("txn: 1 of 1"), moved(seconds.load(own, ada)));
      assertEquals(
          "Directory= and Script= are for root and SlurmUser",
          refusal(seconds.archive(new ArchiveOrder(List.of(), "/tmp", null), ada)));
      assertEquals(
          "Directory= and Script= are for root and SlurmUser",
          refusal(seconds.archive(new ArchiveOrder(List.of(), null, "/bin/true"), ada)));
    }
  }

  @Test
  void whatIsAskedComesBeforeWhatIsConfigured() throws IOException {
    try (AccountingUpkeep upkeep = upkeep(null, true)) {
      RetentionAge year = new RetentionAge(12, RetentionAge.Unit.MONTHS);
      ArchiveOrder.Kind txn = new ArchiveOrder.Kind(RecordKind.TRANSACTIONS, year, false);
      assertEquals(
          List.of(), moved(work(upkeep).archive(new ArchiveOrder(List.of(txn), null, null), ROOT)));
      txn = new ArchiveOrder.Kind(RecordKind.TRANSACTIONS, null, false);
      assertEquals(
          List.of("txn: 2"),
          moved(work(upkeep).archive(new ArchiveOrder(List.of(txn), null, null), ROOT)));
      ArchiveOrder.Kind jobs = new ArchiveOrder.Kind(RecordKind.JOBS, null, true);
      assertEquals(
          "say how old: PurgeJobAfter=",
          refusal(work(upkeep).archive(new ArchiveOrder(List.of(jobs), null, null), ROOT)));
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
      assertEquals(List.of("txn: 2"), moved(work(upkeep).archive(AS_CONFIGURED, ROOT)));
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
      assertTrue(refusal(work(upkeep).archive(AS_CONFIGURED, ROOT)).contains("ArchiveScript"));
      assertEquals(3, lines());
    }
  }

  @Test
  void itCanBeForbidden() throws IOException {
    try (AccountingUpkeep upkeep = upkeep(null, false)) {
      assertTrue(
          refusal(work(upkeep).archive(AS_CONFIGURED, ROOT)).contains("DisableArchiveCommands"));
      assertTrue(refusal(work(upkeep).load("/x", ROOT)).contains("DisableArchiveCommands"));
      assertEquals(3, lines());
    }
  }
}
