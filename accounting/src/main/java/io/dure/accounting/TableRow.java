package io.dure.accounting;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/**
 * Values of the columns of a row.
 *
 * @param subject what it is a row of, for logs
 */
record TableRow(String subject, List<@Nullable Object> values) {
  private static final int LARGE = 10_000;

  /** A row; its texts are as {@link SqlDialect#text} makes them. */
  static TableRow of(String subject, @Nullable Object... values) {
    List<@Nullable Object> clean = new ArrayList<>();
    for (Object value : values) {
      clean.add(value instanceof String text ? SqlDialect.text(text) : value);
    }
    return new TableRow(subject, Collections.unmodifiableList(clean));
  }

  /**
   * Writes rows, many by one statement where the database is quicker so.
   *
   * @param sql the statement for a number of rows
   */
  static void write(
      Handle handle, SqlDialect dialect, IntFunction<String> sql, List<TableRow> rows) {
    // A server takes statements of some megabytes only.
    int most = dialect.rowsAtOnce();
    int atOnce = most > 1 && rows.stream().anyMatch(TableRow::isLarge) ? 1 : most;
    int whole = rows.size() - rows.size() % atOnce;
    writeBatch(handle, sql.apply(atOnce), rows.subList(0, whole), atOnce);
    writeBatch(handle, sql.apply(1), rows.subList(whole, rows.size()), 1);
  }

  /** By JDBC itself: to find out how to bind each value costs JDBI as much as to store it. */
  private static void writeBatch(Handle handle, String sql, List<TableRow> rows, int atOnce) {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement batch = handle.getConnection().prepareStatement(sql)) {
      for (int i = 0; i < rows.size(); i++) {
        rows.get(i).bind(batch, i % atOnce * rows.get(i).values().size() + 1);
        if ((i + 1) % atOnce == 0) {
          batch.addBatch();
        }
      }
      var _ = batch.executeBatch();
    } catch (SQLException e) {
      throw new UnableToExecuteStatementException(e, null);
    }
  }

  private boolean isLarge() {
    for (Object value : values) {
      if (value instanceof byte[] bytes && bytes.length > LARGE) {
        return true;
      }
    }
    return false;
  }

  private void bind(PreparedStatement statement, int from) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      switch (values.get(i)) {
        case null -> statement.setNull(from + i, Types.NULL);
        case Long number -> statement.setLong(from + i, number);
        case Integer number -> statement.setInt(from + i, number);
        case String text -> statement.setString(from + i, text);
        case byte[] bytes -> statement.setBytes(from + i, bytes);
        case Object other -> statement.setObject(from + i, other);
      }
    }
  }

  /** Gives the values to a statement. */
  void bind(SqlStatement<?> statement) {
    for (int i = 0; i < values.size(); i++) {
      statement.bind(i, values.get(i));
    }
  }
}
