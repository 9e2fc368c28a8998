package io.dure.accounting;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** In what the databases differ, for the little that the SQL they share cannot say. */
enum SqlDialect {
  SQLITE("INTEGER PRIMARY KEY", "BLOB"),
  MARIADB("BIGINT PRIMARY KEY AUTO_INCREMENT", "MEDIUMBLOB"),
  POSTGRESQL("BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY", "BYTEA");

  /** The time of what has not come yet: it sorts behind all others. */
  static final long NEVER = Long.MAX_VALUE;

  /** Characters of an account or a user in a column: what each of the databases can index. */
  static final int LONGEST_NAME = 640;

  private final String id;
  private final String blob;

  SqlDialect(String id, String blob) {
    this.id = id;
    this.blob = blob;
  }

  /** What stands for the placeholders of the migrations. */
  Map<String, String> placeholders() {
    // MariaDB has no index over a text without a length, nor over one of more bytes; and it takes
    // names for equal that differ in case or in blanks at their end, unless told otherwise.
    String exact = this == MARIADB ? " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin" : "";
    Map<String, String> common =
        Map.of(
            "id",
            id,
            "blob",
            blob,
            "text",
            (this == MARIADB ? "VARCHAR(" + LONGEST_NAME + ")" : "TEXT") + exact,
            "long",
            (this == MARIADB ? "MEDIUMTEXT" : "TEXT") + exact,
            "exact",
            exact,
            "never",
            Long.toString(NEVER),
            // SQLite alone would have such a table twice, with a row number and without.
            "keyed",
            this == SQLITE ? " WITHOUT ROWID" : "",
            // MariaDB's indexes are those of a table, and have all of its rows.
            "of_job",
            this == MARIADB ? " ON job" : "",
            "in_array",
            this == MARIADB ? "" : " WHERE array_job_id IS NOT NULL",
            "in_het",
            this == MARIADB ? "" : " WHERE het_leader IS NOT NULL");
    Map<String, String> all = new HashMap<>(common);
    // Only PostgreSQL has to store it.
    all.put("derived", this == POSTGRESQL ? "STORED" : "VIRTUAL");
    all.put("in_reservation", this == MARIADB ? "" : " WHERE reservation IS NOT NULL");
    return all;
  }

  /**
   * How many rows are written by one statement: MariaDB's driver would send each by itself
   * otherwise, and the server look at it by itself.
   */
  int rowsAtOnce() {
    return this == MARIADB ? 100 : 1;
  }

  /**
   * An insert that replaces the row with the same key.
   *
   * @param key columns of the primary key
   * @param rest the others
   * @param rising numbers behind them, of which the row keeps the larger one; {@link #NEVER} is
   *     none
   * @param rows how many rows it takes
   * @return with a parameter for each column, in this order, row after row
   */
  String upsert(String table, List<String> key, List<String> rest, List<String> rising, int rows) {
    List<String> columns = Stream.concat(rest.stream(), rising.stream()).toList();
    String insert = insert(table, key, columns, rows);
    String next = this == MARIADB ? "VALUES(%1$s)" : "excluded.%1$s";
    String known = "NULLIF(" + (this == MARIADB ? "" : table + ".") + "%1$s, " + NEVER + ")";
    String larger =
        (this == SQLITE ? "MAX" : "GREATEST")
            + ("(COALESCE(" + known + ", " + next + "), " + next + ")");
    String changes =
        Stream.concat(
                rest.stream().map(("%1$s = " + next)::formatted),
                rising.stream().map(("%1$s = " + larger)::formatted))
            .collect(Collectors.joining(", "));
    return this == MARIADB
        ? insert + " ON DUPLICATE KEY UPDATE " + changes
        : insert + " ON CONFLICT (" + String.join(", ", key) + ") DO UPDATE SET " + changes;
  }

  /**
   * An insert that adds to the row with the same key.
   *
   * @param key columns of the primary key
   * @param sums the others, numbers
   * @param rows how many rows it takes
   * @return with a parameter for each column, in this order, row after row
   */
  String accumulate(String table, List<String> key, List<String> sums, int rows) {
    String insert = insert(table, key, sums, rows);
    return this == MARIADB
        ? insert + " ON DUPLICATE KEY UPDATE " + assignments(sums, "%1$s = %1$s + VALUES(%1$s)")
        : insert
            + " ON CONFLICT ("
            + String.join(", ", key)
            + ") DO UPDATE SET "
            + assignments(sums, "%1$s = " + table + ".%1$s + excluded.%1$s");
  }

  private static String insert(String table, List<String> key, List<String> rest, int rows) {
    List<String> columns = Stream.concat(key.stream(), rest.stream()).toList();
    String marks = columns.stream().map(_ -> "?").collect(Collectors.joining(", "));
    return "INSERT INTO "
        + table
        + " ("
        + String.join(", ", columns)
        + ") VALUES "
        + String.join(", ", Collections.nCopies(rows, "(" + marks + ")"));
  }

  /**
   * A name as a column has it, and as it is searched for: cut to {@link #LONGEST_NAME}; the record
   * has it whole.
   */
  static @Nullable String name(@Nullable String name) {
    String text = text(name);
    return text == null || text.length() <= LONGEST_NAME
        ? text
        : text(text.substring(0, LONGEST_NAME));
  }

  /** A text without what one of the databases refuses: NUL, and halves of characters. */
  static @Nullable String text(@Nullable String text) {
    if (text == null || text.chars().noneMatch(c -> c == 0 || Character.isSurrogate((char) c))) {
      return text;
    }
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .map(c ->
            c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static String assignments(List<String> columns, String form) {
    return columns.stream().map(form::formatted).collect(Collectors.joining(", "));
  }
}
