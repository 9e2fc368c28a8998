package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.JobHistory;
import io.dure.accounting.UsageHistory;
import io.dure.cluster.ClusterState;
import io.dure.controller.loop.EventFollower;
import io.dure.journal.AccountingLog;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The accounting of a controller: its log, the database and what brings records from one to the
 * other.
 */
public final class ClusterAccounting implements AutoCloseable {
  private static final String DIRECTORY = "accounting";
  private static final String FILE = "accounting.db";
  private static final Duration CATCH_UP = Duration.ofSeconds(1);

  private final AccountingLog records;
  private final AccountingFeed feed;
  private final AccountingDatabase database;
  private final AccountingDelivery delivery;
  private final JobHistory history;
  private final UsageHistory usage;
  private final ClusterLines lines;

  private ClusterAccounting(
      AccountingLog records,
      AccountingFeed feed,
      AccountingDatabase database,
      String cluster,
      AccountingDelivery delivery) {
    this.records = records;
    this.feed = feed;
    this.database = database;
    this.delivery = delivery;
    history = new JobHistory(database, cluster);
    usage = new UsageHistory(database, cluster, ZoneId.systemDefault());
    lines = new ClusterLines(database, cluster);
  }

  /**
   * Opens the log in the directory of the controller's state, and the database that the
   * configuration names; null where it wants no records.
   *
   * @param leads whether this controller leads, once it has begun
   * @param stopped told of a bug after which nothing is recorded any more
   * @throws IOException if the log is damaged or the disk refuses, or the configuration cannot be
   *     followed
   */
  public static @Nullable ClusterAccounting of(
      ClusterConfig config,
      InstantSource clock,
      BooleanSupplier leads,
      JournalListener disk,
      Consumer<Throwable> stopped,
      Logger log)
      throws IOException {
    ClusterSettings.Controller settings = config.settings().controller();
    if (settings.accountingStorage() == AccountingStorage.NONE) {
      return null;
    }
    AccountingServer server = ConfiguredServer.find(config, log);
    Path directory = Path.of(settings.stateSaveLocation()).resolve(DIRECTORY);
    Files.createDirectories(directory);
    AccountingLog records = AccountingLog.open(directory, JournalSettings.defaults(), disk);
    AccountingFeed feed = new AccountingFeed(records, clock, stopped);
    AccountingDatabase database =
        server == null
            ? AccountingDatabase.inFile(directory.resolve(FILE))
            : AccountingDatabase.on(server);
    log.info("accounting database: {}", database.name());
    String cluster = settings.clusterName();
    return new ClusterAccounting(
        records,
        feed,
        database,
        cluster,
        new AccountingDelivery(feed, database, cluster, leads, clock, log));
  }

  /**
   * What the database has of the cluster's jobs, with everything up to a state unless the database
   * takes more than a second for it.
   *
   * @throws JdbiException if the database does not answer
   */
  public JobHistory.Page find(JobHistoryQuery query, ClusterState upTo, Instant now) {
    delivery.awaitDelivered(upTo.origin().events(), CATCH_UP);
    return history.find(query, now);
  }

  /**
   * What was used, with everything up to a state unless the database takes more than a second for
   * it.
   *
   * @throws JdbiException if the database does not answer
   */
  public UsageReport usage(UsageQuery query, ClusterState upTo, Instant now) {
    delivery.awaitDelivered(upTo.origin().events(), CATCH_UP);
    return usage.report(query, now, upTo.settings().resources().trackedTres());
  }

  /**
   * Lines of the cluster's history, as {@link #usage}.
   *
   * @throws JdbiException if the database does not answer
   */
  public ClusterHistory history(ClusterHistoryQuery query, ClusterState upTo) {
    delivery.awaitDelivered(upTo.origin().events(), CATCH_UP);
    return lines.find(query);
  }

  /** What gets the events. */
  public static EventFollower follower(@Nullable ClusterAccounting accounting) {
    return accounting == null ? EventFollower.NONE : accounting.feed;
  }

  @Override
  public void close() throws IOException {
    feed.close();
    delivery.close();
    database.close();
    records.close();
  }
}
