package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.JobHistory;
import io.dure.accounting.UsageHistory;
import io.dure.cluster.ClusterState;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.replica.PeerTransport;
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
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The accounting of a controller: its log, the database and what brings records from one to the
 * other.
 */
public final class ClusterAccounting implements AutoCloseable {
  static final String DIRECTORY = "accounting";
  static final String FILE = "accounting.db";

  private static final Duration CATCH_UP = Duration.ofSeconds(1);

  private final AccountingLog records;
  private final AccountingFeed feed;
  private final AccountingDatabase database;
  private final AccountingDelivery delivery;
  private final RecordExchange exchange;
  private final JobHistory history;
  private final UsageHistory usage;
  private final ClusterLines lines;

  private ClusterAccounting(
      AccountingLog records,
      AccountingFeed feed,
      RecordExchange exchange,
      AccountingDatabase database,
      String cluster,
      AccountingDelivery delivery) {
    this.records = records;
    this.feed = feed;
    this.exchange = exchange;
    this.database = database;
    this.delivery = delivery;
    history = new JobHistory(database, cluster);
    usage = new UsageHistory(database, cluster, ZoneId.systemDefault());
    lines = new ClusterLines(database, cluster);
  }

  /** What it needs of the controller. */
  public record Surroundings(InstantSource clock, JournalListener disk, Logger log) {}

  /**
   * The controllers of a cluster.
   *
   * @param leads whether this one leads, once it has begun
   * @param peers the way to the others
   * @param others their hosts; none for a lone controller
   */
  public record Group(BooleanSupplier leads, PeerTransport peers, List<String> others) {}

  /**
   * Opens the log in the directory of the controller's state, and the database that the
   * configuration names; null where it wants no records.
   *
   * @param stopped told of a bug after which nothing is recorded any more
   * @throws IOException if the log is damaged or the disk refuses, or the configuration cannot be
   *     followed
   */
  public static @Nullable ClusterAccounting of(
      ClusterConfig config, Surroundings around, Group group, Consumer<Throwable> stopped)
      throws IOException {
    Logger log = around.log();
    ClusterSettings.Controller settings = config.settings().controller();
    if (settings.accountingStorage() == AccountingStorage.NONE) {
      return null;
    }
    AccountingServer server = ConfiguredServer.find(config, log);
    Path directory = Path.of(settings.stateSaveLocation()).resolve(DIRECTORY);
    Files.createDirectories(directory);
    AccountingLog records =
        AccountingLog.open(directory, JournalSettings.defaults(), around.disk());
    RecordSeeker seeker = new RecordSeeker(group.peers(), group.others());
    AccountingFeed feed = new AccountingFeed(records, seeker, around.clock(), stopped, log);
    AccountingDatabase database =
        server == null
            ? AccountingDatabase.inFile(directory.resolve(FILE))
            : AccountingDatabase.on(server);
    log.info("accounting database: {}", database.name());
    String cluster = settings.clusterName();
    return new ClusterAccounting(
        records,
        feed,
        new RecordExchange(feed, group.peers(), log),
        database,
        cluster,
        new AccountingDelivery(feed, database, cluster, group.leads(), around.clock(), log));
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

  /** What other controllers say of records. */
  public RecordExchange exchange() {
    return exchange;
  }

  @Override
  public void close() throws IOException {
    exchange.close();
    feed.close();
    delivery.close();
    database.close();
    records.close();
  }
}
