package io.dure.accounting.retention;

import io.dure.accounting.TresTable;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Turns rows of a cluster into those of archives and back: names instead of numbers. */
final class RowNames {
  static final String TRES = "tres";
  static final List<String> OWNER = List.of("account", "user_name", "wckey");
  private static final String CLUSTER_ID = "cluster_id";
  private static final String TRES_ID = "tres_id";
  private static final String OWNER_ID = "owner_id";

  private final long cluster;
  private final Map<Long, String> tres = new HashMap<>();
  private final Map<String, Long> tresNumbers = new HashMap<>();
  private final Map<Long, List<String>> owners = new HashMap<>();
  private final Map<List<String>, Long> ownerNumbers = new HashMap<>();

  RowNames(Handle handle, long cluster) {
    this.cluster = cluster;
    TresTable.names(handle, List.of()).forEach(this::know);
    handle
        .createQuery("SELECT id, account, user_name, wckey FROM usage_owner WHERE cluster_id = ?")
        .bind(0, cluster)
        .map((row, _) ->
            Map.entry(
                row.getLong(1), List.of(row.getString(2), row.getString(3), row.getString(4))))
        .forEach(one -> know(one.getKey(), one.getValue()));
  }

  private void know(long number, String name) {
    tres.put(number, name);
    tresNumbers.put(name, number);
  }

  private void know(long number, List<String> owner) {
    owners.put(number, owner);
    ownerNumbers.putIfAbsent(owner, number);
  }

  long cluster() {
    return cluster;
  }

  /** A row of the database, with all of its columns. */
  ArchivedRow row(ArchivedTable table, ResultSet row) throws SQLException {
    Map<String, Object> values = new LinkedHashMap<>();
    ResultSetMetaData columns = row.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String name = columns.getColumnLabel(i);
      switch (row.getObject(i)) {
        case null -> {}
        case Object _ when name.equals(ArchivedTable.DERIVED) -> {}
        case byte[] bytes -> values.put(name, bytes);
        case Number number -> named(values, name, number.longValue());
        case Object other -> values.put(name, other.toString());
      }
    }
    return new ArchivedRow(table, values);
  }

  private void named(Map<String, Object> values, String column, long number) {
    switch (column) {
      case CLUSTER_ID -> {} // the archive is of one
      case TRES_ID -> values.put(TRES, tres.getOrDefault(number, ""));
      case OWNER_ID -> {
        List<String> owner = owners.getOrDefault(number, List.of("", "", ""));
        for (int i = 0; i < OWNER.size(); i++) {
          values.put(OWNER.get(i), owner.get(i));
        }
      }
      default -> values.put(column, number);
    }
  }

  /**
   * The columns of a row.
   *
   * @param add whether names that the database does not know are added, or there is no such row
   */
  @Nullable Map<String, Object> columns(Handle handle, ArchivedRow row, boolean add) {
    Map<String, Object> columns = new LinkedHashMap<>();
    if (row.table().ofCluster()) {
      columns.put(CLUSTER_ID, cluster);
    }
    columns.putAll(row.values());
    if (row.table().key().contains(TRES_ID)) {
      columns.remove(TRES);
      String name = row.text(TRES);
      Long number = tresNumbers.get(name);
      if (number == null && add) {
        number = TresTable.number(handle, name);
        know(number, name);
      }
      if (number == null) {
        return null;
      }
      columns.put(TRES_ID, number);
    }
    if (row.table().key().contains(OWNER_ID)) {
      OWNER.forEach(columns::remove);
      List<String> owner = OWNER.stream().map(row::text).toList();
      Long number = ownerNumbers.get(owner);
      if (number == null && add) {
        number = insert(handle, owner);
        know(number, owner);
      }
      if (number == null) {
        return null;
      }
      columns.put(OWNER_ID, number);
    }
    return columns;
  }

  private long insert(Handle handle, List<String> owner) {
    return handle
        .createUpdate(
            "INSERT INTO usage_owner (cluster_id, account, user_name, wckey) VALUES (?, ?, ?, ?)")
        .bind(0, cluster)
        .bind(1, owner.get(0))
        .bind(2, owner.get(1))
        .bind(3, owner.get(2))
        .executeAndReturnGeneratedKeys("id")
        .mapTo(Long.class)
        .one();
  }
}
