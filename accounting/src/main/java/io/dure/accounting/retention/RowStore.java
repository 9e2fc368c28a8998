package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/** Removes single rows, and puts them back; each stays or is there once, however often. */
final class RowStore {
  private final RowNames names;
  private final PastHours past;

  /** How many rows of transactions an archive had that are the same. */
  private final Map<Map<String, Object>, Integer> same = new HashMap<>();

  RowStore(AccountingDatabase database, RowNames names, ZoneId zone) {
    this.names = names;
    past = new PastHours(database, zone);
  }

  /** Removes a row, unless it has changed since it was read. Whether it was there. */
  boolean remove(Handle handle, ArchivedRow row) {
    Map<String, Object> columns = names.columns(handle, row, false);
    if (columns == null) {
      return false;
    }
    List<String> where = new ArrayList<>(List.of("cluster_id"));
    where.addAll(row.table().key());
    where.addAll(row.table().guard());
    where = where.stream().distinct().toList();
    try (Update delete =
        handle.createUpdate("DELETE FROM " + row.table().table() + " WHERE " + equal(where))) {
      for (int i = 0; i < where.size(); i++) {
        delete.bind(i, Objects.requireNonNull(columns.get(where.get(i)), where.get(i)));
      }
      if (delete.execute() == 0) {
        return false;
      }
    }
    past.count(handle, names.cluster(), row, 1);
    return true;
  }

  /** Puts a row back, unless there is one with its key. Whether it was not there. */
  boolean add(Handle handle, ArchivedRow row) {
    Map<String, Object> columns =
        new HashMap<>(Objects.requireNonNull(names.columns(handle, row, true)));
    return switch (row.table()) {
      case TRANSACTION -> {
        columns.remove("id");
        int seen = same.merge(Map.copyOf(columns), 1, Integer::sum);
        boolean missing = count(handle, row.table(), List.copyOf(columns.keySet()), columns) < seen;
        yield missing && insert(handle, row.table(), columns);
      }
      case CAPACITY -> {
        columns.remove(PastHours.END);
        yield addCapacity(handle, row, columns);
      }
      case OUTAGE, RESERVATION -> {
        boolean missing = count(handle, row.table(), key(row.table()), columns) == 0;
        if (missing) {
          past.count(handle, names.cluster(), row, -1);
        }
        yield missing && insert(handle, row.table(), columns);
      }
      case JOB, STEP, SUSPENSION, TEXT, USUAL, SUM, CLUSTER_SUM, PAST ->
          count(handle, row.table(), key(row.table()), columns) == 0
              && insert(handle, row.table(), columns);
    };
  }

  /** What the cluster had, up to its end: what came then may not have come back yet. */
  private boolean addCapacity(Handle handle, ArchivedRow row, Map<String, Object> columns) {
    // In the place of an end that a row before it needed.
    handle.execute(
        "DELETE FROM capacity WHERE cluster_id = ? AND start_time = ? AND nodes = 0 AND tres = ''",
        names.cluster(),
        row.number("start_time"));
    if (count(handle, row.table(), key(row.table()), columns) > 0) {
      return false;
    }
    past.count(handle, names.cluster(), row, -1);
    var _ = insert(handle, row.table(), columns);
    Map<String, Object> end = new HashMap<>(columns);
    end.put("start_time", row.number(PastHours.END));
    if (count(handle, row.table(), key(row.table()), end) == 0) {
      end.putAll(Map.of("node_list", "", "nodes", 0L, "tres", ""));
      var _ = insert(handle, row.table(), end);
    }
    return true;
  }

  private static List<String> key(ArchivedTable table) {
    List<String> key = new ArrayList<>();
    if (table.ofCluster()) {
      key.add("cluster_id");
    }
    key.addAll(table.key());
    return key;
  }

  private static String equal(List<String> columns) {
    return columns.stream().map(column -> column + " = ?").collect(Collectors.joining(" AND "));
  }

  private static long count(
      Handle handle, ArchivedTable table, List<String> by, Map<String, Object> columns) {
    try (Query query =
        handle.createQuery("SELECT COUNT(*) FROM " + table.table() + " WHERE " + equal(by))) {
      for (int i = 0; i < by.size(); i++) {
        query.bind(i, Objects.requireNonNull(columns.get(by.get(i)), by.get(i)));
      }
      return query.mapTo(Long.class).one();
    }
  }

  private static boolean insert(Handle handle, ArchivedTable table, Map<String, Object> columns) {
    List<String> into = List.copyOf(columns.keySet());
    String marks = into.stream().map(_ -> "?").collect(Collectors.joining(", "));
    try (Update insert =
        handle.createUpdate(
            "INSERT INTO "
                + table.table()
                + " ("
                + String.join(", ", into)
                + ") VALUES ("
                + marks
                + ")")) {
      for (int i = 0; i < into.size(); i++) {
        insert.bind(i, columns.get(into.get(i)));
      }
      return insert.execute() == 1;
    }
  }
}
