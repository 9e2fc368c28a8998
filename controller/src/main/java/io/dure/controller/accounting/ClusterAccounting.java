package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.JobHistory;
import io.dure.controller.loop.EventFollower;
import io.dure.journal.AccountingLog;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.model.config.ClusterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * The accounting of a controller: its log, the database and what brings records from one to the
 * other.
 */
public final class ClusterAccounting implements AutoCloseable {
  private static final String DIRECTORY = "accounting";
  private static final String FILE = "accounting.db";

  private final AccountingLog records;
  private final AccountingFeed feed;
  private final AccountingDatabase database;
  private final AccountingDelivery delivery;
  private final JobHistory history;

  /**
   * Opens the log and the embedded database in the directory of the controller's state.
   *
   * @param stopped told of a bug after which nothing is recorded any more
   * @throws IOException if the log is damaged or the disk refuses
   */
  public ClusterAccounting(
      ClusterSettings.Controller settings,
      InstantSource clock,
      JournalListener disk,
      Consumer<Throwable> stopped,
      Logger log)
      throws IOException {
    Path directory = Path.of(settings.stateSaveLocation()).resolve(DIRECTORY);
    Files.createDirectories(directory);
    records = AccountingLog.open(directory, JournalSettings.defaults(), disk);
    feed = new AccountingFeed(records, clock, stopped);
    database = AccountingDatabase.inFile(directory.resolve(FILE));
    history = new JobHistory(database, settings.clusterName());
    delivery = new AccountingDelivery(feed, database, settings.clusterName(), clock, log);
  }

  /** What the database has of the cluster's jobs. */
  public JobHistory history() {
    return history;
  }

  /** What gets the events. */
  public EventFollower follower() {
    return feed;
  }

  @Override
  public void close() throws IOException {
    feed.close();
    delivery.close();
    database.close();
    records.close();
  }
}
