package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;

/** Up to when records of a cluster are gone, as the database knows it. */
final class PurgeMarks {
  /**
   * Up to when attempts or their suspensions are not all there any more, so that what was used then
   * cannot be counted again.
   */
  static final String NOT_COUNTED_AGAIN = AccountingDatabase.NOT_COUNTED_AGAIN;

  private final AccountingDatabase database;
  private final long cluster;

  PurgeMarks(AccountingDatabase database, long cluster) {
    this.database = database;
    this.cluster = cluster;
  }

  /** A mark, 0 for none. */
  long read(String kind) {
    return database.reading(handle ->
        handle
            .createQuery("SELECT until_time FROM purged WHERE cluster_id = ? AND kind = ?")
            .bind(0, cluster)
            .bind(1, kind)
            .mapTo(Long.class)
            .findOne()
            .orElse(0L));
  }

  /** Moves a mark on, never back. */
  void advance(String kind, long until) {
    if (read(kind) >= until) {
      return;
    }
    database
        .jdbi()
        .useTransaction(handle -> {
          int moved =
              handle.execute(
                  "UPDATE purged SET until_time = ? WHERE cluster_id = ? AND kind = ?",
                  until,
                  cluster,
                  kind);
          if (moved == 0) {
            handle.execute(
                "INSERT INTO purged (cluster_id, kind, until_time) VALUES (?, ?, ?)",
                cluster,
                kind,
                until);
          }
        });
  }
}
