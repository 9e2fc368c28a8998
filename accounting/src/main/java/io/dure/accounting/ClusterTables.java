package io.dure.accounting;

import io.dure.model.HostList;
import io.dure.model.accounting.record.AccountingRecord;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The rows of what a cluster has, of nodes that take no jobs, and of suspended runs. */
final class ClusterTables {
  private ClusterTables() {}

  private record Outage(long start, String state, String reason, long uid) {}

  private record Capacity(long start, String nodes, String tres) {}

  static void write(Handle handle, long cluster, AccountingRecord.JobPause pause) {
    long start = pause.start().getEpochSecond();
    int known =
        handle.execute(
            "UPDATE suspension SET end_time = ? WHERE cluster_id = ? AND job_id = ? AND attempt = ?"
                + " AND start_time = ?",
            JobTable.seconds(pause.end()),
            cluster,
            pause.attempt().jobId(),
            pause.attempt().number(),
            start);
    if (known == 0) {
      handle.execute(
          "INSERT INTO suspension (cluster_id, job_id, attempt, start_time, end_time) VALUES (?, ?,"
              + " ?, ?, ?)",
          cluster,
          pause.attempt().jobId(),
          pause.attempt().number(),
          start,
          JobTable.seconds(pause.end()));
    }
  }

  static void write(Handle handle, long cluster, AccountingRecord.NodeOutage outage) {
    Outage open =
        handle
            .createQuery(
                "SELECT start_time, state, reason, reason_uid FROM outage WHERE cluster_id = ? AND"
                    + " node = ? AND end_time = ?")
            .bind(0, cluster)
            .bind(1, outage.node())
            .bind(2, SqlDialect.NEVER)
            .map((row, _) ->
                new Outage(row.getLong(1), row.getString(2), row.getString(3), row.getLong(4)))
            .findOne()
            .orElse(null);
    long at = outage.at().getEpochSecond();
    long uid = Integer.toUnsignedLong(outage.reasonUid());
    String reason = String.valueOf(SqlDialect.text(outage.reason()));
    if (open != null) {
      if (open.equals(new Outage(open.start(), outage.state(), reason, uid))) {
        return;
      }
      handle.execute(
          "UPDATE outage SET end_time = ? WHERE cluster_id = ? AND node = ? AND start_time = ?",
          Math.max(at, open.start()), // the clock may have gone back
          cluster,
          outage.node(),
          open.start());
    }
    if (!outage.state().isEmpty()) {
      // One that began in the same second took no time.
      handle.execute(
          "DELETE FROM outage WHERE cluster_id = ? AND node = ? AND start_time = ?",
          cluster,
          outage.node(),
          at);
      handle.execute(
          "INSERT INTO outage (cluster_id, node, start_time, end_time, state, reason, reason_uid,"
              + " tres) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          cluster,
          outage.node(),
          at,
          SqlDialect.NEVER,
          outage.state(),
          reason,
          uid,
          TresTable.text(outage.tres()));
    }
  }

  static void write(Handle handle, long cluster, AccountingRecord.NodesOut out) {
    Set<String> named = Set.copyOf(HostList.expand(out.nodes()));
    List<Outage> open =
        handle
            .createQuery(
                "SELECT start_time, node FROM outage WHERE cluster_id = ? AND end_time = ?")
            .bind(0, cluster)
            .bind(1, SqlDialect.NEVER)
            .map((row, _) -> new Outage(row.getLong(1), row.getString(2), "", 0))
            .list();
    for (Outage one : open) {
      String node = one.state();
      if (!named.contains(node)) {
        handle.execute(
            "UPDATE outage SET end_time = ? WHERE cluster_id = ? AND node = ? AND start_time = ?",
            Math.max(out.at().getEpochSecond(), one.start()),
            cluster,
            node,
            one.start());
      }
    }
  }

  static void write(Handle handle, long cluster, AccountingRecord.ClusterCapacity capacity) {
    Capacity last =
        handle
            .createQuery(
                "SELECT start_time, node_list, tres FROM capacity WHERE cluster_id = ? ORDER BY"
                    + " start_time DESC LIMIT 1")
            .bind(0, cluster)
            .map((row, _) -> new Capacity(row.getLong(1), row.getString(2), row.getString(3)))
            .findOne()
            .orElse(null);
    String tres = TresTable.text(capacity.tres());
    long at = capacity.at().getEpochSecond();
    if (last != null && last.equals(new Capacity(last.start(), capacity.nodes(), tres))) {
      return;
    }
    long start = last == null ? at : Math.max(at, last.start());
    handle.execute("DELETE FROM capacity WHERE cluster_id = ? AND start_time = ?", cluster, start);
    handle.execute(
        "INSERT INTO capacity (cluster_id, start_time, node_list, nodes, tres) VALUES (?, ?, ?, ?,"
            + " ?)",
        cluster,
        start,
        capacity.nodes(),
        capacity.nodeCount(),
        tres);
  }

  static void write(Handle handle, long cluster, AccountingRecord.AccountsChange change) {
    handle.execute(
        "INSERT INTO txn (cluster_id, at_time, actor, action, target, info) VALUES (?, ?, ?, ?, ?, ?)",
        cluster,
        change.at().getEpochSecond(),
        SqlDialect.name(change.actor()),
        change.action(),
        SqlDialect.text(change.where()),
        SqlDialect.text(change.info()));
  }
}
