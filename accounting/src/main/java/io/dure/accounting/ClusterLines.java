package io.dure.accounting;

import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** What the database has of a cluster's nodes and accounts over time. Any thread. */
public final class ClusterLines {
  /** Lines in an answer, the newest. */
  private static final int MOST = 100_000;

  private static final String REGISTERED = "Cluster Registered TRES";

  private final AccountingDatabase database;
  private final String cluster;

  /** The lines of a cluster. */
  public ClusterLines(AccountingDatabase database, String cluster) {
    this.database = database;
    this.cluster = cluster;
  }

  /**
   * Finds lines.
   *
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public ClusterHistory find(ClusterHistoryQuery query) {
    return database
        .jdbi()
        .withHandle(handle -> {
          Long id = AccountingDatabase.clusterNumber(handle, cluster);
          if (id == null) {
            return new ClusterHistory(cluster, List.of(), List.of());
          }
          long from = query.from().getEpochSecond();
          Instant end = query.until();
          long until = end == null ? SqlDialect.NEVER : end.getEpochSecond();
          return switch (query.part()) {
            case EVENTS -> new ClusterHistory(cluster, events(handle, id, from, until), List.of());
            case RESERVATIONS ->
                new ClusterHistory(
                    cluster,
                    List.of(),
                    List.of(),
                    ClusterTables.reservations(handle, id, from, until, until, true));
            case TRANSACTIONS ->
                new ClusterHistory(cluster, List.of(), transactions(handle, id, from, until));
          };
        });
  }

  private static List<ClusterHistory.ClusterEvent> events(
      Handle handle, long id, long from, long until) {
    List<ClusterHistory.ClusterEvent> events = new ArrayList<>();
    List<ClusterHistory.ClusterEvent> had =
        handle
            .createQuery(
                "SELECT start_time, node_list, tres FROM capacity WHERE cluster_id = ? AND"
                    + " start_time < ? ORDER BY start_time")
            .bind(0, id)
            .bind(1, until)
            .map((row, _) -> capacity(row))
            .list();
    for (int i = 0; i < had.size(); i++) {
      ClusterHistory.ClusterEvent one = had.get(i);
      Instant end = i == had.size() - 1 ? null : had.get(i + 1).start();
      if (end == null || end.getEpochSecond() > from) {
        events.add(
            new ClusterHistory.ClusterEvent(
                null, one.nodes(), one.start(), end, "", REGISTERED, null, one.tres()));
      }
    }
    handle
        .createQuery(
            "SELECT node, start_time, end_time, state, reason, reason_uid, tres FROM outage WHERE"
                + " cluster_id = ? AND end_time > ? AND start_time < ? ORDER BY start_time DESC"
                + " LIMIT "
                + MOST)
        .bind(0, id)
        .bind(1, from)
        .bind(2, until)
        .map((row, _) -> outage(row))
        .forEach(events::add);
    events.sort(Comparator.comparing(ClusterHistory.ClusterEvent::start));
    return events;
  }

  private static ClusterHistory.ClusterEvent capacity(ResultSet row) throws SQLException {
    return new ClusterHistory.ClusterEvent(
        null,
        row.getString(2),
        Instant.ofEpochSecond(row.getLong(1)),
        null,
        "",
        REGISTERED,
        null,
        row.getString(3));
  }

  private static ClusterHistory.ClusterEvent outage(ResultSet row) throws SQLException {
    return new ClusterHistory.ClusterEvent(
        row.getString(1),
        row.getString(1),
        Instant.ofEpochSecond(row.getLong(2)),
        end(row.getLong(3)),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getString(7));
  }

  private static @Nullable Instant end(long time) {
    return time == SqlDialect.NEVER ? null : Instant.ofEpochSecond(time);
  }

  private static List<ClusterHistory.Transaction> transactions(
      Handle handle, long id, long from, long until) {
    return handle
        .createQuery(
            "SELECT at_time, actor, action, target, info, id FROM txn WHERE cluster_id = ? AND at_time"
                + " >= ? AND at_time < ? ORDER BY id DESC LIMIT "
                + MOST)
        .bind(0, id)
        .bind(1, from)
        .bind(2, until)
        .map((row, _) ->
            new ClusterHistory.Transaction(
                Instant.ofEpochSecond(row.getLong(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getLong(6)))
        .list()
        .reversed();
  }
}
