package io.dure.accounting;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** In what the databases differ, for the little that the SQL they share cannot say. */
enum SqlDialect {
  SQLITE("INTEGER PRIMARY KEY", "BLOB"),
  MARIADB("BIGINT PRIMARY KEY AUTO_INCREMENT", "MEDIUMBLOB"),
  POSTGRESQL("BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY", "BYTEA");

  /** The time of what has not come yet: it sorts behind all others. */
  static final long NEVER = Long.MAX_VALUE;

  private final String id;
  private final String blob;

  SqlDialect(String id, String blob) {
    this.id = id;
    this.blob = blob;
  }

  /** What stands for the placeholders of the migrations. */
  Map<String, String> placeholders() {
    // MariaDB has no index over a text without a length.
    String text = this == MARIADB ? "VARCHAR(1024)" : "TEXT";
    return Map.of(
        "id", id,
        "blob", blob,
        "text", text,
        "long", this == MARIADB ? "MEDIUMTEXT" : "TEXT",
        "never", Long.toString(NEVER));
  }

  /**
   * An insert that replaces the row with the same key.
   *
   * @param key columns of the primary key
   * @param rest the others
   * @return with a parameter for each column, in this order
   */
  String upsert(String table, List<String> key, List<String> rest) {
    String insert = insert(table, key, rest);
    return this == MARIADB
        ? insert + " ON DUPLICATE KEY UPDATE " + assignments(rest, "%1$s = VALUES(%1$s)")
        : insert
            + " ON CONFLICT ("
            + String.join(", ", key)
            + ") DO UPDATE SET "
            + assignments(rest, "%1$s = excluded.%1$s");
  }

  /**
   * An insert that adds to the row with the same key.
   *
   * @param key columns of the primary key
   * @param sums the others, numbers
   * @return with a parameter for each column, in this order
   */
  String accumulate(String table, List<String> key, List<String> sums) {
    String insert = insert(table, key, sums);
    return this == MARIADB
        ? insert + " ON DUPLICATE KEY UPDATE " + assignments(sums, "%1$s = %1$s + VALUES(%1$s)")
        : insert
            + " ON CONFLICT ("
            + String.join(", ", key)
            + ") DO UPDATE SET "
            + assignments(sums, "%1$s = " + table + ".%1$s + excluded.%1$s");
  }

  private static String insert(String table, List<String> key, List<String> rest) {
    List<String> columns = Stream.concat(key.stream(), rest.stream()).toList();
    String marks = columns.stream().map(_ -> "?").collect(Collectors.joining(", "));
    return "INSERT INTO " + table + " (" + String.join(", ", columns) + ") VALUES (" + marks + ")";
  }

  private static String assignments(List<String> columns, String form) {
    return columns.stream().map(form::formatted).collect(Collectors.joining(", "));
  }
}
