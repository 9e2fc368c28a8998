package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.JobHistory;
import io.dure.accounting.RecordWriter;
import io.dure.accounting.StalePositionException;
import io.dure.accounting.store.DatabaseStore;
import io.dure.cluster.record.AccountingRecorder;
import io.dure.journal.AccountingLog;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cluster whose events go into a log, from which a database is filled. One thread. */
final class RecordedCluster implements AutoCloseable {
  private static final JobHistoryQuery ALL =
      new JobHistoryQuery(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
          List.of(), List.of(), null, null, null, null, null, true, true, null, null, null);
  private static final Instant LATER = TestCluster.START.plusSeconds(1_000_000);

  private final TestCluster cluster = ClusterBuilder.of(8).cpus(16).start();

  /** Files that are not the size of a test's small disk. */
  private static final JournalSettings SMALL =
      new JournalSettings(1 << 20, 64L << 20, Duration.ofSeconds(1));

  private final Path folder;
  private final Path place;
  private final AccountingLog records;
  private final AccountingFeed feed;
  private final List<AccountingRecord> expected = new ArrayList<>();
  private final KeptLog log = new KeptLog();

  /** The position of the last of them. */
  private long last;

  private int checks;

  private final AccountingDatabase database;
  private final AccountingDelivery delivery;

  RecordedCluster(Path folder, AccountingDatabase database) throws IOException {
    this(folder, folder, new SoundDisk(), database);
  }

  /** With a log in a directory of its own, on a disk of which is heard. */
  RecordedCluster(Path folder, Path place, JournalListener disk, AccountingDatabase database)
      throws IOException {
    this.folder = folder;
    this.place = place;
    this.database = database;
    records = AccountingLog.open(place, SMALL, disk);
    feed =
        new AccountingFeed(
            records,
            new RecordSeeker((_, _) -> {}, List.of()),
            false,
            InstantSource.system(),
            bug -> {
              throw new AssertionError(bug);
            },
            log);
    feed.begin(cluster.steps().getFirst().before());
    tell();
    delivery =
        new AccountingDelivery(
            feed,
            new DatabaseStore(database, ZoneId.systemDefault(), List.of(), log),
            "main",
            () -> true,
            InstantSource.system(),
            log);
  }

  KeptLog log() {
    return log;
  }

  /** So many jobs are submitted, and run for a while; some fail, and some are still there. */
  void run(int jobs) {
    for (int i = 0; i < jobs; i++) {
      var _ =
          cluster.submit(
              i % 3 == 0 ? TestCluster.BOB : TestCluster.ALICE,
              JobBuilder.job().name("job " + i).runs(1 + i % 90));
    }
    cluster.seconds(60);
    tell();
  }

  private void tell() {
    for (TestCluster.Step step : cluster.steps()) {
      List<AccountingRecord> more =
          AccountingRecorder.records(
              step.before(), step.event(), step.after(), step.after().texts());
      expected.addAll(more);
      last = more.isEmpty() ? last : step.after().origin().events();
      feed.happened(List.of(step.event()), step.after());
    }
    cluster.forgetSteps();
  }

  /** Waits until the database has all, and checks that it has just that. */
  void check() throws StalePositionException, IOException {
    feed.hurry(cluster.state().origin().events());
    Await.seconds(150)
        .until(
            "all is delivered",
            () ->
                new RecordWriter(database, "main", origin(), ZoneOffset.UTC, _ -> {}).position()
                    == last);
    assertEquals(expected(), found(database));
    BooksCheck.Result result = compare();
    assertEquals(List.of(), result.differences());
    assertTrue(result.agreed() == result.compared() && result.agreed() >= expected().size());
  }

  /** What the checker says that users run. */
  BooksCheck.Result compare() throws IOException {
    Path scratch = Files.createDirectory(folder.resolve("check-" + checks++));
    return BooksCheck.compare(database, "main", place, scratch);
  }

  private String origin() {
    return String.valueOf(cluster.state().origin().created());
  }

  private Map<String, RecordedJob> expected() throws StalePositionException {
    Path file = folder.resolve("expected-" + expected.size() + ".db");
    try (AccountingDatabase plain = AccountingDatabase.inFile(file)) {
      var _ = plain.migrate();
      RecordWriter writer = new RecordWriter(plain, "main", origin(), ZoneOffset.UTC, _ -> {});
      writer.store(writer.position(), expected, last);
      return found(plain);
    }
  }

  /** Asks the database as sacct does. */
  Map<String, RecordedJob> found() {
    return found(database);
  }

  /** What a database has, each attempt by its name. */
  private static Map<String, RecordedJob> found(AccountingDatabase database) {
    JobHistory history = new JobHistory(database, "main");
    Map<String, RecordedJob> all = new LinkedHashMap<>();
    JobHistory.Page page = history.find(ALL, LATER);
    while (true) {
      for (RecordedJob job : page.jobs()) {
        assertEquals(null, all.put(job.attempt().toString(), job));
      }
      if (page.last() == null) {
        return all;
      }
      page = history.find(ALL.withAfter(page.last()), LATER);
    }
  }

  @Override
  public void close() throws IOException {
    feed.close();
    delivery.close();
    database.close();
    records.close();
  }
}
