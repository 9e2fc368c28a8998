package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.JobHistory;
import io.dure.accounting.store.AccountingStore;
import io.dure.accounting.store.DatabaseStore;
import io.dure.cluster.ClusterState;
import io.dure.controller.accounting.upkeep.AccountingUpkeep;
import io.dure.controller.accounting.upkeep.BookKeeping;
import io.dure.controller.accounting.upkeep.BooksConfiguration;
import io.dure.controller.accounting.upkeep.LocalBookKeeping;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.replica.PeerTransport;
import io.dure.journal.AccountingLog;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ControllerPrograms.Completion;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.accounting.AccountingServerReader;
import io.dure.model.config.accounting.RetentionSettings;
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
import java.util.Objects;
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

  private static final Duration CATCH_UP = Duration.ofSeconds(5);
  private static final Duration LATEST = Duration.ofSeconds(10);

  private final AccountingLog records;
  private final AccountingFeed feed;
  private final @Nullable AccountingStore store;
  private final String cluster;
  private final @Nullable AccountingDelivery delivery;
  private final RecordExchange exchange;
  private final @Nullable AccountingUpkeep upkeep;
  private final @Nullable BookKeeping keeping;

  private ClusterAccounting(
      AccountingLog records,
      AccountingFeed feed,
      @Nullable AccountingStore store,
      String cluster,
      Workers workers) {
    this.records = records;
    this.feed = feed;
    this.store = store;
    this.cluster = cluster;
    delivery = workers.delivery();
    exchange = workers.exchange();
    upkeep = workers.upkeep();
    keeping = workers.keeping();
  }

  /**
   * What works beside the controller.
   *
   * @param delivery null where there is no database
   * @param upkeep null where slurmdbd has the database, or none has it
   * @param keeping null where there are no books
   */
  private record Workers(
      @Nullable AccountingDelivery delivery,
      RecordExchange exchange,
      @Nullable AccountingUpkeep upkeep,
      @Nullable BookKeeping keeping) {}

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
    boolean stores = settings.accountingStorage() != AccountingStorage.NONE;
    if (!stores && config.settings().programs().completion() == Completion.NONE) {
      return null;
    }
    Path directory = Path.of(settings.stateSaveLocation()).resolve(DIRECTORY);
    Files.createDirectories(directory);
    AccountingLog records =
        AccountingLog.open(directory, JournalSettings.defaults(), around.disk());
    RecordSeeker seeker = new RecordSeeker(group.peers(), group.others());
    AccountingFeed feed =
        new AccountingFeed(records, seeker, !stores, around.clock(), stopped, log);
    if (stores) {
      return stored(config, around, group, feed);
    }
    return new ClusterAccounting(
        records,
        feed,
        null,
        settings.clusterName(),
        new Workers(null, new RecordExchange(feed, group.peers(), log), null, null));
  }

  private static ClusterAccounting stored(
      ClusterConfig config, Surroundings around, Group group, AccountingFeed feed)
      throws IOException {
    Logger log = around.log();
    ClusterSettings.Controller settings = config.settings().controller();
    RetentionSettings retention =
        ConfiguredServer.retention(AccountingServerReader.beside(config.path()));
    List<String> hidden = ConfiguredServer.privateData(config);
    Path directory = Path.of(settings.stateSaveLocation()).resolve(DIRECTORY);
    SlurmdbdClient daemon = ConfiguredDaemon.find(config, around.clock(), log);
    AccountingServer server = daemon == null ? ConfiguredServer.find(config, log) : null;
    AccountingDatabase database =
        daemon != null
            ? null
            : server == null
                ? AccountingDatabase.inFile(directory.resolve(FILE))
                : AccountingDatabase.on(server);
    AccountingStore store =
        database != null
            ? new DatabaseStore(database, ZoneId.systemDefault(), hidden, log)
            : new SlurmdbdStore(
                Objects.requireNonNull(daemon),
                feed::accounts,
                settings.hosts().getFirst().address(),
                settings.port(),
                log);
    log.info("accounting database: {}", store.name());
    String cluster = settings.clusterName();
    AccountingUpkeep upkeep =
        database == null ? null : upkeep(database, cluster, retention, group, around);
    BookKeeping keeping =
        store instanceof SlurmdbdStore there
            ? there
            : new LocalBookKeeping(
                Objects.requireNonNull(upkeep),
                BooksConfiguration.ofController(
                    config, server, directory.resolve(FILE), retention, around.clock().instant()),
                LocalBookKeeping.Rights.ALL);
    return new ClusterAccounting(
        feed.log(),
        feed,
        store,
        cluster,
        new Workers(
            new AccountingDelivery(feed, store, cluster, group.leads(), around.clock(), log),
            new RecordExchange(feed, group.peers(), log),
            upkeep,
            keeping));
  }

  private static AccountingUpkeep upkeep(
      AccountingDatabase database,
      String cluster,
      RetentionSettings retention,
      Group group,
      Surroundings around) {
    return new AccountingUpkeep(
        database,
        () -> List.of(cluster),
        retention,
        () -> !database.isShared() || group.leads().getAsBoolean(),
        around.clock(),
        around.log());
  }

  private AccountingStore store() {
    return Objects.requireNonNull(store, "asked for books that there are not");
  }

  private boolean awaitDelivered(ClusterState upTo, Duration atMost) {
    return delivery != null && delivery.awaitDelivered(upTo.origin().events(), atMost);
  }

  /** How far the database has the records, null where there is none. */
  AccountingDelivery.@Nullable Progress delivered() {
    return delivery == null ? null : delivery.progress();
  }

  /** This one, null where it keeps its log for JobCompType alone. */
  public @Nullable ClusterAccounting books() {
    return store == null ? null : this;
  }

  /** The jobs that ended. */
  public EndedJobReader endedJobs() {
    return new EndedJobReader(feed, delivery == null);
  }

  /** What is done with the books beside records and questions. */
  BookKeeping keeping() {
    return Objects.requireNonNull(keeping, "asked for books that there are not");
  }

  /** What slurmdbd.conf hides of the books. */
  public List<String> privateData() {
    return store == null ? List.of() : store.privateData();
  }

  /** The slurmdbd that keeps the accounts, null where the cluster itself does. */
  public @Nullable SlurmdbdClient daemon() {
    return store instanceof SlurmdbdStore shared ? shared.client() : null;
  }

  /**
   * What the database has of the jobs of a cluster, null for this one, with everything up to a
   * state unless the database takes more than some seconds for it.
   *
   * @throws IOException if the database does not answer
   */
  public JobHistory.Page find(
      JobHistoryQuery query, @Nullable String of, ClusterState upTo, Instant now)
      throws IOException {
    var _ = awaitDelivered(upTo, CATCH_UP);
    return store().find(of == null ? cluster : of, query, now);
  }

  /**
   * What was used on a cluster, null for this one, with everything up to a state unless the
   * database takes more than some seconds for it.
   *
   * @throws IOException if the database does not answer
   */
  public UsageReport usage(UsageQuery query, @Nullable String of, ClusterState upTo, Instant now)
      throws IOException {
    var _ = awaitDelivered(upTo, CATCH_UP);
    return store()
        .usage(of == null ? cluster : of, query, now, upTo.settings().resources().trackedTres());
  }

  /**
   * Lines of the history of a cluster, null for this one, as {@link #usage}.
   *
   * @throws IOException if the database does not answer
   */
  public ClusterHistory history(ClusterHistoryQuery query, @Nullable String of, ClusterState upTo)
      throws IOException {
    var _ = awaitDelivered(upTo, CATCH_UP);
    return store().history(of == null ? cluster : of, query);
  }

  /**
   * Attempts of this cluster's jobs that are not over there, once everything up to a state is
   * there; behind another attempt, or null for the first ones.
   *
   * @throws IOException if the database does not answer, or takes longer than ten seconds to get
   *     that far
   */
  JobHistory.Page open(@Nullable AttemptId after, ClusterState upTo, Instant now)
      throws IOException {
    if (!awaitDelivered(upTo, LATEST)) {
      throw new IOException("it is behind the controller");
    }
    return store().find(cluster, JobHistoryQuery.OPEN.withAfter(after), now);
  }

  /**
   * Attempts of another cluster's jobs that are not over there; behind another attempt, or null for
   * the first ones.
   *
   * @throws IOException if the database does not answer
   */
  JobHistory.Page openElsewhere(String of, @Nullable AttemptId after, Instant now)
      throws IOException {
    return store().find(of, JobHistoryQuery.OPEN.withAfter(after), now);
  }

  /**
   * Ends attempts of the jobs of a cluster, null for this one, there.
   *
   * @throws IOException if the database does not answer
   */
  void end(@Nullable String of, List<AttemptId> attempts, String actor, Instant now)
      throws IOException {
    store().end(of == null ? cluster : of, attempts, actor, now);
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
    if (delivery != null) {
      delivery.close();
    }
    if (upkeep != null) {
      upkeep.close();
    }
    if (store != null) {
      store.close();
    }
    records.close();
  }
}
