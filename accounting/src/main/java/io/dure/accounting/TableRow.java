package io.dure.accounting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;
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
    int atOnce = rows.stream().anyMatch(TableRow::isLarge) ? 1 : dialect.rowsAtOnce();
    int whole = rows.size() - rows.size() % atOnce;
    writeBatch(handle, sql.apply(atOnce), rows.subList(0, whole), atOnce);
    writeBatch(handle, sql.apply(1), rows.subList(whole, rows.size()), 1);
  }

  private static void writeBatch(Handle handle, String sql, List<TableRow> rows, int atOnce) {
    if (rows.isEmpty()) {
      return;
    }
    PreparedBatch batch = handle.prepareBatch(sql);
    for (int i = 0; i < rows.size(); i++) {
      TableRow row = rows.get(i);
      row.bind(batch, i % atOnce * row.values().size());
      if ((i + 1) % atOnce == 0) {
        batch.add();
      }
    }
    var _ = batch.execute();
  }

  private boolean isLarge() {
    return values.stream().anyMatch(value -> value instanceof byte[] bytes && bytes.length > LARGE);
  }

  /** Gives the values to a statement, from that parameter on. */
  void bind(SqlStatement<?> statement, int from) {
    for (int i = 0; i < values.size(); i++) {
      statement.bind(from + i, values.get(i));
    }
  }
}
