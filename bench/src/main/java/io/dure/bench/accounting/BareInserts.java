package io.dure.bench.accounting;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What the machine and the database do at the moment without the books: rows of the size of a job's
 * into a table of two columns, in batches of the same size.
 *
 * @param blob the database's word for bytes
 */
record BareInserts(String url, String user, String password, String blob) {
  private static final int ROWS = 200_000;
  private static final int BATCH = 10_000;
  private static final int BYTES = 500;

  double rowsASecond() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      if (url.contains("sqlite")) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("PRAGMA synchronous = NORMAL");
      }
      statement.execute("CREATE TABLE bare (id BIGINT PRIMARY KEY, content " + blob + ")");
      connection.setAutoCommit(false);
      long begin = System.nanoTime();
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO bare (id, content) VALUES (?, ?)")) {
        for (int id = 1; id <= ROWS; id++) {
          insert.setLong(1, id);
          insert.setBytes(2, new byte[BYTES]);
          insert.addBatch();
          if (id % BATCH == 0) {
            var _ = insert.executeBatch();
            connection.commit();
          }
        }
      }
      double rate = ROWS / ((System.nanoTime() - begin) / 1e9);
      statement.execute("DROP TABLE bare");
      connection.commit();
      return rate;
    }
  }
}
