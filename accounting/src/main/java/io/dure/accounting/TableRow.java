package io.dure.accounting;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.statement.Update;
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

  /** How what records say gets into the tables, within a transaction. */
  sealed interface RowWriter {

    /**
     * Writes rows of a table.
     *
     * @param sql the statement for a number of rows
     * @return the places of those that the database did not take
     */
    List<Integer> write(Handle handle, IntFunction<String> sql, List<TableRow> rows);

    /**
     * Writes what is no row of a table by itself.
     *
     * @param subject what it is, for the log
     */
    void write(Handle handle, String subject, Runnable statements);

    /** All at once, or nothing. */
    record Together(SqlDialect dialect) implements RowWriter {

      @Override
      public List<Integer> write(Handle handle, IntFunction<String> sql, List<TableRow> rows) {
        TableRow.write(handle, dialect, sql, rows);
        return List.of();
      }

      @Override
      public void write(Handle handle, String subject, Runnable statements) {
        statements.run();
      }
    }

    /**
     * Leaves out what the database does not take: the rest must not wait for it for ever.
     *
     * @param refused is told what was left out, and why
     */
    record Separately(SqlDialect dialect, Consumer<String> refused) implements RowWriter {
      private static final String SAVEPOINT = "one";

      @Override
      public List<Integer> write(Handle handle, IntFunction<String> sql, List<TableRow> rows) {
        String upsert = sql.apply(1);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
          TableRow row = rows.get(i);
          boolean taken =
              isTaken(
                  handle,
                  row.subject(),
                  () -> {
                    try (Update update = handle.createUpdate(upsert)) {
                      row.bind(update);
                      var _ = update.execute();
                    }
                  });
          if (!taken) {
            left.add(i);
          }
        }
        return left;
      }

      @Override
      public void write(Handle handle, String subject, Runnable statements) {
        var _ = isTaken(handle, subject, statements);
      }

      private boolean isTaken(Handle handle, String subject, Runnable statements) {
        handle.savepoint(SAVEPOINT);
        try {
          statements.run();
          handle.releaseSavepoint(SAVEPOINT);
          return true;
        } catch (JdbiException e) {
          if (!DatabaseFailure.isOfData(e, dialect)) {
            throw e;
          }
          handle.rollbackToSavepoint(SAVEPOINT);
          refused.accept(subject + ": " + DatabaseFailure.message(e));
          return false;
        }
      }
    }
  }
}
