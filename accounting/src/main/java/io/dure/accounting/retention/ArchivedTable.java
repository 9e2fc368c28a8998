package io.dure.accounting.retention;

import java.util.List;

/** The tables whose rows leave the database, and come back. */
enum ArchivedTable {
  JOB("job", "job_id attempt", "end_time", "end_time"),
  STEP("step", "job_id attempt step", "end_time", "end_time"),
  SUSPENSION("suspension", "job_id attempt start_time", "end_time", "end_time"),
  TEXT("job_text", "id", "named_at", ""),
  OUTAGE("outage", "node start_time", "end_time", "end_time"),
  CAPACITY("capacity", "start_time", "start_time", "nodes"),
  RESERVATION("reservation", "resv_id start_time", "end_time", "end_time"),
  TRANSACTION("txn", "id", "at_time", "at_time action"),
  USUAL("usage_usual", "span start_time owner_id", "start_time", "cpu mem node billing gpu"),
  SUM("usage_sum", "span tres_id start_time owner_id", "start_time", "seconds"),
  CLUSTER_SUM("cluster_sum", "tres_id start_time", "start_time", "seconds waited_seconds"),
  PAST("cluster_past", "tres_id start_time", "start_time", "total down planned_down");

  /** A column that others tell, which is neither archived nor loaded. */
  static final String DERIVED = "long_lived";

  private final String table;
  private final String key;
  private final String time;
  private final String guard;

  /**
   * A table.
   *
   * @param key columns that name a row of the cluster
   * @param time the column that says how old it is
   * @param guard columns that are as they were archived, or the row has changed since
   */
  ArchivedTable(String table, String key, String time, String guard) {
    this.table = table;
    this.key = key;
    this.time = time;
    this.guard = guard;
  }

  String table() {
    return table;
  }

  List<String> key() {
    return words(key);
  }

  String time() {
    return time;
  }

  List<String> guard() {
    return words(guard);
  }

  private static List<String> words(String columns) {
    return columns.isEmpty() ? List.of() : List.of(columns.split(" ", -1));
  }

  /** Whether its rows are of one cluster. */
  boolean ofCluster() {
    return this != TEXT;
  }

  /** The table of a name, as an archive has it. */
  static ArchivedTable of(String name) throws BadArchiveException {
    for (ArchivedTable one : values()) {
      if (one.table.equals(name)) {
        return one;
      }
    }
    throw new BadArchiveException("no table " + name);
  }
}
